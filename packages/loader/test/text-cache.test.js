// The cache of texts that vats evaluate.

import test from 'ava';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { provideTextCache } from '../bundle/text-cache.js';
import { folders, writeFiles } from './bundle-sources.js';

test.after.always(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Run a vat that evaluates texts, in a process of its own. @param {string} folder @param {string} cacheDir */
const run = (folder, cacheDir) =>
  spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `
      import Module from 'node:module';
      import { ensureLockdown } from ${JSON.stringify(new URL('../lockdown.js', import.meta.url).href)};
      import { bundleVat, importBundle } from ${JSON.stringify(new URL('../bundle/index.js', import.meta.url).href)};
      await ensureLockdown();
      const cacheDir = ${JSON.stringify(cacheDir)};
      const { bundle } = await bundleVat(${JSON.stringify(join(folder, 'vat-x.js'))}, { cacheDir });
      const { namespace } = await importBundle(bundle, { name: 'x', cacheDir });
      const parsed = Object.keys(Module._cache).some(path => path.endsWith('parser.cjs'));
      console.log(JSON.stringify(namespace.results), parsed);
      `,
    ],
    { encoding: 'utf8' },
  ).stdout;

const source = `
  const texts = ['(p => p.raw[0])\`a\`', '2 ** 10', '(p => p)\`\\ud800\`[0] === "\\ud800"', '(p => p[0])\`' + '\\ud800' + '\`.codePointAt(0)', '(p => p[0])\`' + '\\ud801' + '\`.codePointAt(0)'];
  export const results = texts.map(text => new Compartment().evaluate(text));
`;
const expected = JSON.stringify(['a', 1024, true, 0xd800, 0xd801]);

test('a later process finds what became of a text, and does not load the parser', t => {
  const folder = writeFiles({ 'vat-x.js': source });
  const cacheDir = join(folder, 'cache');
  t.is(run(folder, cacheDir), `${expected} true\n`);
  t.is(readdirSync(join(cacheDir, 'texts')).length, 5);
  t.is(run(folder, cacheDir), `${expected} false\n`);
});

test('a damaged text is made again', t => {
  const folder = writeFiles({ 'vat-x.js': source });
  const cacheDir = join(folder, 'cache');
  run(folder, cacheDir);
  const texts = join(cacheDir, 'texts');
  for (const name of readdirSync(texts))
    writeFileSync(join(texts, name), `${readFileSync(join(texts, name), 'utf8').slice(0, -2)}1"`);
  t.is(run(folder, cacheDir), `${expected} true\n`);
  t.is(run(folder, cacheDir), `${expected} false\n`);
});

test('the number of texts is bounded', t => {
  const cacheDir = join(writeFiles({ 'vat-x.js': '' }), 'cache');
  const cache = provideTextCache(cacheDir);
  t.is(cache, provideTextCache(cacheDir));
  cache?.keep('0', 'zero');
  const texts = join(cacheDir, 'texts');
  const [name] = readdirSync(texts);
  const content = readFileSync(join(texts, name));
  // Written by earlier processes.
  const other = join(writeFiles({ 'vat-x.js': '' }), 'cache');
  provideTextCache(other);
  for (let i = 0; i < 4999; i += 1) writeFileSync(join(other, 'texts', `${i}.json`), content);
  const bounded = provideTextCache(other);
  for (let i = 0; i < 5; i += 1) bounded?.keep(`${i}`, 'made');
  t.is(readdirSync(join(other, 'texts')).length, 5000);
  t.is(bounded?.find('0'), 'made');
  t.is(bounded?.find('1'), undefined);
});

test('the size of all texts is bounded', t => {
  const room = 1_000_000;
  const cacheDir = join(writeFiles({ 'vat-x.js': '' }), 'cache');
  const cache = provideTextCache(cacheDir);
  const texts = join(cacheDir, 'texts');
  // Written by an earlier process; it takes no place on the disk.
  writeFileSync(join(texts, 'old.json'), '');
  truncateSync(join(texts, 'old.json'), 256 * 1024 * 1024 - room);
  const made = 'm'.repeat(300_000);
  for (let i = 0; i < 10; i += 1) cache?.keep(`${i}`, made);
  cache?.keep('escapes', '\u0001'.repeat(90_000));
  cache?.keep('small', 'made');
  const sizes = readdirSync(texts).map(name => statSync(join(texts, name)).size);
  t.is(sizes.length, 5);
  t.true(sizes.reduce((sum, size) => sum + size) <= 256 * 1024 * 1024);
  t.is(cache?.find('2'), made);
  t.is(cache?.find('3'), undefined);
  t.is(cache?.find('escapes'), undefined);
  t.is(cache?.find('small'), 'made');
});
