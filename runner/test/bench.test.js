import fs from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { runCli, temporaryDirectory } from './run-cli.js';

test('bench ipc prints the table, and leaves text, Markdown, JSON and pictures', async t => {
  const cwd = temporaryDirectory(t);
  const args = ['bench', 'ipc', '--calls', '1000', '--parallel', '--cores', '1', '--dir', '.'];
  const { code, stdout, stderr } = await runCli(cwd, args);
  t.is(code, 0, stderr);
  t.regex(stdout, /^Platform +Processor +Intra +Inter +Syscall$/m);
  t.regex(stdout, /^this machine, /m);
  t.regex(stdout, /^In parallel$/m);
  t.regex(stderr, /all results are in swingset-out\/bench-ipc\n$/);
  const dir = join(cwd, 'swingset-out/bench-ipc');
  const files = ['ipc.json', 'ipc.md', 'ipc.png', 'ipc.txt', 'parallel.png'];
  t.deepEqual(fs.readdirSync(dir).sort(), files);
  t.is(fs.readFileSync(join(dir, 'ipc.txt'), 'utf8'), stdout);
  const result = JSON.parse(fs.readFileSync(join(dir, 'ipc.json'), 'utf8'));
  t.is(result.suite, 'ipc');
  t.is(result.published.length, 11);
  t.is(result.parallel.rows.length, 3);
  // The database that was measured is gone.
  t.deepEqual(fs.readdirSync(cwd), ['swingset-out']);
});

test('bench ipc --format json prints JSON alone', async t => {
  const cwd = temporaryDirectory(t);
  const args = ['bench', 'ipc', '--calls', '1000', '--no-graphs', '--format', 'json'];
  const { stdout } = await runCli(cwd, [...args, '--outdir', 'here']);
  t.is(JSON.parse(stdout).suite, 'ipc');
  t.deepEqual(fs.readdirSync(join(cwd, 'here')).sort(), ['ipc.json', 'ipc.md', 'ipc.txt']);
});

test('bench savina prints the table, and leaves text, Markdown, rows and pictures', async t => {
  const cwd = temporaryDirectory(t);
  const args = ['bench', 'savina', '--only', 'threadring,fjcreate', '--iterations', '3'];
  const { code, stdout, stderr } = await runCli(cwd, args);
  t.is(code, 0, stderr);
  t.regex(stdout, /^Thread Ring +library +1 /m);
  t.regex(stdout, /^Akka 2.6: geometric mean of 1 /m);
  const dir = join(cwd, 'swingset-out/bench-savina');
  const files = ['html', 'json', 'md', 'png', 'svg', 'txt'].map(ending => `savina.${ending}`);
  t.deepEqual(fs.readdirSync(dir).sort(), files);
  t.is(fs.readFileSync(join(dir, 'savina.txt'), 'utf8'), stdout);
  const { rows, plain, failed } = JSON.parse(fs.readFileSync(join(dir, 'savina.json'), 'utf8'));
  t.deepEqual(failed, []);
  t.deepEqual(
    rows.map((/** @type {any} */ { id, n, result }) => [id, n, result]),
    [
      ['fjcreate', 1, '40000 workers'],
      ['threadring', 1, '100000 hops, the last one to member 0'],
    ],
  );
  t.is(Object.keys(plain).length, 4);
});

for (const [what, args, message] of /** @type {[string, string[], RegExp][]} */ ([
  [
    'a suite that is not there',
    ['nothing'],
    /there is no benchmark "nothing"; there are snapshot, ipc and savina/,
  ],
  ['no suite', [], /./],
  ['too few calls', ['ipc', '--calls', '10'], /--calls must be a whole number from 1000, got 10/],
  ['a core that is none', ['ipc', '--core', 'x'], /--core must be a whole number from 0, got x/],
  ['a flag of the other', ['ipc', '--demo', 'swap'], /--demo is a flag of bench snapshot/],
  ['another', ['snapshot', '--parallel'], /--parallel is a flag of bench ipc/],
  [
    'a flag of the others',
    ['savina', '--calls', '1000'],
    /--calls is a flag of bench ipc; bench savina/,
  ],
  ['its flag elsewhere', ['ipc', '--only', 'fib'], /--only is a flag of bench savina; bench ipc/],
  [
    'a program that is not there',
    ['savina', '--only', 'pingpang'],
    /--only "pingpang": there is no program of that name; did you mean "pingpong"\?/,
  ],
  [
    'too many threads',
    ['savina', '--mode', 'vats', '--threads', '2,66'],
    /--threads 66: a run has at most 65 threads/,
  ],
  ['no thread', ['savina', '--threads', '0'], /--threads must be a whole number from 1, got 0/],
  [
    'threads of a library',
    ['savina', '--threads', '1,2'],
    /--threads 2: a library program has one thread; add --mode vats/,
  ],
  [
    'too few iterations',
    ['savina', '--iterations', '2'],
    /--iterations must be a whole number from 3/,
  ],
  ['a core that does not exist', ['ipc', '--core', '4000'], /core/],
  [
    'a directory that does not exist',
    ['ipc', '--dir', 'no/where'],
    /--dir "no\/where": cannot make a database there \(ENOENT\)/,
  ],
])) {
  test(`bench: ${what} is reported in one line`, async t => {
    const { code, stdout, stderr } = await runCli(temporaryDirectory(t), ['bench', ...args]);
    t.is(code, 2, stderr);
    t.is(stdout, '');
    t.regex(stderr, message);
    t.is(stderr.trim().split('\n').length, 1, stderr);
  });
}

test('--logcycles adds columns and a graph, or says in one line why not', async t => {
  const cwd = temporaryDirectory(t);
  const args = ['pingpong', '--memdb', '--benchmark', '2', '--logcycles'];
  const { code, stdout, stderr } = await runCli(cwd, args);
  t.is(code, 0, stderr);
  const [header, row] = fs
    .readFileSync(join(cwd, 'swingset-out/pingpong/stats-pingpong.tsv'), 'utf8')
    .split('\n')
    .map(line => line.split('\t'));
  const hasCycles = header.includes('cycles');
  t.is(/--logcycles: cycles are not counted here: \w/.test(stderr), !hasCycles);
  t.is(/\bcycles\.png/.test(stdout), hasCycles);
  // Beside the usual ones.
  t.deepEqual(header.slice(0, 4), ['block', 'steps', 'btime', 'ctime']);
  t.true(header.includes('rss') && header.includes('syscalls'));
  if (hasCycles) t.true(Number(row[header.indexOf('cycles')]) > 1_000);
});
