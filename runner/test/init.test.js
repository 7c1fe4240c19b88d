// `swingset-runner init` makes a directory that runs, and overwrites nothing.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { runCli, temporaryDirectory } from './run-cli.js';

const root = path.join(import.meta.dirname, '../..');
const quick = ['--no-graphs', '--no-stats', '--memdb', '--vatlog', '-', '--benchmark', '1'];

/** Lines that each template prints when it runs. @type {Record<string, RegExp>} */
const printed = {
  vats: /^the counter is at 1$/m,
  reactors: /^400 ms: 25$/m,
  contract: /^bob: {"apples":1,"pears":3}$/m,
  typescript: /^the counter is at 1$/m,
};

/** Templates whose bootstrap vat has rounds. */
const withRounds = ['vats', 'typescript'];

for (const [template, line] of Object.entries(printed)) {
  test(`the template ${template} runs unmodified`, async t => {
    const cwd = temporaryDirectory(t);
    const made = await runCli(cwd, ['init', 'my program', '--template', template]);
    t.is(made.code, 0, made.stderr);
    const target = path.join(cwd, 'my program');
    t.is(JSON.parse(fs.readFileSync(path.join(target, 'package.json'), 'utf8')).name, 'my-program');
    t.regex(fs.readFileSync(path.join(target, 'README.md'), 'utf8'), /^# my-program$/m);
    const ran = await runCli(target, [
      '.',
      ...(withRounds.includes(template) ? quick : quick.slice(0, -2)),
    ]);
    t.is(ran.code, 0, ran.stderr);
    t.regex(ran.stdout, line);
  });
}

test('the test of the template passes, and fails when its vat is wrong', async t => {
  const cwd = temporaryDirectory(t);
  t.is((await runCli(cwd, ['init', 'tested'])).code, 0);
  const target = path.join(cwd, 'tested');
  const { scripts } = JSON.parse(fs.readFileSync(path.join(target, 'package.json'), 'utf8'));
  t.is(scripts.test, 'node --test');
  fs.mkdirSync(path.join(target, 'node_modules'));
  fs.symlinkSync(root, path.join(target, 'node_modules/swingset-runner'), 'dir');
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const run = () => spawnSync(process.execPath, ['--test'], { cwd: target, env, encoding: 'utf8' });
  const passed = run();
  t.is(passed.status, 0, passed.stdout);
  t.regex(passed.stdout, /(?:#|ℹ) pass 1$/m);
  const vat = path.join(target, 'vat-counter.js');
  fs.writeFileSync(vat, fs.readFileSync(vat, 'utf8').replace('count += by', 'count -= by'));
  t.is(run().status, 1);
});

test('the template typescript names its type checker, which accepts it', async t => {
  const cwd = temporaryDirectory(t);
  const made = await runCli(cwd, ['init', "it's typed", '--template', 'typescript']);
  t.is(made.code, 0, made.stderr);
  t.true(made.stdout.includes("cd 'it'\\''s typed'"), made.stdout);
  const target = path.join(cwd, "it's typed");
  const manifest = JSON.parse(fs.readFileSync(path.join(target, 'package.json'), 'utf8'));
  t.is(manifest.scripts.check, 'tsc');
  t.deepEqual(Object.keys(manifest.devDependencies), ['@endo/far', 'ts-blank-space', 'typescript']);
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(target, 'node_modules'), 'dir');
  const check = () =>
    spawnSync(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc')], {
      cwd: target,
      encoding: 'utf8',
    });
  t.is(check().stdout, '');
  const file = path.join(target, 'bootstrap.ts');
  const source = fs.readFileSync(file, 'utf8');
  fs.writeFileSync(file, source.replaceAll('increment(1)', "increment('1')"));
  t.regex(check().stdout, /bootstrap\.ts\(\d+,\d+\): error TS2345: .*'string'/);
});

test('the server of the template answers through a vat, refuses unknown paths, and ends at a signal', async t => {
  const cwd = temporaryDirectory(t);
  t.is((await runCli(cwd, ['init', 'served'])).code, 0);
  const target = path.join(cwd, 'served');
  const { scripts } = JSON.parse(fs.readFileSync(path.join(target, 'package.json'), 'utf8'));
  t.is(scripts.serve, 'node server.js');
  fs.mkdirSync(path.join(target, 'node_modules'));
  fs.symlinkSync(root, path.join(target, 'node_modules/swingset-runner'), 'dir');
  const env = { ...process.env, PORT: '0' };
  const server = spawn(process.execPath, ['server.js'], { cwd: target, env });
  t.teardown(() => server.kill('SIGKILL'));
  let told = '';
  server.stderr.on('data', text => {
    told += text;
  });
  /** @type {string} */
  const url = await new Promise((resolve, reject) => {
    server.stdout.on('data', text => resolve(String(text).trim()));
    server.on('exit', () => reject(Error(told)));
  });
  const ask = async (/** @type {string} */ what, method = 'GET') => {
    const answer = await fetch(url + what, { method });
    return [answer.status, await answer.json()];
  };
  t.deepEqual(await ask('/increment/5', 'POST'), [200, { count: 6 }]);
  t.deepEqual(await ask('/count'), [200, { count: 6 }]);
  t.is((await ask('/nothing'))[0], 404);
  server.kill('SIGTERM');
  t.deepEqual(await once(server, 'exit'), [0, null]);
});

test('a directory that is not empty, a file, and an unknown template are refused', async t => {
  const cwd = temporaryDirectory(t);
  fs.mkdirSync(path.join(cwd, 'full'));
  fs.writeFileSync(path.join(cwd, 'full/mine.txt'), 'mine');
  fs.writeFileSync(path.join(cwd, 'file'), '');
  const full = await runCli(cwd, ['init', 'full']);
  t.is(full.code, 2);
  t.regex(full.stderr, /full" is not empty \("mine\.txt"\); name a directory that does not exist/);
  const file = await runCli(cwd, ['init', 'file']);
  t.is(file.code, 2);
  t.regex(file.stderr, /file" is a file; name a directory that does not exist yet/);
  const unknown = await runCli(cwd, ['init', 'x', '--template', 'contracts']);
  t.is(unknown.code, 2);
  t.regex(unknown.stderr, /there is no template "contracts"; .*; did you mean "contract"\?/);
  // `mkdirSync` with `recursive` never returns there on Node 20.
  if (process.platform === 'linux') {
    const nowhere = await runCli(cwd, ['init', '/proc/none/here']);
    t.is(nowhere.code, 1);
    t.regex(nowhere.stderr, /cannot write "\/proc\/none": ENOENT/);
  }
  t.deepEqual(fs.readdirSync(cwd).sort(), ['file', 'full']);
  t.deepEqual(fs.readdirSync(path.join(cwd, 'full')), ['mine.txt']);
});

test('npm create runs init', t => {
  const cwd = temporaryDirectory(t);
  const installed = path.join(cwd, 'node_modules');
  fs.mkdirSync(installed);
  fs.symlinkSync(root, path.join(installed, 'swingset-runner'), 'dir');
  fs.cpSync(path.join(root, 'packages/create'), path.join(installed, 'create-swingset-runner'), {
    recursive: true,
  });
  const script = path.join(installed, 'create-swingset-runner/index.js');
  const made = spawnSync(process.execPath, [script, 'new'], { cwd, encoding: 'utf8' });
  t.is(made.status, 0, made.stderr);
  t.true(fs.existsSync(path.join(cwd, 'new/bootstrap.js')));
  const again = spawnSync(process.execPath, [script, 'new'], { cwd, encoding: 'utf8' });
  t.is(again.status, 2);
});
