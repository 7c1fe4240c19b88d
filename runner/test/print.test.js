// All output of the runner goes through print.js.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { mainFile, temporaryDirectory } from './run-cli.js';

const root = path.join(import.meta.dirname, '..');

/**
 * Files that write directly. They escape in the same way, except main.js: it reports a Node that is
 * too old to load print.js, and prints only versions.
 */
const writers = ['main.js', 'print.js', path.join('session', 'vat-log.js')];

test('no other file of the runner writes to standard output or standard error', t => {
  const files = fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.js') && !/^(test|templates)\b/.test(file));
  t.true(files.length > 20);
  const others = files.filter(
    file =>
      !writers.includes(file) &&
      /process\.std(out|err)\.write|console\.(log|error|warn)/.test(
        fs.readFileSync(path.join(root, file), 'utf8'),
      ),
  );
  t.deepEqual(others, []);
});

const fullDisk = '/dev/full';

(fs.existsSync(fullDisk) ? test : test.skip)(
  'a standard output that is full is one line, a standard error that is full changes nothing',
  t => {
    const cwd = temporaryDirectory(t);
    const full = fs.openSync(fullDisk, 'w');
    t.teardown(() => fs.closeSync(full));
    /** @param {string[]} args @param {import('node:child_process').StdioOptions} stdio */
    const run = (args, stdio) =>
      spawnSync(process.execPath, [mainFile, ...args], { cwd, stdio, encoding: 'utf8' });
    for (const args of [
      ['init', 'my-vats'],
      ['completion', 'bash'],
      ['run', 'my-vats', '--memdb'],
    ]) {
      const { status, stderr } = run(args, ['ignore', full, 'pipe']);
      t.is(status, 1, args[0]);
      const lines = stderr.split('\n').filter(line => /ENOSPC|^ +at /.test(line));
      t.deepEqual(lines, ['swingset-runner: standard output cannot be written (ENOSPC)'], args[0]);
    }
    const args = ['run', 'my-vats', '--memdb', '--activityhash', '--no-stats', '--no-graphs'];
    const { status, stdout } = run(args, ['ignore', 'pipe', full]);
    t.is(status, 0);
    t.regex(stdout, /^activity hash: [0-9a-f]{64}$/m);
  },
);

test('a reader of JSON that closes its pipe ends the command without an error', t => {
  const cwd = temporaryDirectory(t);
  const command = '"$0" "$1" run demos/pingpong --benchmark 300 --memdb --no-graphs --quiet';
  const { stderr } = spawnSync(
    '/bin/sh',
    [
      '-c',
      `${command} --slog p.slog; "$0" "$1" slog p.slog --json | head -1`,
      process.execPath,
      mainFile,
    ],
    { cwd, encoding: 'utf8' },
  );
  t.notRegex(stderr, /EPIPE/);
});
