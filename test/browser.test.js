// Reactors in a page of a browser, with nothing built: the page has the import map that packages/reactor/README.md shows.
// It needs Chromium or Chrome (scripts/prepare-chromium.sh installs one where that is possible).

import fs from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { browser, openPage } from './browser/chromium.js';
import { all } from './browser/program.js';

const root = join(import.meta.dirname, '..');

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

/** @type {import('./browser/chromium.js').Answer} */
const answerOf = url => {
  if (url === '/') return { type: 'text/html', body: page() };
  const file = fileOf(url);
  return file !== undefined && fs.existsSync(file)
    ? { type: 'text/javascript', body: fs.readFileSync(file) }
    : undefined;
};

ifBrowser(
  'a page runs the same programs as Node, with an import map and nothing built',
  async t => {
    t.timeout(120_000);
    const { error, result, isBrowser } = await openPage(t, answerOf);
    t.is(error, undefined);
    t.true(isBrowser);
    t.deepEqual(result, await all());
    t.is(result.fast.length, 9);
    t.deepEqual(result.realTime.slice(-1), ['press from outside']);
    t.regex(result.cycle, /^zero-delay cycle: echo\.r → echo\.out → echo\.in → echo\.r/);
  },
);
