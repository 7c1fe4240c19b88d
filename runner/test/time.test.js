// The flags about time and endless runs: --until, --realtime, --max-cranks, --max-microsteps.

import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { runCli, temporaryDirectory, writeFiles } from './run-cli.js';

const quiet = ['--no-graphs', '--no-stats', '--vatlog', '-'];

/**
 * Write a folder `vats` with a timer and this body of bootstrap.
 *
 * @param {import('ava').ExecutionContext} t
 * @param {string} body
 */
const writeVats = (t, body) => {
  const cwd = temporaryDirectory(t);
  writeFiles(path.join(cwd, 'vats'), {
    'bootstrap.js': `import { E, Far } from '@endo/far';
      export const buildRootObject = () => Far('root', {
        async bootstrap(vats, devices) {
          const timer = await E(vats.timer).createTimerService(devices.timer);
          ${body}
        },
      });`,
    'swingset.json': JSON.stringify({
      bootstrap: 'bootstrap',
      vats: { bootstrap: { sourceSpec: 'bootstrap.js' } },
      devices: { timer: {} },
    }),
  });
  return cwd;
};

const repeater = `
  const ticker = Far('ticker', { wake(time) { console.log('tick', Number(time.absValue)); } });
  await E(timer).repeatAfter(1n, 1n, ticker);
`;

/** @param {string} cwd */
const readHash = cwd =>
  JSON.parse(fs.readFileSync(path.join(cwd, 'swingset-out/vats/report.json'), 'utf8')).activityHash;

test('--until ends an endless run, and a later --until continues it', async t => {
  const cwd = writeVats(t, repeater);
  const first = await runCli(cwd, ['vats', '--until', '2500 ms', ...quiet]);
  t.is(first.code, 0, first.stderr);
  t.regex(first.stdout, /^tick 1\ntick 2\nWritten to /);
  t.regex(
    first.stderr,
    /^logical time has reached --until 2\.5 s; next is device "timer", to be woken, at 3 s$/m,
  );
  t.regex(first.stderr, /^to go on, give a later --until and --resume$/m);
  const second = await runCli(cwd, ['vats', '--resume', '--until', '4s', ...quiet]);
  t.is(second.code, 0, second.stderr);
  t.regex(second.stdout, /^tick 3\ntick 4\nWritten to /);
  const hash = readHash(cwd);
  const through = await runCli(cwd, ['vats', '--memdb', '--until', '4 s', ...quiet]);
  t.is(through.code, 0, through.stderr);
  t.is(readHash(cwd), hash);
  const some = await runCli(cwd, ['batch', 'vats', '--init', '--until', '4 s']);
  t.regex(some.stderr, /^ran \d+ cranks; more is queued, after --until 4 s$/m);
});

test('--max-cranks and --max-microsteps end a run as failed, and say what would be next', async t => {
  const cwd = writeVats(t, repeater);
  const first = await runCli(cwd, ['vats', '--max-cranks', '40', ...quiet]);
  t.is(first.code, 1);
  t.regex(
    first.stderr,
    /^swingset-runner: --max-cranks 40: the run has done so many cranks and is not over; next is .*; to go on, give a larger number, and --resume if the state is not in memory$/m,
  );
  const second = await runCli(cwd, ['vats', '--resume', '--max-cranks', '45', ...quiet]);
  t.is(second.code, 1, second.stderr);

  const talk = writeVats(
    t,
    `const self = Far('self', { again: () => E(timer).delay(0n).then(self.again) });
     self.again();`,
  );
  const endless = await runCli(talk, ['vats', '--max-microsteps', '100', ...quiet]);
  t.is(endless.code, 1);
  t.regex(
    endless.stderr,
    /^swingset-runner: --max-microsteps 100: the instant at 0 ns has had so many microsteps and is not over; next is vat "(timer|bootstrap)", (method "delay"|to be told of promise kp\d+); /m,
  );
});

test('Ctrl-C while a run waits for physical time stops it, and it can go on', async t => {
  const cwd = writeVats(
    t,
    `console.log('waiting');
     await E(timer).delay(3600n);
     console.log('an hour later');`,
  );
  let isTold = false;
  const stopped = await runCli(cwd, ['vats', '--realtime', ...quiet], {
    onStdout(child, stdout) {
      if (isTold || !stdout.includes('waiting')) return;
      isTold = true;
      child.kill('SIGINT');
    },
  });
  t.is(stopped.code, 130, stopped.stderr);
  t.is(stopped.stdout, 'waiting\n');
  t.regex(stopped.stderr, /^go on with: .* vats --realtime .* --resume$/m);
  const resumed = await runCli(cwd, ['vats', '--resume', ...quiet]);
  t.is(resumed.code, 0, resumed.stderr);
  t.regex(resumed.stdout, /^an hour later\n/);
  const hash = readHash(cwd);
  await runCli(cwd, ['vats', '--memdb', ...quiet]);
  t.is(readHash(cwd), hash);
});

test('a malformed duration or number is reported', async t => {
  const cwd = writeVats(t, '');
  const until = await runCli(cwd, ['vats', '--until', '5']);
  t.is(until.code, 2);
  t.is(
    until.stderr,
    'swingset-runner: --until must be a duration like "10 s" or "1.5h", at most 104 days, got "5"\n',
  );
  const cranks = await runCli(cwd, ['vats', '--max-cranks', '0']);
  t.is(cranks.code, 2);
  t.is(cranks.stderr, 'swingset-runner: --max-cranks must be a whole number from 1, got 0\n');
});
