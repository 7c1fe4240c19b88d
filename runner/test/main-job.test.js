// The command line, from the arguments to the files: the main job, and each command once.

import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { demosDir, runCli, temporaryDirectory } from './run-cli.js';

/** @param {string} file */
const readRows = file =>
  fs
    .readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => line.split('\t'));

/** @param {string} file */
const isPng = file => fs.readFileSync(file).subarray(1, 4).toString('latin1') === 'PNG';

test('demos/pingpong runs, reports, draws, and can be run twice', async t => {
  const cwd = temporaryDirectory(t);
  const ran = await runCli(cwd, ['demos/pingpong']);
  t.is(ran.code, 0, ran.stderr);
  t.regex(ran.stderr, /no directory "demos\/pingpong" here; running the demo of that name/);
  t.regex(ran.stderr, /^setup: 11 cranks in /m);
  t.regex(ran.stderr, /^rounds: 100 of 100 in /m);
  t.regex(ran.stdout, /^Stat +Value +Incs +Decs +MaxValue +PerCrank$/m);
  t.regex(ran.stdout, /^Stat +Delta +PerRound$/m);
  t.regex(ran.stdout, /^syscalls +1100 +11\.000$/m);
  t.regex(ran.stdout, /^Written to swingset-out\/pingpong:$/m);

  const out = path.join(cwd, 'swingset-out/pingpong');
  for (const kind of ['time', 'memory', 'disk']) t.true(isPng(path.join(out, `${kind}.png`)));
  const text = fs.readFileSync(path.join(out, 'report.txt'), 'utf8');
  t.true(ran.stdout.includes(text.slice(text.indexOf('711 cranks in all'))));
  t.regex(text, /^syscallExit +0 /m);
  t.notRegex(ran.stdout, /^syscallExit /m);
  t.regex(ran.stdout, /^\d+ counters stayed 0; --zeros shows all$/m);
  const all = await runCli(cwd, ['report', 'demos/pingpong', '--zeros']);
  t.is(all.stdout, text);
  const [header, ...rows] = readRows(path.join(out, 'stats-pingpong.tsv'));
  t.deepEqual(header.slice(0, 12), [
    ...['block', 'steps', 'btime', 'ctime'],
    ...['rss', 'heapTotal', 'heapUsed', 'external', 'disk', 'diskTables', 'diskStreams', 'diskLog'],
  ]);
  t.true(header.includes('clistEntriesMax'));
  t.is(rows.length, 101);
  t.true(rows.every((row, i) => row.length === header.length && row[0] === String(i + 1)));
  t.true(rows.every(row => row.every(cell => /^\d+$/.test(cell))));
  t.deepEqual(
    rows.map(row => row[1]),
    ['14', ...Array(100).fill('7')],
  );

  const again = await runCli(cwd, ['demos/pingpong', '--no-graphs', '--no-stats']);
  t.is(again.code, 0);
  t.is(readRows(path.join(out, 'stats-pingpong.tsv')).length, 102);
});

test('the report as JSON has every field, and report prints it again', async t => {
  const cwd = temporaryDirectory(t);
  const args = ['--memdb', '--benchmark', '3', '--statsfile', 'report.json', '--no-graphs'];
  const ran = await runCli(cwd, [...args, '--profile', '2020-09', path.join(demosDir, 'pingpong')]);
  t.is(ran.code, 0, ran.stderr);
  const report = JSON.parse(fs.readFileSync(path.join(cwd, 'report.json'), 'utf8'));
  t.deepEqual(Object.keys(report), [
    ...[
      'profile',
      'cranks',
      'controlCranks',
      'totalCranks',
      'ns',
      'clock',
      'counters',
      'benchmark',
    ],
    ...['bootstrapResult', 'activityHash', 'machine'],
  ]);
  t.is(report.profile, '2020-09');
  t.is(report.cranks, 11);
  t.is(report.totalCranks, 32);
  t.deepEqual(report.counters.kernelObjects, { value: 9, up: 9, down: 0, max: 9 });
  t.deepEqual(report.counters.runQueueLength, { value: 0, up: 11, max: 4 });
  t.deepEqual(report.counters.syscalls, { value: 17 });
  t.deepEqual(Object.keys(report.benchmark), [
    ...['rounds', 'cranks', 'ns', 'delta', 'perRound', 'results'],
  ]);
  t.is(report.benchmark.cranks, 21);
  t.is(report.benchmark.perRound.syscalls, 11);
  t.deepEqual(
    report.benchmark.results,
    Array(3).fill('fulfilled: {"body":"{\\"@qclass\\":\\"undefined\\"}","slots":[]}'),
  );
  t.regex(report.activityHash, /^[0-9a-f]{64}$/);
  t.true(report.ns >= report.benchmark.ns);

  const printed = await runCli(cwd, ['report', 'report.json']);
  t.true(ran.stdout.includes(printed.stdout));
});

test('a JSON report on standard output stands alone', async t => {
  const cwd = temporaryDirectory(t);
  const ran = await runCli(cwd, ['demos/justReply', '--memdb', '--no-graphs', '--statsfile', '-']);
  t.is(JSON.parse(ran.stdout).profile, 'current');
  t.regex(ran.stderr, /^Written to swingset-out\/justReply:$/m);
});

test('output of vats goes where flags direct it', async t => {
  const cwd = temporaryDirectory(t);
  const common = ['--memdb', '--benchmark', '1', '--no-stats', '--no-graphs', '--no-logall'];
  const demo = path.join(demosDir, 'pingpong');
  await runCli(cwd, [...common, '--vatlog', 'vats.log', '--verbose', demo]).then(ran => {
    t.regex(ran.stdout, /^vat bob: bob: ping "hey" from alice$/m);
  });
  const lines = fs.readFileSync(path.join(cwd, 'vats.log'), 'utf8');
  t.is(
    lines,
    [
      'bootstrap: alice says "alice has said hello"',
      'alice: I am talking to bob',
      'alice: ping "hey"',
      'bob: ping "hey" from alice',
      'alice: pong "hey" from bob',
      '',
    ].join('\n'),
  );
  const toStdout = await runCli(cwd, [...common, '--vatlog', '-', demo, '--', 'an argument']);
  t.true(toStdout.stdout.startsWith(lines));
});

test('step, batch and shell work on one state, and report reads it', async t => {
  const cwd = temporaryDirectory(t);
  const demo = path.join(demosDir, 'justReply');
  t.regex((await runCli(cwd, ['step', demo])).stderr, /^ran 1 crank; more is queued$/m);
  const shell = await runCli(cwd, ['shell', demo], {
    input: 'step\nblock 2\ncommit\nstp\nblock x\ndump\nrun\nhelp\nexit\n',
  });
  t.is(shell.code, 0, shell.stderr);
  t.regex(shell.stdout, /^1 crank\n2 cranks\ncommitted\n/);
  t.regex(shell.stdout, /^c-list of v1$/m);
  t.regex(shell.stdout, /^4 cranks, nothing is queued$/m);
  t.regex(shell.stdout, /^ {2}benchmark \[N\] +run N rounds/m);
  t.regex(shell.stderr, /^there is no command "stp"; did you mean step\?$/m);
  t.regex(shell.stderr, /^a whole number from 1 is needed, got "x"$/m);
  t.regex(shell.stderr, /^4 cranks since the last commit are lost$/m);
  const batch = await runCli(cwd, ['batch', demo, '--batchsize', '3', '--stats']);
  t.regex(batch.stderr, /^ran 3 cranks; more is queued$/m);
  t.regex((await runCli(cwd, ['batch', demo])).stderr, /^ran 1 crank; nothing is queued$/m);
  t.regex((await runCli(cwd, ['report', 'swingset-out/justReply'])).stdout, /^In 5 cranks:$/m);
});

test('graph draws stats files side by side', async t => {
  const cwd = temporaryDirectory(t);
  const demo = path.join(demosDir, 'pingpong');
  for (const tag of ['one', 'two']) {
    const flags = ['--memdb', '--benchmark', '5', '--no-graphs', '--outdir', '.', '--logtag', tag];
    await runCli(cwd, [demo, ...flags]);
  }
  const files = ['stats-one.tsv', 'stats-two.tsv'];
  const labels = ['--label', 'first', '--label', 'second'];
  const ran = await runCli(cwd, ['graph', 'time', ...files, ...labels, '-o', 'time.svg']);
  t.is(ran.code, 0, ran.stderr);
  t.is(ran.stdout, 'time.svg\n');
  const svg = fs.readFileSync(path.join(cwd, 'time.svg'), 'utf8');
  t.true(svg.includes('first') && svg.includes('second'));
});

test('each flag of a run has its effect', async t => {
  const cwd = temporaryDirectory(t);
  const demo = path.join(demosDir, 'pingpong');
  const flags = ['--no-blockmode', '--blocksize', '5', '--benchmark', '2', '--forcegc=crank'];
  const profiles = ['--cpu-profile-output', 'cpu.json', '--heap-profile-output', 'heap.json'];
  const log = ['--logtimes', '--logtag', 'times', '--no-graphs', '--outdir', 'out', '--no-stats'];
  const hash = ['--activityhash', '--dbdir', 'db'];
  const ran = await runCli(cwd, ['run', demo, ...flags, ...log, ...profiles, ...hash]);
  t.is(ran.code, 0, ran.stderr);
  t.regex(ran.stdout, /^activity hash: [0-9a-f]{64}$/m);
  t.deepEqual(
    readRows(path.join(cwd, 'out/stats-times.tsv')).map(([, steps, , ctime]) => [steps, ctime]),
    [['steps', 'ctime'], ...['5', '5', '4', '5', '2', '5', '2'].map(steps => [steps, '0'])],
  );
  for (const file of ['cpu.json', 'heap.json']) {
    t.notThrows(() => JSON.parse(fs.readFileSync(path.join(cwd, file), 'utf8')));
  }
  t.true(fs.existsSync(path.join(cwd, 'db/data.mdb')));
  t.false(fs.existsSync(path.join(cwd, 'out/state')));
});

test('--initonly makes a state that --resume runs', async t => {
  const cwd = temporaryDirectory(t);
  const demo = path.join(demosDir, 'pingpong');
  const made = await runCli(cwd, ['--initonly', '--profile', '2020-09', demo]);
  t.is(made.code, 0, made.stderr);
  t.regex(made.stderr, /go on with: node .*main\.js --profile 2020-09 .*pingpong --resume$/m);
  const rest = ['--benchmark', '1', '--no-graphs', '--no-stats'];
  const ran = await runCli(cwd, ['--resume', demo, ...rest]);
  t.is(ran.code, 0, ran.stderr);
  const printed = await runCli(cwd, ['report', 'swingset-out/pingpong/state']);
  t.regex(printed.stdout, /^18 cranks in all, profile 2020-09/m);
});

test('--indirect has a launcher make the vats, in each command that runs cranks', async t => {
  const cwd = temporaryDirectory(t);
  const demo = path.join(demosDir, 'pingpong');
  const args = [demo, '--indirect', '--no-graphs', '--benchmark', '3', '--vatlog', '-'];
  const ran = await runCli(cwd, args);
  t.is(ran.code, 0, ran.stderr);
  t.regex(ran.stderr, /^rounds: 3 of 3 in /m);
  t.is(ran.stdout.match(/pong "hey" from bob/g)?.length, 3);

  const resumed = await runCli(cwd, [demo, '--resume', '--no-graphs', '--benchmark', '5']);
  t.regex(resumed.stderr, /^rounds: 5 of 5 in /m);

  const dbdir = ['--dbdir', path.join(cwd, 'db')];
  const first = await runCli(cwd, ['batch', demo, '--indirect', ...dbdir, '--batchsize', '9']);
  t.regex(first.stderr, /^ran 9 cranks; more is queued$/m);
  const next = await runCli(cwd, ['step', demo, '--indirect', ...dbdir]);
  t.regex(next.stderr, /^ran 1 crank; more is queued$/m);

  const direct = ['--dbdir', path.join(cwd, 'other')];
  await runCli(cwd, ['step', demo, ...direct]);
  const wrong = await runCli(cwd, ['step', demo, '--indirect', ...direct]);
  t.is(wrong.code, 2);
  t.is(
    wrong.stderr,
    'swingset-runner: the state was made without --indirect; leave it out to resume, or start anew with --init\n',
  );
});
