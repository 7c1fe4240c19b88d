// `status --serve`: a page for this machine only.

import http from 'node:http';
import net from 'node:net';
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import test from 'ava';
import { UserError } from '#model';
import { serveStatus } from '../session/status-server.js';

/** @param {string} url @param {http.RequestOptions} [options] */
const get = async (url, options = {}) => {
  const request = http.request(url, { agent: false, ...options }).end();
  const [response] = await once(request, 'response');
  let body = '';
  for await (const part of response.setEncoding('utf8')) body += part;
  return { status: response.statusCode, body, headers: response.headers };
};

test('the page asks anew for each request, and reports a missing answer', async t => {
  let asked = 0;
  const server = await serveStatus({
    port: 0,
    ask: async () => {
      asked += 1;
      if (asked > 2) throw new UserError('there is no run <r>');
      return /** @type {any} */ ({ run: 'r', block: asked });
    },
    format: ({ run, block }) => `<html><head></head>${run} ${block}</html>`,
  });
  try {
    const page = await get(server.url);
    t.is(page.status, 200);
    t.is(page.body, '<html><head><meta http-equiv="refresh" content="2"></head>r 1</html>');
    t.is((await get(`${server.url}status.json?x`)).body, '{"run":"r","block":2}\n');
    const problem = await get(server.url);
    t.is(problem.status, 503);
    t.regex(problem.body, /http-equiv="refresh".*there is no run &#60;r&#62;/s);
    t.is((await get(`${server.url}other`)).status, 404);
    t.is((await get(server.url, { method: 'POST' })).status, 405);
    t.is((await get(server.url, { headers: { host: 'evil.example' } })).status, 403);
    await t.throwsAsync(
      serveStatus({
        port: Number(new URL(server.url).port),
        ask: async () => t.fail(),
        format: () => '',
      }),
      {
        instanceOf: UserError,
        message: /^--serve \d+ cannot be listened at: .*EADDRINUSE.*; give another port/,
      },
    );
  } finally {
    await server.close();
  }
});

test('requests that come while the leader is asked share its answer', async t => {
  let asked = 0;
  let answer = () => {};
  const server = await serveStatus({
    port: 0,
    ask: () => {
      asked += 1;
      return new Promise(resolve => {
        answer = () => resolve(/** @type {any} */ ({ run: 'r' }));
      });
    },
    format: ({ run }) => run,
  });
  try {
    for (const questions of [1, 2]) {
      const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1');
      let got = '';
      socket.setEncoding('utf8').on('data', text => {
        got += text;
      });
      socket.write('GET /status.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(30));
      while (asked < questions) await turn();
      answer();
      while (got.split('{"run":"r"}').length <= 30) await turn();
      t.is(asked, questions);
      socket.destroy();
    }
  } finally {
    await server.close();
  }
});
