// Runs random programs with durable data, upgrades and collections under today's SwingSet and under this kernel, and compares every
// delivery, syscall and printed line, and what c-lists and stores hold at last: `node scripts/compatibility/upgrades/main.js --sdk DIR
// [--first SEED] [--programs N] [--rounds N] [--keep FILE]`. DIR has the packages of SwingSet in `node_modules`.
// A program that the real kernel does not end is left out and named: one whose upgrade failed may panic it when the worker starts again.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultCacheDir } from '#host';
import { ensureLockdown } from '#loader/lockdown.js';
import { digest } from '../deliveries/digest.js';
import { compareLines, findBundles, makeSources, runProgram } from '../deliveries/sources.js';
import { readCommandLine } from '../usage.js';

const { sdk, counts, flags } = readCommandLine(
  'upgrades',
  { programs: 4, first: 1, rounds: 16 },
  { keep: { takes: 'FILE' } },
);
const { programs: count, first, rounds } = counts;
await ensureLockdown();
const { runHere } = await import('./ours.js');
mkdirSync(defaultCacheDir(), { recursive: true });

/** @param {number} seed @returns {string[][] | string} lines of each round, or why there are none */
const runThere = seed => {
  const folder = makeSources(sdk, 'deliveries');
  try {
    const script = join(import.meta.dirname, 'real.js');
    const sources = join(folder, 'upgrades');
    const ran = runProgram(folder, script, [findBundles(folder), sources, rounds, seed]);
    return typeof ran === 'string' ? ran : ran.rounds;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

let equal = 0;
const kept = [];
for (let seed = first; seed < first + count; seed += 1) {
  const theirs = runThere(seed);
  if (typeof theirs === 'string') {
    console.log(`program ${seed} is left out: ${theirs}`);
    continue;
  }
  const ours = await runHere(seed, rounds);
  theirs.forEach((lines, round) => {
    if (compareLines(`program ${seed}, round ${round}`, ours[round], lines)) equal += 1;
  });
  kept.push({ seed, digests: theirs.map(digest) });
  console.log(`${equal} of ${kept.length * rounds} rounds are equal`);
}
if (flags.keep !== undefined)
  writeFileSync(flags.keep, `[\n${kept.map(row => JSON.stringify(row)).join(',\n')}\n]\n`);
process.exit(equal === kept.length * rounds ? 0 : 1);
