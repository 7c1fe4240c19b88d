// Test files of packages of agoric-sdk are run with our modules in the place of SwingSet's: here a small checkout with a small
// test runner.

import test from 'ava';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { groupByFile } from '../../scripts/compatibility/by-file.js';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

const script = fileURLToPath(new URL('../../scripts/swingset-tests/main.js', import.meta.url));

/** Loads the file with what it was told to load before, and leaves out what it was told to. */
const runner = `
  import { spawnSync } from 'node:child_process';
  const [file] = process.argv.slice(-1);
  const left = process.argv.filter(it => it.startsWith('--match=!')).map(it => it.slice('--match=!'.length));
  const flags = process.argv.filter(it => it.startsWith('--node-arguments=')).map(it => it.slice('--node-arguments='.length));
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, file, ...left], { encoding: 'utf8' });
  process.stdout.write(stdout + stderr);
`;

const passes = `
  import { buildKernelBundles } from '@agoric/swingset-vat';
  import { initSwingStore } from '../src/swingStore.js';
  const { kernel } = await buildKernelBundles();
  console.log((kernel.moduleFormat === 'swingset-runner-system' ? 'ok' : 'not ok') + ' 1 - kernel');
  try { initSwingStore().kernelStorage.startCrank(); } catch ({ message }) {
    console.log("not ok 2 - crank\\n  ---\\n  message: '" + message.replaceAll("'", "''") + "'\\n  ...\\n1..2");
  }
`;

const files = {
  'node_modules/ava/package.json': JSON.stringify({ type: 'module', bin: { ava: './run.js' } }),
  'node_modules/ava/run.js': runner,
  'packages/swing-store/src/swingStore.js': "throw Error('this is SwingSet's');",
  'packages/swing-store/package.json': '{ "type": "module" }',
  'packages/swing-store/test/state.test.js': passes,
  'packages/swing-store/test/export.test.js': "console.log('nothing');",
  'packages/swing-store/test/deletion.test.js': "console.log('ok 1 - first');",
  'packages/spawner/package.json': '{ "type": "module" }',
  'packages/spawner/test/swingsetTests/contractHost/contractHost.test.js':
    "console.log('ok 1 - without ' + process.argv.slice(2).join() + '\\n\\n1..1');",
};

/** @param {import('ava').ExecutionContext} t */
const makeCheckout = t => {
  const folder = temporaryDirectory(t);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
  return folder;
};

/** @param {string[]} args */
const run = (...args) => spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });

test('imports of SwingSet and its store lead here, by package and by path, and what is missing is refused', t => {
  const sdk = makeCheckout(t);
  const file = join(sdk, 'rows.json');
  const packages = ['--package', 'swing-store', '--package', 'spawner'];
  run('--sdk', sdk, ...packages, '--write', file);
  const { rows } = JSON.parse(readFileSync(file, 'utf8'));
  const named = new Map(rows.map((/** @type {any} */ row) => [row.name, row]));
  t.is(named.get('swing-store/state: kernel').result, 'equal');
  t.like(named.get('swing-store/state: crank'), {
    result: 'refused',
    reason: 'kernelStorage.startCrank() is not here: the kernel keeps its own journal of a crank',
  });
  t.like(named.get('swing-store/export: its tests'), {
    result: 'differs',
    reason: 'the test runner told of no test in 300 s',
  });
  const deletion = rows.filter((/** @type {any} */ row) =>
    row.name.startsWith('swing-store/deletion'),
  );
  t.deepEqual(deletion, [
    {
      name: 'swing-store/deletion: its other tests',
      result: 'differs',
      reason: 'the test runner did not end in 300 s',
    },
    { name: 'swing-store/deletion: first', result: 'equal' },
  ]);
  const others = rows.filter((/** @type {any} */ row) => row.name.endsWith(': its other tests'));
  t.is(others.length, 1);
  const spawner = 'spawner/swingsetTests/contractHost/contractHost';
  t.is(named.get(`${spawner}: without exhaustion`).result, 'equal');
  t.is(named.get(`${spawner}: exhaustion`).result, 'exception');
});

test('a package without a list, and a folder that is no checkout, are refused in one line', t => {
  const sdk = makeCheckout(t);
  const unknown = run('--sdk', sdk, '--package', 'zone');
  t.is(unknown.status, 2);
  t.regex(
    unknown.stderr,
    /^there is no list of test files for zone; there is one for SwingSet, .*\n$/,
  );
  const missing = run('--sdk', sdk, '--package', 'zoe');
  t.is(missing.status, 2);
  t.regex(missing.stderr, /packages\/zoe has no tests; --sdk names a checkout of agoric-sdk\n$/);
});

test('a file has one row, with the reasons of its tests', t => {
  const rows = groupByFile([
    { name: 'zoe/a: one: two', result: 'equal' },
    { name: 'zoe/a: three', result: 'exception', reason: 'no meters' },
    { name: 'zoe/a: four', result: 'exception', reason: 'no meters' },
    { name: 'zoe/b: one', result: 'equal' },
    { name: 'zoe/c: one', result: 'refused', reason: 'no SQLite' },
    { name: 'zoe/c: two', result: 'differs', reason: '- 1; + 2' },
  ]);
  t.deepEqual(rows, [
    { name: 'zoe/a (3 tests)', result: 'exception', reason: '2 tests: no meters' },
    { name: 'zoe/b (1 test)', result: 'equal' },
    { name: 'zoe/c (2 tests)', result: 'differs', reason: '1 test: no SQLite; 1 test: - 1; + 2' },
  ]);
});
