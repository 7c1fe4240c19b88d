// Programs in child processes (scripts/compatibility/random-2020): no failure of one loses another.

import test from 'ava';
import { spawn } from 'node:child_process';

import { runInBatches } from '../scripts/compatibility/random-2020/batches.js';

/** A stand-in for the kernel of 2020: seed 2 ends its process, 5 is silent for ever, 6 exhausts the memory, 8 is unclean. */
const script = `
  const seeds = JSON.parse(process.argv[1]);
  for (const seed of seeds) {
    if (seed === 2) { console.error('the kernel panicked'); process.exit(3); }
    if (seed === 5) { console.log('noise'); for (;;); }
    if (seed === 6) { const all = []; for (;;) all.push(new Array(1000000).fill(seed)); }
    if (seed === 8) process.stdout.write('noise\\n');
    console.log(JSON.stringify({ seed, pid: process.pid }));
  }
`;

test('a program that ends, blocks or exhausts its process is named, and all others run', async t => {
  const programs = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(seed => ({ seed }));
  const start = (/** @type {readonly { seed: number }[]} */ batch) =>
    spawn(
      process.execPath,
      ['--max-old-space-size=64', '-e', script, JSON.stringify(batch.map(({ seed }) => seed))],
      { detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
    );
  /** @type {any[]} */
  const found = [];
  for await (const each of runInBatches(programs, { start, size: 3, silenceMs: 10_000 }))
    found.push(each);
  t.deepEqual(
    found.map(({ seed }) => seed),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  );
  const problems = found.filter(({ problem }) => problem !== undefined);
  t.deepEqual(
    problems.slice(0, 2).map(({ problem }) => problem),
    [
      'its process ended with exit code 3: the kernel panicked',
      'it said nothing for 10 s and was killed',
    ],
  );
  t.deepEqual(
    problems.map(({ seed }) => seed),
    [2, 5, 6],
  );
  t.regex(problems[2].problem, /^its process ended with .*: out of memory$/);
  const processes = new Set(found.flatMap(({ pid }) => (pid === undefined ? [] : [pid])));
  t.is(processes.size, 4);
});
