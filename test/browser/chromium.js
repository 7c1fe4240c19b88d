// Opens a page in Chromium or Chrome and waits for what it says. `CHROMIUM` names the browser; scripts/prepare-chromium.sh
// installs one where that is possible.

import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const candidates = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];

const findBrowser = () => {
  const { CHROMIUM } = process.env;
  if (CHROMIUM !== undefined) return CHROMIUM;
  for (const name of candidates) {
    try {
      return execFileSync('which', [name], { stdio: ['ignore', 'pipe', 'ignore'] })
        .toString()
        .trim();
    } catch {
      // The next one.
    }
  }
  return undefined;
};

/** The browser's program, if there is one. */
export const browser = findBrowser();
/**
 * Answers a request to the page's server; undefined if there is nothing at this address.
 *
 * @typedef {(url: string) => { type: string, body: string | Buffer } | undefined} Answer
 */

/**
 * Open the page, and wait for what it says.
 *
 * @param {import('ava').ExecutionContext} t
 * @param {Answer} answerOf  a page posts to /result what it says
 * @param {string[]} [moreFlags]  of the browser
 * @returns {Promise<any>}
 */
export const openPage = async (t, answerOf, moreFlags = []) => {
  const profile = fs.mkdtempSync(join(tmpdir(), 'swingset-browser-'));
  /** @type {(what: unknown) => void} */
  let told = () => {};
  const answer = new Promise(resolve => {
    told = resolve;
  });
  const server = http.createServer(async (request, response) => {
    const { url = '/', method } = request;
    if (method === 'POST') {
      let body = '';
      for await (const piece of request) body += piece;
      response.end();
      told(JSON.parse(body));
      return;
    }
    const found = answerOf(url);
    if (found === undefined) response.writeHead(404).end();
    else response.setHeader('content-type', found.type).end(found.body);
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const flags = [
    ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
    ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ...['--disable-dev-shm-usage', `--user-data-dir=${profile}`],
    ...moreFlags,
  ];
  const child = spawn(/** @type {string} */ (browser), [...flags, `http://127.0.0.1:${port}/`], {
    stdio: 'ignore',
    // A group of its own: its helpers end with it.
    detached: true,
  });
  const ended = new Promise(resolve => child.once('close', resolve));
  child.once('error', error => told({ error: String(error) }));
  void ended.then(() => told({ error: 'the browser ended before the page had said anything' }));
  t.teardown(async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await ended;
    server.closeAllConnections();
    server.close();
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });
  return answer;
};
