// Serves a page with the status of a run. Each request asks the leader anew, but requests share a question that is on its
// way, so that no crowd of them reaches the leader. The page reloads itself every two seconds. The server accepts requests
// from this machine only, and only for its own host names, so that pages of other sites cannot read it.

import http from 'node:http';
import { once } from 'node:events';
import { UserError } from '#model';

/** @typedef {import('#cluster/status.js').Status} Status */

const refreshS = 2;

const address = '127.0.0.1';

/** @param {string | undefined} host  the header of the request */
const isOwnName = host => /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host ?? '');

/** @param {string} page */
const refreshing = page =>
  page.replace('<head>', `<head><meta http-equiv="refresh" content="${refreshS}">`);

/** @param {string} text */
const escape = text => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);

/**
 * Serve the page at `/`, and its data as JSON at `/status.json`.
 *
 * @param {object} options
 * @param {number} options.port  0 for any free port
 * @param {() => Promise<Status>} options.ask
 * @param {(status: Status) => string} options.format  as a page
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 * @throws {UserError} if the port is taken, or this user may not use it
 */
export const serveStatus = async ({ port, ask, format }) => {
  /** @type {Promise<Status> | undefined} */
  let asked;
  const askOnce = () => {
    asked ??= ask().finally(() => {
      asked = undefined;
    });
    return asked;
  };

  /** @param {string} path @returns {Promise<[status: number, type: string, body: string]>} */
  const respond = async path => {
    const isData = path === '/status.json';
    if (path !== '/' && !isData) return [404, 'text/plain', 'there are / and /status.json\n'];
    try {
      const status = await askOnce();
      return isData
        ? [200, 'application/json', `${JSON.stringify(status)}\n`]
        : [200, 'text/html', refreshing(format(status))];
    } catch (error) {
      // The leader may come back soon: the page keeps reloading.
      if (!UserError.is(error)) throw error;
      const { message } = /** @type {Error} */ (error);
      if (isData) return [503, 'application/json', `${JSON.stringify({ problem: message })}\n`];
      const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>no status</title></head><body><p>${escape(message)}</p></body></html>\n`;
      return [503, 'text/html', refreshing(page)];
    }
  };

  const server = http.createServer((request, response) => {
    const { method, headers, url = '/' } = request;
    /** @param {[status: number, type: string, body: string]} answer */
    const give = ([status, type, body]) => {
      const policy = "default-src 'none'; style-src 'unsafe-inline'";
      const others = { 'cache-control': 'no-store', 'content-security-policy': policy };
      response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, ...others });
      response.end(method === 'HEAD' ? '' : body);
    };
    if (!isOwnName(headers.host)) give([403, 'text/plain', 'this machine only\n']);
    else if (method !== 'GET' && method !== 'HEAD') give([405, 'text/plain', 'GET or HEAD\n']);
    else
      respond(url.replace(/\?.*$/s, '')).then(give, error => {
        give([500, 'text/plain', `${error}\n`]);
      });
  });
  server.listen(port, address);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new UserError(
      `--serve ${port} cannot be listened at: ${/** @type {Error} */ (error).message}; give another port, or 0 for any`,
      { exitCode: 1, cause: error },
    );
  }
  const { port: found } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://${address}:${found}/`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
