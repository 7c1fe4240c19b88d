// The page of what runs of others' programs is made of the rows that are kept.

import test from 'ava';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { fileURLToPath } from 'node:url';
import { partOf } from '../bench/peers/shares.js';
import { readCommands } from '../scripts/compatibility/commands-2020.js';
import { countRows, formatPage } from '../scripts/compatibility/page.js';
import { readRows } from '../scripts/compatibility/rows.js';
import { loadPublished } from './compare/load.js';

test('docs/compatibility.md has each kept row with its reason', t => {
  const page = readFileSync(new URL('../docs/compatibility.md', import.meta.url), 'utf8');
  for (const suite of ['commands-2020', 'demos-today']) {
    const kept = readRows(suite);
    t.true(kept !== undefined && kept.rows.length > 0, suite);
    for (const { name, result } of kept?.rows ?? [])
      t.true(page.includes(`| \`${name}\``) && page.includes(result), name);
    t.true(page.includes(countRows(kept?.rows ?? [])), suite);
  }
});

test('the table names a suite that was never run, and its cells contain no bars', t => {
  const section = { suite: 'x', title: 'X', about: 'About.' };
  t.regex(formatPage([{ ...section, kept: undefined }]), /About\. Not run yet\./);
  const kept = {
    rows: [{ name: 'a', result: /** @type {const} */ ('refused'), reason: 'x|y\nz' }],
  };
  t.true(formatPage([{ ...section, kept }]).includes('| `a` | refused | x\\|y z |'));
});

test('counters recorded from that kernel equal its published ones', t => {
  const { demos } = loadPublished();
  const commands = new Map(readCommands().map(it => [[it.demo, ...it.argv].join(' '), it]));
  for (const { command, cranks, counters } of demos) {
    const demo = / demo\/(\w+)/.exec(command)?.[1];
    const argv = command.split(' -- ')[1];
    const taken = commands.get(argv === undefined ? `${demo}` : `${demo} ${argv}`);
    t.is(taken?.cranks, cranks, command);
    for (const [name, { value, max }] of Object.entries(counters)) {
      t.is(taken?.counters[name]?.[0], value, `${command}: ${name}`);
      if (max !== undefined && max !== null) t.is(taken?.counters[name]?.[3], max, name);
    }
  }
});

/** @param {string[]} args  a file of bench/peers and its arguments */
const runPeers = ([file, ...args]) =>
  spawnSync(
    process.execPath,
    [fileURLToPath(new URL(`../bench/peers/${file}`, import.meta.url)), ...args],
    { encoding: 'utf8' },
  );

for (const args of [[], ['--odd'], ['.', '.'], ['no-such-folder']]) {
  test(`the comparison with real kernels refuses "${args.join(' ')}" in one line`, t => {
    const { status, stdout, stderr } = runPeers(['main.js', ...args]);
    t.is(status, 2);
    t.is(stdout, '');
    t.regex(stderr, /usage: node bench\/peers\/main\.js DIR .*\n$/);
    t.is(stderr.trim().split('\n').length, 1);
  });
}

test('a process of this kernel tells its times in its last line', t => {
  const demo = fileURLToPath(new URL('../demos/pingpong', import.meta.url));
  const { status, stdout } = runPeers(['ours.js', demo, '3', 'current']);
  t.is(status, 0);
  const times = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  t.deepEqual(Object.keys(times), ['setupMs', 'setupCpuMs', 'roundMs', 'meanMs', 'cpuMs']);
  for (const [name, ms] of Object.entries(times)) t.true(ms > 0, name);
});

test('time is told by package, whichever copy of it took it', t => {
  const parts = [
    ['file:///a/node_modules/@endo/patterns/src/keys.js', 'f'],
    ['file:///a/node_modules/x/node_modules/ses/dist/ses.cjs', 'f'],
    ['file:///a/packages/kernel/crank/apply.js', 'f'],
    ['file:///a/packages/zoe/src/zoe.js', 'f'],
    ['node:internal/timers', 'f'],
    ['', '(garbage collector)'],
    ['', 'runMicrotasks'],
  ].map(([url, name]) => partOf(url, name));
  t.deepEqual(parts, [
    '@endo/patterns',
    'ses',
    'kernel (ours)',
    'code of vats',
    'Node',
    'garbage collector',
    'the engine',
  ]);
});
