import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { startRenderer } from '../render.js';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

const index = new URL('../../packages/vendored/index.js', import.meta.url).href;

/** Load two libraries in a process of its own. @param {string} folder  for their code */
const load = folder =>
  execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { keepCompiledLibraries, loadLibrary } from ${JSON.stringify(index)};
const save = keepCompiledLibraries(${JSON.stringify(folder)});
const { compile } = await loadLibrary('vega-lite');
const { version } = await loadLibrary('vega');
console.log(typeof compile, version);
save();`,
    ],
    { encoding: 'utf8' },
  );

/** @param {string} folder @returns {[name: string, changedMs: number, size: number][]} */
const listFolder = folder =>
  fs
    .readdirSync(folder)
    .sort()
    .map(name => {
      const { mtimeMs, size } = fs.statSync(join(folder, name));
      return [name, mtimeMs, size];
    });

test('code of libraries is kept once, and written again when it is damaged', t => {
  const folder = temporaryDirectory(t);
  const first = load(folder);
  t.regex(first, /^function \d+\.\d+\.\d+\n$/);
  const kept = listFolder(folder);
  t.deepEqual(
    kept.map(([name]) => name.replace(/-v\d.*$/, '')),
    ['library-vega-lite', 'library-vega'],
  );
  t.is(load(folder), first);
  t.deepEqual(listFolder(folder), kept, 'nothing is written again');

  const [name, , size] = kept[1];
  const file = join(folder, name);
  const bytes = fs.readFileSync(file);
  bytes[bytes.length >> 1] ^= 1;
  fs.writeFileSync(file, bytes);
  t.is(load(folder), first);
  t.false(fs.readFileSync(file).equals(bytes));
  t.true(Math.abs(fs.statSync(file).size - size) < size / 2);
});

test('without a folder that can be written nothing is kept, and nothing fails', t => {
  t.regex(load('/proc/no-such-folder'), /^function/);
});

test('a drawing process with kept code draws the same', async t => {
  const folder = temporaryDirectory(t);
  const file = join(folder, 'stats-a.tsv');
  fs.writeFileSync(file, 'block\tsteps\tdisk\n1\t7\t100\n2\t7\t250\n3\t7\t300\n');
  const out = ['1.svg', '2.svg', '3.svg'].map(name => join(folder, name));
  const codeFolder = join(folder, 'code');
  fs.mkdirSync(codeFolder);
  const draw = (/** @type {string} */ to, /** @type {object} */ options) =>
    startRenderer(options).render([{ kind: 'disk', files: [file], out: to }]);
  await draw(out[0], {});
  await draw(out[1], { codeFolder });
  // The process writes the code after its answer.
  for (let i = 0; i < 500 && fs.readdirSync(codeFolder).filter(isWhole).length < 2; i += 1)
    await new Promise(resolve => setTimeout(resolve, 20));
  t.is(fs.readdirSync(codeFolder).filter(isWhole).length, 2);
  await draw(out[2], { codeFolder });
  const [first, ...others] = out.map(each => fs.readFileSync(each, 'utf8'));
  for (const other of others) t.is(other, first);
});

const isWhole = (/** @type {string} */ name) => !name.endsWith('.draft');
