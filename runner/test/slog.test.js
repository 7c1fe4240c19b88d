// `slog`: output, selection and causes of cranks; `completion`; the shell's messages.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { UserError } from '#model';
import { describeCommands, writeCompletion } from '../session/completion.js';
import { completeLine } from '../session/shell-commands.js';
import { makeCrankFilter, parseCrankRange, selectCranks } from '../session/slog-select.js';
import { formatCrank } from '../session/slog-text.js';
import { demosDir, mainFile, runCli, temporaryDirectory } from './run-cli.js';

test('ranges of cranks are parsed, and malformed ones refused', t => {
  t.deepEqual(parseCrankRange('17'), { first: 17, last: 17 });
  t.deepEqual(parseCrankRange('10-20'), { first: 10, last: 20 });
  t.deepEqual(parseCrankRange('10-'), { first: 10, last: Infinity });
  t.deepEqual(parseCrankRange('-20'), { first: 0, last: 20 });
  for (const wrong of ['', '-', 'x', '20-10', '1-2-3', '1.5'])
    t.throws(() => parseCrankRange(wrong), { instanceOf: UserError, message: /^--cranks must be/ });
  t.throws(() => makeCrankFilter({ promise: 'ko5' }), {
    message: /^--promise must be one of the kernel/,
  });
});

test('slog prints all cranks, selected ones, and the causes and effects of one', async t => {
  const cwd = temporaryDirectory(t);
  const flags = ['--memdb', '--no-graphs', '--benchmark', '1', '--quiet', '--slog', 'run.slog'];
  t.is((await runCli(cwd, [join(demosDir, 'pingpong'), ...flags])).code, 0);

  const all = await runCli(cwd, ['slog', 'run.slog']);
  t.regex(
    all.stdout,
    /^#5 send v1 alice: ko20\.setNickname\('alice'\) → kp41 .* ← #4 sends it, for kp41\n {4}resolve kp41 is undefined$/m,
  );
  t.false(all.stdout.includes('\u001b'), 'no colours in a pipe');
  const one = await runCli(cwd, ['slog', 'run.slog', '--promise', 'kp47', '--brief']);
  t.is(one.stdout.split('\n').filter(line => line.startsWith('#')).length, 3);
  const bob = await runCli(cwd, [
    'slog',
    'run.slog',
    '--vat',
    'bob',
    '--method',
    'ping',
    '--brief',
  ]);
  t.regex(bob.stdout, /^#17 send v2 bob: ko28\.ping\('hey'\) → kp48 [^\n]*\n$/);
  const none = await runCli(cwd, ['slog', 'run.slog', '--vat', 'nobody']);
  t.deepEqual([none.code, none.stdout], [0, '']);
  t.regex(none.stderr, /^no crank matches: there is no vat "nobody"; there are .*"bob"/);
  const nearly = await runCli(cwd, ['slog', 'run.slog', '--method', 'pimg']);
  t.is(nearly.stderr, 'no crank matches: there is no method "pimg"; did you mean "ping"?\n');
  const both = await runCli(cwd, ['slog', 'run.slog', '--vat', 'bob', '--method', 'bootstrap']);
  t.is(both.stderr, 'no crank matches\n');

  const followed = await runCli(cwd, ['slog', 'run.slog', '--follow', '16']);
  const lines = followed.stdout.split('\n').map(line => /^( *)#(\d+)/.exec(line)?.slice(1, 3));
  t.deepEqual(
    lines.filter(line => line !== undefined).map(line => `${line[0].length}:${line[1]}`),
    ['2:15', '2:16', '2:17', '4:19', '6:21', '4:20', '2:18'],
  );
  const missing = await runCli(cwd, ['slog', 'run.slog', '--follow', '999']);
  t.is(missing.code, 2);
  t.regex(missing.stderr, /has no crank 999/);

  // A closed pipe ends the command without an error.
  const first = execFileSync(
    '/bin/sh',
    ['-c', '"$0" "$1" slog run.slog | head -1', process.execPath, mainFile],
    { cwd },
  );
  t.regex(first.toString(), /^#1 start v1 alice/);

  const same = await runCli(cwd, ['compare', 'run.slog', 'run.slog']);
  t.is(same.stdout, 'the same: 21 cranks\n');
  const text = fs.readFileSync(join(cwd, 'run.slog'), 'utf8');
  fs.writeFileSync(join(cwd, 'other.slog'), text.replace('\\"ping\\"', '\\"pong\\"'));
  const other = await runCli(cwd, ['compare', 'run.slog', 'other.slog']);
  t.is(other.code, 1);
  t.regex(
    other.stderr,
    /the slogs are the same for 15 cranks and differ then in "syscalls":\n {2}run\.slog: crank 16, send doPing\(\) of v1 \(alice\)/,
  );
  const mixed = await runCli(cwd, ['compare', 'run.slog', '.']);
  t.regex(
    mixed.stderr,
    /is a slog and "\." is a database or a directory; compare takes two of a kind/,
  );
});

test('compare with a threshold fails when a figure is worse', async t => {
  const cwd = temporaryDirectory(t);
  const row = (/** @type {number} */ median) => ({
    ...{ suite: 's', name: 'a round', unit: 'us', n: 30, median },
    ...{ p25: median * 0.99, p75: median * 1.01 },
  });
  fs.writeFileSync(join(cwd, 'a.json'), JSON.stringify([row(10)]));
  fs.writeFileSync(join(cwd, 'b.json'), JSON.stringify([row(12)]));
  const worse = await runCli(cwd, ['compare', 'a.json', 'b.json', '--threshold', '5']);
  t.is(worse.code, 1);
  t.regex(worse.stdout, /s: a round +10 us +12 us +\+20\.0 % +< 0\.001 +worse/);
  t.regex(worse.stderr, /1 of 1 figures got worse by more than 5 %: s: a round/);
  t.is((await runCli(cwd, ['compare', 'a.json', 'b.json', '--threshold', '25'])).code, 0);
  t.is((await runCli(cwd, ['compare', 'b.json', 'a.json', '--threshold', '0'])).code, 0);
  const wrong = await runCli(cwd, ['compare', 'a.json', 'b.json', '--threshold', 'x']);
  t.regex(wrong.stderr, /--threshold must be a percentage from 0, as 5, got "x"/);
});

test('the shell sends messages, shows their results, the vats and the queue', async t => {
  const demo = join(demosDir, 'pingpong');
  const input = [
    ...[
      'vats',
      'run',
      'send alice nothere',
      'queue',
      'results',
      'step',
      'results',
      'call bob hello 1, {"a":2}',
    ],
    ...['send alice x [', 'send nobody x', 'send alice', 'vats 1', 'exit'],
  ];
  const cwd = temporaryDirectory(t);
  const { stdout, stderr, code } = await runCli(cwd, ['shell', demo, '--memdb'], {
    input: `${input.join('\n')}\n`,
  });
  t.is(code, 0, stderr);
  t.regex(stdout, /^v1 alice\nv2 bob\nv3 bootstrap\n/);
  t.regex(
    stdout,
    /^1 alice\.nothere\(\) is queued\nsend v1 ko20 \[ 'nothere', \[\] \]\n1 alice\.nothere\(\): pending\n1 crank, nothing is queued\n1 alice\.nothere\(\): rejected with TypeError: /m,
  );
  t.regex(stdout, /^2 bob\.hello\(\): /m);
  t.regex(stderr, /^the arguments of a message are JSON with commas between, as "ann", 5; got \[/m);
  t.regex(stderr, /there is no vat "nobody"/);
  t.regex(stderr, /^a message needs a vat and a method: send bank balance "ann"$/m);
  t.regex(stderr, /^vats takes no argument$/m);

  const json = await runCli(cwd, ['shell', demo, '--memdb', '--json'], {
    input: 'run\nstp\nexit\n',
  });
  const told = json.stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  t.deepEqual(told[0], { command: 'run', cranks: 14, isQuiet: true });
  t.regex(told[1].error.message, /there is no command "stp"; did you mean step\?/);
});

test('commands and vats are completed in the shell', t => {
  const names = { commands: ['send', 'step', 'call'], vats: () => ['alice', 'bob'] };
  t.deepEqual(completeLine('s', names), [['send ', 'step '], 's']);
  t.deepEqual(completeLine('send a', names), [['alice '], 'a']);
  t.deepEqual(completeLine('step a', names), [[], 'a']);
  t.deepEqual(completeLine('send alice x', names), [[], 'x']);
});

test('completion has every command and its flags', async t => {
  const commands = await describeCommands();
  const slog = commands.find(({ name }) => name === 'slog');
  t.true(slog?.flags.some(({ name }) => name === 'follow'));
  t.true(slog?.flags.some(({ name }) => name === 'json'));
  for (const shell of ['bash', 'zsh', 'fish']) {
    const script = writeCompletion(shell, commands);
    for (const { name } of commands) t.true(script.includes(name), `${shell}: ${name}`);
  }
  t.throws(() => writeCompletion('fisch', commands), { message: /did you mean "fish"\?$/ });
  const documented = fs.readFileSync(join(import.meta.dirname, '../../docs/json.md'), 'utf8');
  for (const { name } of commands)
    t.regex(documented, new RegExp(`^\\|[^|]*\`${name}\``, 'm'), `docs/json.md has ${name}`);
});

test('bash completes commands, flags and their values', async t => {
  const script = writeCompletion('bash', await describeCommands());
  const ask = (/** @type {string[]} */ words) =>
    execFileSync('bash', [
      '-c',
      `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _swingset_runner; echo "\${COMPREPLY[*]}"`,
      'x',
      ...words,
    ])
      .toString()
      .trim();
  t.is(ask(['swingset-runner', 'demo-r']), 'demo-reports');
  t.is(ask(['swingset-runner', 'slog', 'x', '--fo']), '--follow');
  t.is(ask(['swingset-runner', 'dir', '--profile', '']), 'current 2020-09');
  t.is(ask(['swingset-runner', 'slog', '--memd']), '', 'a flag of another command');
});

test('the cranks of a slog are printed whatever values its fields have', t => {
  /** @type {any[]} */
  const odd = [null, 5, 'x', {}, [], { toString: 5 }, [[{ toString: 5 }]], { body: 5, slots: 5 }];
  const file = join(temporaryDirectory(t), 'odd.slog');
  const lines = odd.flatMap(value =>
    ['message', 'notify', 'send', 'other'].map(name => ({
      ...{
        type: 'crank',
        crankNum: value,
        kind: value,
        vatID: value,
        step: [value],
        births: [value],
      },
      delivery: [name, value, value, value],
      ...{
        syscalls: [[name, value, value], value],
        deviceSends: value,
        outcome: value,
        fault: value,
      },
    })),
  );
  const head = { type: 'slog', version: 2, vats: { v1: 5 } };
  fs.writeFileSync(file, [head, ...lines].map(line => `${JSON.stringify(line)}\n`).join(''));
  const paint = (/** @type {unknown} */ _format, /** @type {string} */ text) => text;
  const filter = makeCrankFilter({ method: 'x', promise: 'kp5' });
  let count = 0;
  for (const shown of selectCranks(file, () => true)) {
    filter(shown.crank);
    t.regex(formatCrank(shown, { paint, isBrief: false }), /^#/);
    count += 1;
  }
  t.is(count, lines.length);
});
