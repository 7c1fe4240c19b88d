// The programs in examples/ do what their READMEs say.

import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { browser, openPage } from './browser/chromium.js';

const root = join(import.meta.dirname, '..');
const examples = join(root, 'examples');

/** Examples are plain JavaScript, without types. @param {string} file @returns {Promise<any>} */
const load = file => import(join(examples, file));

// Before a simulation locks the realm down.
const { makeServer: makeBankServer } = await load('fastify/server.js');
const { makeServer: makeRoomServer } = await load('reactors-web/main.js');

/** @param {string[]} args @param {Record<string, string>} [env] */
const runNode = (args, env = {}) =>
  promisify(execFile)(process.execPath, args, {
    cwd: examples,
    // A test runner within this one must not report to it.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...env },
  });

test("the server returns the vats' answers, and distinguishes callers' errors", async t => {
  const server = await makeBankServer();
  t.teardown(() => server.close());
  const get = async (/** @type {string} */ url) => (await server.inject(url)).json();
  const pay = (/** @type {object} */ payload) =>
    server.inject({ method: 'POST', url: '/pay', payload });
  t.deepEqual(await get('/balance/ann'), { owner: 'ann', balance: '100' });
  const many = Array.from({ length: 20 }, () => pay({ from: 'ann', to: 'bob', amount: '1' }));
  t.deepEqual(new Set((await Promise.all(many)).map(each => each.statusCode)), new Set([200]));
  t.deepEqual(await get('/balance/bob'), { owner: 'bob', balance: '120' });
  const tooMuch = await pay({ from: 'ann', to: 'bob', amount: '81' });
  t.is(tooMuch.statusCode, 400);
  t.regex(tooMuch.json().error, /^ann has 80, less than 81/);
  t.is((await pay({ from: 'ann', to: 'bob', amount: '-1' })).statusCode, 400);
  t.is((await server.inject('/balance/nobody')).statusCode, 400);
});

test('the command keeps its state', async t => {
  const env = { BANK_STATE: join(temporaryDirectory(t), 'bank') };
  const bank = async (/** @type {string[]} */ ...args) =>
    (await runNode(['command-line/main.js', ...args], env)).stdout.trim();
  t.is(await bank('balance', 'ann'), '100');
  t.is(await bank('pay', 'ann', 'bob', '30'), 'ann has 70 left');
  t.is(await bank('balance', 'bob'), '130');
  const failed = await t.throwsAsync(bank('pay', 'ann', 'bob', '71'));
  t.like(failed, { code: 1, stderr: 'ann has 70, less than 71\n' });
  t.like(await t.throwsAsync(bank('steal')), { code: 2 });
});

test('the tests of a vat pass, by node:test and by ava', async t => {
  const { stdout } = await runNode(['--test', 'vat-tests/bank.node-test.js']);
  t.regex(stdout, /pass 2\n/);
  const ava = join(root, 'node_modules/ava/entrypoints/cli.mjs');
  const { stdout: told } = await promisify(execFile)(
    process.execPath,
    [ava, 'examples/vat-tests/bank.ava.js'],
    { cwd: root },
  );
  t.regex(told, /1 test passed/);
});

test('the page of reactors shows their state, and accepts valid input', async t => {
  const { server, ended } = makeRoomServer();
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  const url = `http://127.0.0.1:${address.port}`;
  t.regex(await (await fetch(url)).text(), /<title>Room/);
  const wish = async (/** @type {string} */ degrees) =>
    (await fetch(`${url}/wish?degrees=${degrees}`, { method: 'POST' })).status;
  t.deepEqual(await Promise.all(['21', '99', 'warm'].map(wish)), [204, 400, 400]);
  t.is((await fetch(`${url}//`)).status, 404);
  const events = await fetch(`${url}/events`);
  /** @type {{ ms: number, degrees: number }[]} */
  const seen = [];
  for await (const piece of /** @type {AsyncIterable<Uint8Array>} */ (events.body)) {
    for (const [, text] of Buffer.from(piece)
      .toString()
      .matchAll(/^data: (.+)$/gm)) {
      seen.push(JSON.parse(text));
    }
    if (seen.length >= 4) break;
  }
  // A tick each 100 ms of logical time, whatever the machine is busy with; heated, for it is cold.
  seen.slice(1).forEach(({ ms }, i) => t.is(ms, seen[i].ms + 100));
  t.true(seen[3].degrees > seen[0].degrees);
  server.closeAllConnections();
  server.close();
  await ended;
});

const ifBrowser = browser === undefined ? test.skip : test.serial;

ifBrowser('the page of the traffic light runs in a browser', async t => {
  t.timeout(120_000);
  const html = fs.readFileSync(join(examples, 'page/index.html'), 'utf8').replace(
    '</body>',
    `<script type="module">
      const light = document.getElementById('light');
      const said = [];
      const tell = what => fetch('/result', { method: 'POST', body: JSON.stringify(what) });
      // The first light may be there already.
      const note = () => {
        said.push(light.textContent);
        if (said.length === 1) document.getElementById('cross').click();
        if (said.length === 3) tell({ result: said });
      };
      new MutationObserver(note).observe(light, { childList: true });
      if (light.textContent !== '…') note();
      window.onerror = text => tell({ error: text });
    </script></body>`,
  );
  const { error, result } = await openPage(t, url => {
    if (url === '/') return { type: 'text/html', body: html.replace('./light.js', '/light.js') };
    const found = /^\/node_modules\/swingset-runner\/(packages\/[\w/-]+\.js)$/.exec(url);
    const file =
      url === '/light.js' ? join(examples, 'page/light.js') : found && join(root, found[1]);
    return file && fs.existsSync(file)
      ? { type: 'text/javascript', body: fs.readFileSync(file) }
      : undefined;
  });
  t.is(error, undefined);
  t.deepEqual(result, ['cars: green', 'people: green', 'cars: green']);
});
