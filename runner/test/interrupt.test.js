// Ctrl-C, and a killed process: in both cases a resumed run has the same result.

import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { resumeCommand } from '../session/settings.js';
import { demosDir, runCli, temporaryDirectory } from './run-cli.js';

const demo = path.join(demosDir, 'pingpong');
const quiet = ['--no-graphs', '--no-stats'];

/** @param {string} cwd */
const readReport = cwd =>
  JSON.parse(fs.readFileSync(path.join(cwd, 'swingset-out/pingpong/report.json'), 'utf8'));

/** @param {any} report  without fields that may differ */
const ofRun = ({ profile, cranks, totalCranks, counters, benchmark, activityHash }) => ({
  ...{ profile, cranks, totalCranks, counters, activityHash },
  ...{ rounds: benchmark.rounds, delta: benchmark.delta, results: benchmark.results },
});

test('Ctrl-C stops at a committed block and prints how to continue; a killed run resumes too', async t => {
  const cwd = temporaryDirectory(t);
  // Too many rounds to finish before the signal; the resumed run does fewer.
  const endless = ['--benchmark', '1000000', '--durability', 'none'];
  let told = false;
  const begin = (/** @type {NodeJS.Signals} */ signal) =>
    runCli(cwd, [demo, '--init', '--vatlog', 'vats.log', ...endless, ...quiet], {
      onStderr(child, stderr) {
        // Some rounds are committed when their progress is shown.
        if (told || !/round [2-9]\d* of/.test(stderr)) return;
        told = true;
        child.kill(signal);
      },
    });

  const stopped = await begin('SIGINT');
  t.is(stopped.code, 130);
  t.regex(stopped.stderr, /^stopping when the block is committed; Ctrl-C again ends at once$/m);
  t.regex(
    stopped.stderr,
    /^go on with: node .*pingpong --vatlog vats\.log --benchmark 1000000 .* --resume$/m,
  );

  const refused = await runCli(cwd, [demo, ...quiet]);
  t.is(refused.code, 2);
  const done = Number(/has done (\d+) of 1000000 rounds/.exec(refused.stderr)?.[1]);
  t.true(done > 0, refused.stderr);

  const rounds = String(done + 5);
  const resumed = await runCli(cwd, [demo, '--resume', '--benchmark', rounds, ...quiet]);
  t.is(resumed.code, 0, resumed.stderr);
  const report = readReport(cwd);
  t.is(report.benchmark.rounds, done + 5);

  const through = await runCli(cwd, [demo, '--memdb', '--benchmark', rounds, ...quiet]);
  t.is(through.code, 0, through.stderr);
  t.deepEqual(ofRun(report), ofRun(readReport(cwd)));

  told = false;
  const killed = await begin('SIGKILL');
  t.is(killed.signal, 'SIGKILL');
  const after = await runCli(cwd, [demo, ...quiet]);
  const left = Number(/has done (\d+) of 1000000 rounds/.exec(after.stderr)?.[1]);
  t.true(left > 0, after.stderr);
  await runCli(cwd, [demo, '--resume', '--benchmark', String(left + 2), ...quiet]);
  const again = readReport(cwd);
  await runCli(cwd, [demo, '--memdb', '--benchmark', String(left + 2), ...quiet]);
  t.deepEqual(ofRun(again), ofRun(readReport(cwd)));
  // Every block has its row, in order.
  const rows = fs
    .readFileSync(path.join(cwd, 'swingset-out/pingpong/stats-pingpong.tsv'), 'utf8')
    .trimEnd()
    .split('\n');
  t.is(rows.length, left + 4);
});

test('Ctrl-C while graphs are drawn says so, and what the run has come to', async t => {
  const cwd = temporaryDirectory(t);
  let isSent = false;
  const ran = await runCli(cwd, [demo, '--benchmark', '300'], {
    onStdout(child, stdout) {
      if (isSent || !stdout.includes('activity hash: ')) return;
      isSent = true;
      child.kill('SIGINT');
    },
  });
  t.is(ran.code, 130, ran.stderr);
  t.regex(ran.stderr, /^ended by SIGINT while its files were written; the run is complete, and /m);
  const { code, stdout } = await runCli(cwd, ['report', demo]);
  t.is(code, 0);
  t.regex(stdout, /over 300 rounds/);
});

test('report shows the current run, not the one that it replaced', async t => {
  const cwd = temporaryDirectory(t);
  const whole = await runCli(cwd, [demo, '--benchmark', '3']);
  t.is(whole.code, 0, whole.stderr);
  const out = path.join(cwd, 'swingset-out/pingpong');
  const stopped = await runCli(cwd, [demo, '--max-cranks', '30', '--no-graphs']);
  t.is(stopped.code, 1, stopped.stderr);
  t.deepEqual(
    fs
      .readdirSync(out)
      .filter(name => !name.startsWith('.'))
      .sort(),
    ['state', 'stats-pingpong.tsv'],
  );
  const { stdout } = await runCli(cwd, ['report', demo]);
  t.regex(stdout, /^27 cranks in all, 3 control cranks aside, /m);
});

test('the command to continue is the one that was typed', t => {
  const typed = (/** @type {string} */ script, /** @type {NodeJS.ProcessEnv} */ env) =>
    resumeCommand(['node', script, '--init', 'my vats', '--', 'x'], env);
  const env = { PATH: '/usr/bin:/opt/bin' };
  t.is(typed('/opt/bin/swingset-runner', env), "swingset-runner 'my vats' --resume");
  const installed = path.resolve('node_modules/.bin/swingset-runner');
  t.is(typed(installed, env), "node_modules/.bin/swingset-runner 'my vats' --resume");
  t.is(typed(installed, { ...env, npm_command: 'exec' }), "npx swingset-runner 'my vats' --resume");
  t.is(typed(path.resolve('runner/main.js'), env), "node runner/main.js 'my vats' --resume");
  t.is(
    resumeCommand(['node', '/opt/bin/swingset-runner', "it's\n7\\"], env),
    "swingset-runner $'it\\047s\\0127\\134' --resume",
  );
});

test('two runs do not write into one folder at once, and the second one is told so', async t => {
  const cwd = temporaryDirectory(t);
  /** @type {ReturnType<typeof runCli> | undefined} */
  let second;
  const first = await runCli(cwd, [demo, '--memdb', '--benchmark', '1000000'], {
    onStderr(child, stderr) {
      if (second !== undefined || !/round [2-9]\d* of/.test(stderr)) return;
      second = runCli(cwd, [demo, '--memdb', '--benchmark', '3']);
      void second.then(() => child.kill('SIGINT'));
    },
  });
  t.is(first.code, 130, first.stderr);
  const refused = await second;
  t.is(refused?.code, 2);
  t.regex(
    String(refused?.stderr),
    /^swingset-runner: swingset-out\/pingpong: the run of process \d+ writes its files into this directory; wait for it to end, or choose another with --outdir$/m,
  );
  const third = await runCli(cwd, [demo, '--memdb', '--benchmark', '3']);
  t.is(third.code, 0, third.stderr);
});
