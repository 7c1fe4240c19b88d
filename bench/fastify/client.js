// The client of run.js, in a process of its own, so that its work is not counted: GETs over
// persistent connections.

import http from 'node:http';
import { answer } from '../process.js';

/**
 * @typedef {object} ClientOptions
 * @property {number} port
 * @property {string} path
 * @property {number} requests
 * @property {number} connections  each has one request at a time
 */

/** @typedef {{ bodies: string[] }} ClientResult  the distinct bodies received */

/** @param {http.RequestOptions} options @returns {Promise<string>} the body */
const get = options =>
  new Promise((resolve, reject) => {
    const request = http.get(options, response => {
      let body = '';
      response.setEncoding('utf8').on('data', text => {
        body += text;
      });
      response.on('end', () => {
        if (response.statusCode === 200) resolve(body);
        else reject(Error(`the server answered ${response.statusCode}: ${body}`));
      });
    });
    request.on('error', reject);
  });

await answer(async options => {
  const { port, path, requests, connections } = /** @type {ClientOptions} */ (options);
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  /** @type {Set<string>} */
  const bodies = new Set();
  let left = requests;
  const ask = async () => {
    while (left > 0) {
      left -= 1;
      bodies.add(await get({ host: '127.0.0.1', port, path, agent }));
    }
  };
  await Promise.all(Array.from({ length: connections }, ask));
  agent.destroy();
  return { bodies: [...bodies] };
});
