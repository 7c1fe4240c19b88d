// `compare`: two recorded runs, block by block.

import fs from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { runCli, temporaryDirectory } from './run-cli.js';

const quiet = ['--no-stats', '--no-graphs', '--no-logall'];

/** Two vats that send each other a number, thirty times; the text of the tenth message varies. */
const other = `
  import { E, Far } from '@endo/far';
  export const buildRootObject = () => Far('other', { go: (boot, n) => void E(boot).go(n) });
`;

/** @param {string} tenth */
const boot = tenth => `
  import { E, Far } from '@endo/far';
  export const buildRootObject = () => {
    let other;
    const root = Far('root', {
      bootstrap: vats => {
        other = vats.other;
        root.go(1);
      },
      go: n => {
        if (n < 30) void E(other).go(root, n + 1, n === 10 ? ${JSON.stringify(tenth)} : 'usual');
      },
    });
    return root;
  };
`;

/** @param {string} dir @param {string} tenth */
const writeVats = (dir, tenth) => {
  fs.mkdirSync(dir);
  fs.writeFileSync(join(dir, 'bootstrap.js'), boot(tenth));
  fs.writeFileSync(join(dir, 'vat-other.js'), other);
};

test('compare names the first block in which two runs differ, or reports that they are equal', async t => {
  const cwd = temporaryDirectory(t);
  const make = async (
    /** @type {string} */ name,
    /** @type {string} */ tenth,
    /** @type {string[]} */ flags,
  ) => {
    writeVats(join(cwd, name), tenth);
    const { code, stderr } = await runCli(cwd, [name, ...quiet, ...flags]);
    t.is(code, 0, stderr);
  };
  await make('one', 'usual', ['--blocksize', '4']);
  await make('two', 'usual', ['--blocksize', '5']);
  await make('three', 'other', ['--blocksize', '4']);
  await make('four', 'other', ['--blocksize', '6']);

  const same = await runCli(cwd, ['compare', 'one', 'two']);
  t.is(same.code, 0, same.stderr);
  t.regex(same.stdout, /^the same: \d+ cranks \(hash [0-9a-f]{64}\)\n$/);

  const differs = await runCli(cwd, ['compare', 'one', 'three']);
  t.is(differs.code, 1);
  t.regex(
    differs.stderr,
    /^swingset-runner: the runs are the same up to crank (\d+) and differ in block \d+, cranks \d+ to \d+\n$/,
  );
  const [, before, block, from, to] = (
    /crank (\d+) and differ in block (\d+), cranks (\d+) to (\d+)/.exec(differs.stderr) ?? []
  ).map(Number);
  t.deepEqual([before, from, to], [4 * (block - 1), before + 1, before + 4]);

  const apart = await runCli(cwd, ['compare', 'one', 'four']);
  t.is(apart.code, 1);
  const places =
    /same up to crank (\d+) and differ in block (\d+) of \S*one\S* \(to crank (\d+)\), block (\d+) of \S*four\S* \(to crank (\d+)\)\n$/;
  const [, common, left, leftEnd, right, rightEnd] = (places.exec(apart.stderr) ?? []).map(Number);
  t.true(common % 12 === 0 && common + 12 > before, apart.stderr);
  t.deepEqual([left, leftEnd], [common / 4 + 1, common + 4]);
  t.deepEqual([right, rightEnd], [common / 6 + 1, common + 6]);
});

test('compare reports a state without marks, a run that ends before the other, and a missing state', async t => {
  const cwd = temporaryDirectory(t);
  writeVats(join(cwd, 'one'), 'usual');
  const flags = ['one', '--blocksize', '4', '--dbdir'];
  await runCli(cwd, [...flags, 'whole']);
  await runCli(cwd, ['batch', 'one', '--batchsize', '8', '--blocksize', '4', '--dbdir', 'part']);
  const part = await runCli(cwd, ['compare', 'part', 'whole']);
  t.is(part.code, 0, part.stderr);
  t.regex(
    part.stdout,
    /^part and whole are the same up to crank 8, where part ends; whole goes on/,
  );

  await runCli(cwd, ['export', 'bare.state', 'whole']);
  const imported = await runCli(cwd, ['import', 'bare.state', 'bare']);
  t.is(imported.code, 0, imported.stderr);
  const bare = await runCli(cwd, ['compare', 'whole', 'bare']);
  t.is(bare.code, 1);
  t.regex(bare.stderr, /bare\/state" has no record of its blocks: .*\(export --local has it\)\n$/);

  const none = await runCli(cwd, ['compare', 'whole', 'nothing']);
  t.is(none.code, 2);
  t.regex(none.stderr, /there is no database in "nothing"/);
});
