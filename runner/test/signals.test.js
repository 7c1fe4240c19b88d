// Ctrl-C and SIGTERM during a crank that never ends: the process ends by itself and names the vat,
// and the state is that of the last committed block.

import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { signalExitCodes } from '../session/signal-codes.js';
import { runCli, temporaryDirectory, vat, writeFiles } from './run-cli.js';

const onLinux = process.platform === 'linux' ? test : test.skip;

/**
 * Methods that never end. The line names the method if the engine can be interrupted in it. Both
 * signals are handled by the same code, so one of them is enough for most.
 *
 * @type {Record<string, { code: string, isNamed: boolean, signals: ('SIGINT' | 'SIGTERM')[] }>}
 */
const endless = {
  'a loop': { code: 'for (;;);', isNamed: true, signals: ['SIGINT', 'SIGTERM'] },
  'a loop that catches everything': {
    code: 'for (;;) { try { null.x; } catch {} finally { continue; } }',
    isNamed: true,
    signals: ['SIGTERM'],
  },
  'a loop of promise jobs': {
    code: 'const again = () => Promise.resolve().then(again); again();',
    isNamed: true,
    signals: ['SIGINT'],
  },
  'an async function': {
    code: '(async () => { for (;;) await null; })();',
    isNamed: true,
    signals: ['SIGTERM'],
  },
  'a regular expression': {
    code: "/^(a+)+$/.test('a'.repeat(60) + 'b');",
    isNamed: true,
    signals: ['SIGINT'],
  },
  'a sort whose order never settles': {
    code: 'for (;;) [3, 1, 2].sort(() => 1);',
    isNamed: true,
    signals: ['SIGTERM'],
  },
  'a function of the engine': {
    code: 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);',
    isNamed: false,
    signals: ['SIGINT'],
  },
};

const bootstrap = vat(`
  bootstrap(vats) { this_.vats = vats; },
  runBenchmarkRound() { this_.n += 1; return E(this_.vats.alice).work(this_.n); },
`).replace('export const', 'const this_ = { n: 0 };\nexport const');

/** @param {string} text */
const findHash = text => /activity hash: (\w+)/.exec(text)?.[1];

for (const [what, { code, isNamed, signals }] of Object.entries(endless)) {
  for (const signal of signals) {
    onLinux(`${signal} ends ${what} in a later round, and the state is whole`, async t => {
      const cwd = temporaryDirectory(t);
      const dir = writeFiles(path.join(cwd, 'vats'), {
        'bootstrap.js': bootstrap,
        'vat-alice.js': vat(`
          work(n) {
            if (n < 5) return n;
            console.log('now');
            ${code}
          },
        `),
      });
      const quiet = ['--no-graphs', '--no-stats', '--activityhash'];
      let sent = false;
      const ran = await runCli(cwd, [dir, '--init', '--benchmark', '9', '--verbose', ...quiet], {
        onStdout(child, stdout) {
          if (sent || !stdout.includes('vat alice: now')) return;
          sent = true;
          child.kill(signal);
        },
      });
      t.is(ran.code, signal === 'SIGINT' ? 130 : 143, ran.stderr);
      const lines = ran.stderr.split('\n').filter(line => line.startsWith('swingset-runner: '));
      t.is(lines.length, 1, ran.stderr);
      t.regex(
        lines[0],
        isNamed
          ? new RegExp(
              `^swingset-runner: ended by ${signal} in a crank of vat alice, work\\(\\), which has been running for \\d+\\.\\d s; the state is that of the last committed block$`,
            )
          : new RegExp(
              `^swingset-runner: ended by ${signal} in a crank of vat alice, which did not come to a place where it could be interrupted for a second$`,
            ),
      );
      const resumed = await runCli(cwd, [dir, '--resume', '--benchmark', '4', ...quiet]);
      t.is(resumed.code, 0, resumed.stderr);
      const through = await runCli(cwd, [dir, '--memdb', '--benchmark', '4', ...quiet]);
      t.is(findHash(resumed.stdout), findHash(through.stdout));
      t.truthy(findHash(resumed.stdout));
    });
  }
}

onLinux('SIGHUP ends a loop as the system does', async t => {
  const cwd = temporaryDirectory(t);
  const dir = writeFiles(path.join(cwd, 'vats'), {
    'bootstrap.js': vat("bootstrap() { console.log('now'); for (;;); }"),
  });
  const ran = await runCli(cwd, [dir, '--memdb', '--verbose'], {
    onStdout: (child, stdout) => void (stdout.includes('now') && child.kill('SIGHUP')),
  });
  t.is(ran.signal, 'SIGHUP', ran.stderr);
});

onLinux('SIGINT ends a loop in bootstrap(), in memory', async t => {
  const cwd = temporaryDirectory(t);
  const dir = writeFiles(path.join(cwd, 'vats'), {
    'bootstrap.js': vat("bootstrap() { console.log('now'); for (;;); }"),
  });
  const ran = await runCli(cwd, [dir, '--memdb', '--verbose'], {
    onStdout: (child, stdout) => void (stdout.includes('now') && child.kill('SIGINT')),
  });
  t.is(ran.code, 130, ran.stderr);
  t.regex(ran.stderr, /ended by SIGINT in a crank of vat bootstrap, bootstrap\(\), /);
});

onLinux('SIGTERM ends a reaction that never returns', async t => {
  const cwd = temporaryDirectory(t);
  const dir = writeFiles(path.join(cwd, 'vats'), {
    'bootstrap.js': `import { Reactor } from 'swingset-runner/reactor';
class Main extends Reactor {
  tick = this.timer(0, 1_000_000);
  count = 0;
  loop = this.reaction({ triggers: this.tick }, () => {
    this.count += 1;
    if (this.count < 5) return;
    console.log('now');
    for (;;);
  });
}
export const buildReactor = () => new Main();`,
  });
  const ran = await runCli(cwd, [dir, '--memdb', '--verbose'], {
    onStdout: (child, stdout) => void (stdout.includes('now') && child.kill('SIGTERM')),
  });
  t.is(ran.code, 143, ran.stderr);
  t.regex(ran.stderr, /ended by SIGTERM in a crank of vat bootstrap, its reactions, /);
});

/** Where vats run beside the kernel's thread: their options, and flags of the run. */
const besides = [
  { limits: undefined, flags: ['--workers', '1'] },
  { limits: { crankMs: 500 }, flags: [] },
];

for (const { limits, flags } of besides) {
  const options = limits === undefined ? '--workers' : 'crankMs';
  for (const [what, code] of [
    ['a loop', 'for (;;);'],
    ['a function of the engine', 'Array.prototype.lastIndexOf.call({ length: 2 ** 53 - 1 }, 1);'],
  ]) {
    // The limit ends the vat of the loop.
    if (limits !== undefined && code.startsWith('for')) continue;
    onLinux(`one SIGTERM ends ${what} on a thread of ${options}`, async t => {
      const cwd = temporaryDirectory(t);
      const dir = writeFiles(path.join(cwd, 'vats'), {
        'swingset.json': JSON.stringify({
          bootstrap: 'bootstrap',
          vats: {
            bootstrap: { sourceSpec: './bootstrap.js' },
            alice: { sourceSpec: './vat-alice.js', creationOptions: { ...(limits && { limits }) } },
          },
        }),
        'bootstrap.js': vat(
          "bootstrap(vats) { E(vats.alice).ready().then(() => { console.log('now'); E(vats.alice).work(); }); }",
        ),
        'vat-alice.js': vat(`ready() {}, work() { ${code} },`),
      });
      let sent = false;
      const ran = await runCli(cwd, [dir, '--memdb', '--verbose', '--no-graphs', ...flags], {
        onStdout(child, stdout) {
          if (sent || !stdout.includes('now')) return;
          sent = true;
          // Late enough for the crank, and for its limit.
          setTimeout(() => child.kill('SIGTERM'), 1_500);
        },
      });
      t.is(ran.signal ?? ran.code, 143, ran.stderr);
      t.regex(ran.stderr, /^swingset-runner: ended by SIGTERM in a crank of vat alice, /m);
    });
  }
}

onLinux("a method's name is escaped so that it cannot forge a line", async t => {
  const cwd = temporaryDirectory(t);
  const dir = writeFiles(path.join(cwd, 'vats'), {
    'bootstrap.js': vat(
      `bootstrap(vats) { E(vats.alice)['a\\u001b[2K\\r\\nswingset-runner: all is well' + 'x'.repeat(100_000)](); }`,
    ),
    'vat-alice.js': `import { Far } from '@endo/far';
export const buildRootObject = () => Far('root', {
  ['a\\u001b[2K\\r\\nswingset-runner: all is well' + 'x'.repeat(100_000)]() { console.log('now'); for (;;); },
});`,
  });
  const ran = await runCli(cwd, [dir, '--memdb', '--verbose'], {
    onStdout: (child, stdout) => void (stdout.includes('now') && child.kill('SIGINT')),
  });
  t.is(ran.code, 130, ran.stderr.slice(0, 1000));
  const lines = ran.stderr.split('\n').filter(line => line.includes('ended by'));
  t.is(lines.length, 1);
  t.regex(
    lines[0],
    /vat alice, a\\u001B\[2K\\r\\nswingset-runner: all is wellx+… \d+ more characters, which/,
  );
  t.true(lines[0].length < 600);
});

onLinux('a built-in function that takes seconds is reported and does not end the run', async t => {
  const file = path.join(import.meta.dirname, 'long-builtin.js');
  // Not spawnSync: this process must answer what the other tests' commands print.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file]);
  t.is(stdout, 'not stopped\n', stderr);
  t.regex(stderr, /^swingset-runner: a crank of vat bob has been running for 0\.\d s\n$/);
});

for (const signal of /** @type {const} */ (['SIGHUP', 'SIGINT', 'SIGTERM'])) {
  test(`one ${signal} ends a shell that waits for a command, and tells what is not committed`, async t => {
    const left = await runCli(temporaryDirectory(t), ['shell', 'demos/justReply', '--memdb'], {
      input: 'run\n',
      keepsInput: true,
      onStdout: (child, stdout) => {
        if (stdout.includes('nothing is queued')) child.kill(signal);
      },
    });
    t.is(left.code, signalExitCodes[signal]);
    t.is(left.stderr.split('\n').at(-2), '8 cranks since the last commit are lost');
  });
}
