// docs/tutorial.md and docs/devices.md, step by step: their files are saved under the names that they give, and their
// commands are run.

import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

const root = join(import.meta.dirname, '..');

/** @param {string} name */
const readPage = name => fs.readFileSync(join(root, 'docs', name), 'utf8');

/** Saves what a page has, in a folder where the packages are installed. @param {string} folder @param {string} page */
const saveFiles = (folder, page) => {
  fs.mkdirSync(join(folder, 'node_modules'));
  fs.symlinkSync(root, join(folder, 'node_modules/swingset-runner'));
  fs.symlinkSync(join(root, 'node_modules/fastify'), join(folder, 'node_modules/fastify'));
  fs.writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const names = [];
  for (const [, name, text] of page.matchAll(
    /as `([\w./-]+)`[^\n]*\n\n```(?:javascript|json)\n(.*?)```/gs,
  )) {
    fs.mkdirSync(dirname(join(folder, name)), { recursive: true });
    fs.writeFileSync(join(folder, name), text);
    names.push(name);
  }
  return names;
};

test("the tutorial's files behave as described", async t => {
  t.timeout(120_000);
  const folder = temporaryDirectory(t);
  const page = readPage('tutorial.md');
  t.deepEqual(saveFiles(folder, page), [
    'vats/vat-bank.js',
    'vats/bootstrap.js',
    'main.js',
    'server.js',
    'bank.test.js',
  ]);
  // A test runner within this one must not report to it.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, PORT: '0' };
  const run = async (/** @type {string[]} */ ...args) =>
    (await promisify(execFile)(process.execPath, args, { cwd: folder, env })).stdout;

  const cli = join(root, 'runner/main.js');
  t.regex(await run(cli, 'vats', '--vatlog', '-', '--no-graphs'), /^welcome, ann$/m);
  t.is(await run('main.js'), '100n\ntrue nobody called eve has an account\n');
  t.regex(await run('--test'), /^(#|ℹ) pass 1$/m);

  const server = spawn(process.execPath, ['server.js'], { cwd: folder, env });
  t.teardown(() => server.kill('SIGKILL'));
  const [address] = await new Promise(resolve => {
    server.stdout.on('data', data => resolve(/http:\S+/.exec(String(data)) ?? []));
  });
  const ask = async (/** @type {string} */ owner) => {
    const answer = await fetch(`${address}/balance/${owner}`);
    return { status: answer.status, body: await answer.text() };
  };
  t.deepEqual(await ask('ann'), { status: 200, body: '{"owner":"ann","balance":"100"}' });
  t.true(page.includes('{"owner":"ann","balance":"100"}'));
  t.deepEqual(await ask('eve'), {
    status: 400,
    body: '{"error":"nobody called eve has an account"}',
  });
  const ended = new Promise(resolve => server.once('close', resolve));
  server.kill('SIGINT');
  t.is(await ended, 0);
});

test('the device of the guide is called, answers and hands out, as described', async t => {
  const folder = temporaryDirectory(t);
  const page = readPage('devices.md');
  t.deepEqual(saveFiles(folder, page), [
    'house/device-bell.js',
    'house/bootstrap.js',
    'house/swingset.json',
    'ring.js',
  ]);
  const [, prints] = /^\$ node ring\.js\n(.*?)^```/ms.exec(page) ?? [];
  const { stdout } = await promisify(execFile)(process.execPath, ['ring.js'], { cwd: folder });
  t.is(stdout, prints);
});
