// Random programs with vats that are made, end themselves and are ended do under `2020-09` what they did in the kernel of
// 2020-09-30: every crank, every counter and every line that vats print (scripts/compatibility/README.md).

import test from 'ava';
import { readFileSync } from 'node:fs';

import { digest, runHere } from '../scripts/compatibility/random-2020/ours.js';
import { makeProgram } from '../scripts/compatibility/random-2020/program.js';

/** @type {{ seed: number, cranks: number[], lines: number, digest: string, counters: Record<string, number> }[]} */
const kept = JSON.parse(
  readFileSync(new URL('./reference/compatibility/random-2020.json', import.meta.url), 'utf8'),
);

for (const { seed, ...expected } of kept) {
  test.serial(`random program ${seed} counts and prints what it did in 2020`, async t => {
    const { cranks, counters, lines } = await runHere(makeProgram(seed));
    const present = Object.fromEntries(
      Object.entries(counters).filter(([, number]) => number !== 0),
    );
    const found = { cranks, lines: lines.length, digest: digest(lines), counters: present };
    t.deepEqual(found, expected);
  });
}
