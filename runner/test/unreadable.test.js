// Files and directories that may not be read, and paths that lead nowhere: one line names each, and
// what is wrong with it.

import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { runCli, temporaryDirectory, vat, writeFiles } from './run-cli.js';

/** Root may read everything; then somebody else tries. */
const user = process.getuid?.() === 0 ? { uid: 65534 } : {};

const may = await runCli('/', ['--version'], user).then(
  ({ code }) => code === 0,
  () => false,
);

/** @param {import('ava').ExecutionContext} t */
const makePaths = t => {
  const cwd = temporaryDirectory(t);
  fs.chmodSync(cwd, 0o755);
  for (const folder of ['closed', 'program'])
    writeFiles(path.join(cwd, folder), { 'bootstrap.js': vat('bootstrap() {}') });
  writeFiles(cwd, { secret: 'block\t', file: '' });
  fs.symlinkSync('loop', path.join(cwd, 'loop'));
  fs.chmodSync(path.join(cwd, 'secret'), 0);
  fs.chmodSync(path.join(cwd, 'closed'), 0);
  t.teardown(() => fs.chmodSync(path.join(cwd, 'closed'), 0o700));
  return cwd;
};

const long = 'n'.repeat(300);

const forbidden = 'you have no permission for it; have it given to you, or name another (EACCES)';
const circle = 'its symbolic links lead in a circle; name another (ELOOP)';
const tooLong = 'a name in this path, or the path, is too long; name a shorter one (ENAMETOOLONG)';
const noFolder = 'a part of this path is a file and no directory; name another (ENOTDIR)';

/** @type {[string[], string][]} */
const commands = [
  [['closed', '--memdb'], `closed: ${forbidden}`],
  [['run', 'closed/x', '--memdb'], `closed/x: ${forbidden}`],
  [['run', 'loop', '--memdb'], `loop: ${circle}`],
  [['--config', 'closed/x.json', '--memdb'], `closed/x.json: ${forbidden}`],
  [['diagram', 'closed', '-o', 'a.svg'], `closed: ${forbidden}`],
  [['diagram', 'loop', '-o', 'a.svg'], `loop: ${circle}`],
  [['diagram', long, '-o', 'a.svg'], `${long}: ${tooLong}`],
  [['compare', 'secret', 'program'], `secret: ${forbidden}`],
  [['dump', 'closed'], `closed/data.mdb: ${forbidden}`],
  [['report', 'secret'], `secret: ${forbidden}`],
  [['report', '--growth', 'closed'], `closed/data.mdb: ${forbidden}`],
  [['report', '--parallelism', 'closed'], `closed: ${forbidden}`],
  [['init', 'closed'], `./closed: ${forbidden}`],
  [['init', 'file/x'], `./file/x: ${noFolder}`],
  [['init', 'loop'], `./loop: ${circle}`],
];

(may ? test : test.skip)('paths that may not be read are named, with the reason', async t => {
  const cwd = makePaths(t);
  for (const [args, line] of commands) {
    const { code, stderr } = await runCli(cwd, args, user);
    t.is(stderr.replaceAll(`${cwd}/`, './'), `swingset-runner: ${line}\n`, args.join(' '));
    t.is(code, 2, args.join(' '));
  }
});

(may ? test : test.skip)('a place that may not be written is not called full', async t => {
  const cwd = makePaths(t);
  const made = await runCli(cwd, ['step', 'program']);
  t.is(made.code, 0, made.stderr);
  t.regex(made.stdout + made.stderr, /ran 1 crank; /);
  for (const [args, line] of /** @type {[string[], RegExp][]} */ ([
    [
      ['program', '--memdb', '--no-graphs', '--outdir', 'closed'],
      /^swingset-runner: closed: a run cannot write its files there \(EACCES\); choose another place with --outdir\n$/,
    ],
    [
      ['export', 'closed/x.state', 'program'],
      /^swingset-runner: closed\/x\.state: you have no permission for it; .* \(EACCES\)\n$/,
    ],
  ])) {
    const { code, stderr } = await runCli(cwd, args, user);
    t.regex(stderr, line, args.join(' '));
    t.is(code, 1, args.join(' '));
  }
  const { stdout } = await runCli(cwd, ['audit', 'program']);
  t.regex(stdout, /: 1 crank, everything adds up\n$/);
});

test('a device is not read, since it may have no end', async t => {
  const cwd = temporaryDirectory(t);
  for (const args of [
    ['report', '/dev/zero'],
    ['report', '--growth', '/dev/zero'],
    ['report', '--parallelism', '/dev/zero'],
    ['graph', 'time', '/dev/zero', '-o', 'time.svg'],
    ['slog', '/dev/zero'],
  ]) {
    const { code, stderr } = await runCli(cwd, args);
    t.is(
      stderr,
      'swingset-runner: /dev/zero: it is a device, whose bytes may never end; name a file\n',
      args.join(' '),
    );
    t.is(code, 2, args.join(' '));
  }
});

test('a current directory that was deleted is named as the reason', async t => {
  const cwd = temporaryDirectory(t);
  writeFiles(path.join(cwd, 'program'), { 'bootstrap.js': vat('bootstrap() {}') });
  const shell = ['mkdir gone; cd gone; rmdir ../gone'];
  const line = 'the current directory was deleted; change to one that exists (ENOENT)';
  for (const args of [
    ['run', 'program'],
    ['run', path.join(cwd, 'program'), '--memdb'],
    ['--help'],
  ]) {
    const { code, stderr } = await runCli(cwd, args, { shell });
    t.is(stderr, `swingset-runner: ${line}\n`, args.join(' '));
    t.is(code, 2, args.join(' '));
  }
  const { stdout } = await runCli(cwd, ['run', 'program', '--json'], { shell });
  t.deepEqual(JSON.parse(stdout), { error: { message: line, exitCode: 2 } });
});
