// Output folders of directories with the same name, and how commands find them.

import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { demosDir, runCli, temporaryDirectory, vat, writeFiles } from './run-cli.js';

/** @param {string} word */
const program = word => ({ 'bootstrap.js': vat(`bootstrap: () => '${word}'`) });

const quick = ['--no-graphs', '--no-stats', '--durability', 'none'];

/** @param {string} cwd */
const outputs = cwd => fs.readdirSync(path.join(cwd, 'swingset-out')).sort();

/** @param {string} cwd */
const makeTwo = cwd => {
  writeFiles(path.join(cwd, 'a/vats'), program('of a'));
  writeFiles(path.join(cwd, 'b/vats'), program('of b'));
};

test("directories of the same name do not overwrite each other's output", async t => {
  const cwd = temporaryDirectory(t);
  makeTwo(cwd);
  await runCli(cwd, ['a/vats', ...quick]);
  const before = fs.readFileSync(path.join(cwd, 'swingset-out/vats/report.txt'), 'utf8');
  const ran = await runCli(cwd, ['b/vats', ...quick]);
  t.is(ran.code, 0, ran.stderr);
  t.regex(
    ran.stderr,
    /^swingset-out\/vats holds a run of ".*\/a\/vats"; this one is in swingset-out\/b-vats$/m,
  );
  t.regex(ran.stdout, /^Written to swingset-out\/b-vats:\n {2}stats-b-vats\.tsv /m);
  t.is(fs.readFileSync(path.join(cwd, 'swingset-out/vats/report.txt'), 'utf8'), before);
  t.deepEqual(outputs(cwd), ['b-vats', 'vats']);

  const again = await runCli(cwd, ['a/vats', ...quick, '--memdb']);
  t.notRegex(again.stderr, /holds a run/);
  t.deepEqual(outputs(cwd), ['b-vats', 'vats']);
});

test('the name of a folder stays on its line', async t => {
  const cwd = temporaryDirectory(t);
  writeFiles(path.join(cwd, 'vats'), program('done'));
  const outdir = 'out\nswingset-runner: forged';
  const made = await runCli(cwd, ['vats', '--initonly', '--outdir', outdir]);
  t.regex(made.stderr, /^the state is in out\\nswingset-runner: forged\/state$/m);
  t.notRegex(made.stderr, /^swingset-runner: forged/m);

  const flags = ['--memdb', '--keepawake', '--no-graphs', '--outdir', outdir];
  const { stdout, stderr } = await runCli(cwd, ['vats', ...flags]);
  t.regex(stdout, /^Written to out\\nswingset-runner: forged:$/m);
  t.regex(stderr, /^--keepawake has no effect: a state in memory waits for no disk$/m);
});

test('commands find the run of the given directory', async t => {
  const cwd = temporaryDirectory(t);
  makeTwo(cwd);
  for (const dir of ['a/vats', 'b/vats']) await runCli(cwd, ['batch', dir]);
  t.regex((await runCli(cwd, ['report', 'a/vats'])).stdout, /^bootstrap: .*of a/m);
  t.regex((await runCli(cwd, ['report', 'b/vats'])).stdout, /^bootstrap: .*of b/m);
  t.regex((await runCli(cwd, ['replay', 'b/vats'])).stdout, /^swingset-out\/b-vats\/state: /);
  t.regex((await runCli(cwd, ['audit', 'b-vats'])).stdout, /^swingset-out\/b-vats\/state: /);
  t.regex((await runCli(cwd, ['report', '--growth', 'b/vats'])).stdout, /swingset-out\/b-vats/);
  const step = await runCli(cwd, ['step', 'b/vats']);
  t.regex(step.stderr, /^ran 0 cranks; nothing is queued$/m);

  // The remaining folder keeps its name when the other is removed.
  fs.rmSync(path.join(cwd, 'swingset-out/vats'), { recursive: true });
  const resumed = await runCli(cwd, ['--resume', 'b/vats', ...quick]);
  t.is(resumed.code, 0, resumed.stderr);
  t.deepEqual(outputs(cwd), ['b-vats']);
  const none = await runCli(cwd, ['dump', 'a/vats']);
  t.is(none.code, 2);
  t.is(
    none.stderr,
    'swingset-runner: there is no database in "a/vats", nor in "swingset-out/vats"; name the directory of one, or of what was run\n',
  );
});

test('two demos of the same name have separate folders', async t => {
  const cwd = temporaryDirectory(t);
  await runCli(cwd, ['demos/pingpong', ...quick, '--benchmark', '1']);
  const ran = await runCli(cwd, ['demos/reactors/pingpong', ...quick]);
  t.is(ran.code, 0, ran.stderr);
  t.deepEqual(outputs(cwd), ['pingpong', 'reactors-pingpong']);
  t.is(
    (await runCli(cwd, ['report', 'demos/reactors/pingpong', '--zeros'])).stdout,
    fs.readFileSync(path.join(cwd, 'swingset-out/reactors-pingpong/report.txt'), 'utf8'),
  );
});

test('a folder whose directory was removed is reused', async t => {
  const cwd = temporaryDirectory(t);
  makeTwo(cwd);
  await runCli(cwd, ['a/vats', ...quick]);
  fs.renameSync(path.join(cwd, 'a'), path.join(cwd, 'c'));
  const ran = await runCli(cwd, ['c/vats', ...quick]);
  t.is(ran.code, 0, ran.stderr);
  t.deepEqual(outputs(cwd), ['vats']);
});

test("another program's database in a chosen folder is not replaced", async t => {
  const cwd = temporaryDirectory(t);
  const demo = (/** @type {string} */ name) => [path.join(demosDir, name), '--outdir', 'out'];
  await runCli(cwd, [...demo('justReply'), ...quick]);
  const { code, stderr } = await runCli(cwd, [...demo('simplePromisePass'), ...quick]);
  t.is(code, 2);
  t.regex(
    stderr,
    /^swingset-runner: out\/state holds a run of ".*justReply", not of ".*simplePromisePass"; name that one, start afresh with --init, or choose another directory with --outdir or --dbdir$/m,
  );
  const fresh = await runCli(cwd, [...demo('simplePromisePass'), ...quick, '--init']);
  t.is(fresh.code, 0, fresh.stderr);
  t.false(fs.existsSync(path.join(cwd, 'swingset-out')));
});
