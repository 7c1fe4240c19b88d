// Reactors in a page of a browser, with nothing built: the page has the import map that packages/reactor/README.md shows.
// It needs Chromium or Chrome (scripts/prepare-chromium.sh installs one where that is possible).

import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { all } from './browser/program.js';

const root = join(import.meta.dirname, '..');

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

const browser = findBrowser();
const ifBrowser = browser === undefined ? test.skip : test.serial;

if (browser === undefined)
  test.skip('there is no Chromium here (CHROMIUM names one): no page is tested', () => {});

const importMap = () => {
  const readme = fs.readFileSync(join(root, 'packages/reactor/README.md'), 'utf8');
  const found = /<script type="importmap">.*?<\/script>/s.exec(readme);
  if (!found) throw Error('the README shows no import map');
  return found[0];
};

const page = () => `<!doctype html>
<meta charset="utf-8">
<title>reactors</title>
${importMap()}
<script type="module">
  const tell = what => fetch('/result', { method: 'POST', body: JSON.stringify(what) });
  try {
    const { all } = await import('/program.js');
    await tell({ result: await all(), isBrowser: typeof process === 'undefined' });
  } catch (error) {
    await tell({ error: String(error) });
  }
</script>`;

/** The file of a URL that the page may ask for. @param {string} url @returns {string | undefined} */
const fileOf = url => {
  if (url === '/program.js') return join(root, 'test/browser/program.js');
  const found = /^\/node_modules\/swingset-runner\/(packages\/[\w/-]+\.js)$/.exec(url);
  return found ? join(root, found[1]) : undefined;
};

/**
 * Open the page, and wait for what it says.
 *
 * @param {import('ava').ExecutionContext} t
 * @returns {Promise<any>}
 */
const openPage = async t => {
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
    const file = fileOf(url);
    if (url === '/') response.setHeader('content-type', 'text/html').end(page());
    else if (file === undefined || !fs.existsSync(file)) response.writeHead(404).end();
    else response.setHeader('content-type', 'text/javascript').end(fs.readFileSync(file));
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const flags = [
    ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
    ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ...['--disable-dev-shm-usage', `--user-data-dir=${profile}`],
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

ifBrowser(
  'a page runs the same programs as Node, with an import map and nothing built',
  async t => {
    t.timeout(120_000);
    const { error, result, isBrowser } = await openPage(t);
    t.is(error, undefined);
    t.true(isBrowser);
    t.deepEqual(result, await all());
    t.is(result.fast.length, 9);
    t.deepEqual(result.realTime.slice(-1), ['press from outside']);
    t.regex(result.cycle, /^zero-delay cycle: echo\.r → echo\.out → echo\.in → echo\.r/);
  },
);
