// Looking inside a run: --slog, --dump, --audit, and the commands dump and audit.

import fs from 'node:fs';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { openLmdbStore } from '#store';
import { runCli } from './run-cli.js';

const makeFolder = () => mkdtempSync(join(tmpdir(), 'inside-'));

const quiet = ['--no-stats', '--no-graphs', '--no-logall'];

/** A slog without what differs from run to run. @param {string} file */
const readSlog = file =>
  fs
    .readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => {
      const { ns: _ns, vatNs: _vatNs, time: _time, ...rest } = JSON.parse(line);
      return rest;
    });

test('two runs have the same slog but for the times, in memory and LMDB, whatever the blocks', async t => {
  const cwd = makeFolder();
  /** @type {[string, string[]][]} */
  const ways = [
    ['a', ['--memdb']],
    ['b', ['--blocksize', '3']],
    ['c', ['--init', '--no-blockmode']],
  ];
  for (const [name, flags] of ways) {
    const args = ['demos/pingpong', '--benchmark', '3', ...quiet, '--slog', name, ...flags];
    t.is((await runCli(cwd, args)).code, 0);
  }
  const [a, b, c] = ways.map(([name]) => readSlog(join(cwd, name)));
  const isCrank = (/** @type {{ type: string }} */ { type }) => type !== 'commit';
  t.deepEqual(a.filter(isCrank), b.filter(isCrank));
  t.deepEqual(a.filter(isCrank), c.filter(isCrank));
  t.is(a.filter(({ type }) => type === 'crank').length, 14 + 3 * 7);
  t.true(b.filter(({ type }) => type === 'commit').length > 10);
  const syscalls = a.flatMap(line => line.syscalls ?? []);
  const sends = syscalls.filter((/** @type {string[]} */ [kind]) => kind === 'send');
  t.true(sends.length > 9);
  t.true(
    sends.every((/** @type {string[]} */ [, target]) => /^k[op]\d+ [op][-+]\d+$/.test(target)),
  );
});

test('--dump writes a dump after each crank, --audit looks at each, and both commands read what is left', async t => {
  const cwd = makeFolder();
  const flags = ['--dump', '--dumpdir', 'dumps', '--dumptag', 'X', '--raw', '--audit'];
  const run = await runCli(cwd, ['demos/justReply', ...quiet, ...flags]);
  t.is(run.code, 0, run.stderr);
  const names = fs.readdirSync(join(cwd, 'dumps'));
  t.deepEqual(
    names,
    names.map((_, i) => `dump.X${String(i + 1).padStart(7, '0')}`),
  );
  t.is(names.length, 8);

  const raw = await runCli(cwd, ['dump', 'justReply', '--raw']);
  t.is(raw.code, 0, raw.stderr);
  const last = fs.readFileSync(join(cwd, 'dumps', names[7]), 'utf8');
  const isHost = (/** @type {string} */ line) => line.startsWith('host.');
  t.deepEqual(
    raw.stdout.split('\n').filter(line => !isHost(line)),
    last.split('\n').filter(line => !isHost(line)),
    'the last crank is what the database has',
  );
  const shown = await runCli(cwd, ['dump', 'swingset-out/justReply']);
  t.regex(
    shown.stdout,
    /^profile current, 8 cranks, 3 of them control cranks\nvats\n {2}v1 alice\n/,
  );

  const audited = await runCli(cwd, ['audit', 'swingset-out/justReply/state']);
  t.is(audited.code, 0);
  t.is(audited.stdout, 'swingset-out/justReply/state: 8 cranks, everything adds up\n');
});

test('an audit names what does not add up, and fails', async t => {
  const cwd = makeFolder();
  await runCli(cwd, ['demos/justReply', ...quiet]);
  const dir = join(cwd, 'swingset-out/justReply/state');
  const store = openLmdbStore({ dir, durability: 'none', create: false });
  store.commit({
    puts: new Map([['c.v1.o-77', 'ko20']]),
    appends: new Map(),
    dropStreams: [],
  });
  await store.close();
  const { code, stderr } = await runCli(cwd, ['audit', 'justReply']);
  t.is(code, 1);
  t.regex(stderr, /the audit of swingset-out\/justReply\/state finds:\n/);
  t.regex(stderr, /c-list of v1: o-77 was allocated/);
});

test('what cannot be written or is not there is one line, and leaves the state as it is', async t => {
  const cwd = makeFolder();
  fs.writeFileSync(join(cwd, 'file'), '');
  /** @type {[string[], RegExp, number][]} */
  const mistakes = [
    [['dump', 'nowhere'], /there is no database in "nowhere"/, 2],
    [['audit', 'nowhere'], /there is no database in "nowhere"/, 2],
    [['demos/justReply', '--slog', 'no/such/folder'], /--slog cannot be written: ENOENT/, 2],
    [['demos/justReply', '--dump', '--dumpdir', 'file'], /--dumpdir cannot be used: EEXIST/, 2],
    [['demos/justReply', '--dump', '--dumptag', 'a/b'], /--dumptag is a part of a file's name/, 2],
  ];
  for (const [args, says, code] of mistakes) {
    const found = await runCli(cwd, args);
    t.is(found.code, code, found.stderr);
    t.regex(found.stderr, says);
    t.false(found.stderr.includes('    at '), 'no stack');
  }
});
