// Runs random programs through the host API of today's SwingSet and of this kernel, with policies that end each run at random, and
// compares what policies are told, the slog, and the keys of the store:
// `node scripts/compatibility/policies/main.js --sdk DIR [--programs N] [--first SEED] [--rounds N]`. DIR has the packages of SwingSet in `node_modules`.

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { defaultCacheDir } from '#host';
import { alignNames, numberNames } from '../deliveries/names.js';
import { compareLines, findBundles, makeSources, runProgram } from '../deliveries/sources.js';
import { readCommandLine } from '../usage.js';
import { compareKeys } from './keys.js';
import { linesOf } from './slog-lines.js';

const { sdk, counts } = readCommandLine('policies', { programs: 8, first: 1, rounds: 5 });
const { programs, first, rounds } = counts;

/** @typedef {{ slog: object[], keys: Record<string, string>[] }} Run */

mkdirSync(defaultCacheDir(), { recursive: true });
const folder = makeSources(sdk, 'deliveries');

/** @param {'there' | 'here'} where @param {number} seed @returns {Run | string} or why there is none */
const run = (where, seed) => {
  const script = join(import.meta.dirname, 'run.js');
  return runProgram(folder, script, [where, folder, findBundles(folder), rounds, seed]);
};

/** @param {number} seed @param {Run} theirs @param {Run} ours @returns {boolean} */
const compare = (seed, theirs, ours) => {
  const here = linesOf(ours.slog);
  const same = Object.entries(linesOf(theirs.slog)).map(([stream, marked]) => {
    const told = numberNames(here[/** @type {keyof typeof here} */ (stream)]);
    const expected = numberNames(marked, alignNames(marked, told));
    return compareLines(`program ${seed}, ${stream}`, told, expected);
  });
  const { isEqual, compared } = compareKeys(seed, theirs.keys, ours.keys);
  ends += compared;
  return isEqual && same.every(it => it);
};

let [equal, all, ends] = [0, 0, 0];

try {
  for (let seed = first; seed < first + programs; seed += 1) {
    const [theirs, ours] = [run('there', seed), run('here', seed)];
    if (typeof theirs === 'string' || typeof ours === 'string') {
      console.log(`program ${seed} is left out: ${typeof theirs === 'string' ? theirs : ours}`);
      continue;
    }
    all += 1;
    if (compare(seed, theirs, ours)) equal += 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${equal} of ${all} programs are equal, with the keys behind ${ends} calls of run()`);
process.exit(equal === all ? 0 : 1);
