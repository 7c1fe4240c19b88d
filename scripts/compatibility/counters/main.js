// Runs random programs through the host API of today's SwingSet and of this kernel, and compares the counters (`getStats()`) and
// the promises (`dump()`) after each round: `node scripts/compatibility/counters/main.js --sdk DIR [--programs N] [--first SEED] [--rounds N]`.
// DIR has the packages of SwingSet in `node_modules`.

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { defaultCacheDir } from '#host';
import { findBundles, makeSources, runProgram } from '../deliveries/sources.js';
import { readCommandLine } from '../usage.js';

const { sdk, counts } = readCommandLine('counters', { programs: 8, first: 1, rounds: 10 });
const { programs, first, rounds } = counts;

/**
 * Counters that differ by design (packages/swingset/README.md): of objects, which SwingSet retires at once; of vats' stores; of
 * vatAdmin's device; and of vats that have ended.
 */
const differing =
  /^(kernelObjects|kernelDevices|clistEntries|vats|syscallVatstore|syscalls$|syscallCallNow)/;

/** @typedef {{ stats: Record<string, number>, promises: string[] }} State */

mkdirSync(defaultCacheDir(), { recursive: true });
const folder = makeSources(sdk, 'deliveries');

/** @param {'there' | 'here'} where @param {number} seed @returns {State[] | string} or why there are none */
const run = (where, seed) => {
  const script = join(import.meta.dirname, 'run.js');
  const ran = runProgram(folder, script, [where, folder, findBundles(folder), rounds, seed]);
  return typeof ran === 'string' ? ran : ran.states;
};

/** @param {State} theirs @param {State} ours @returns {string[]} */
const compare = (theirs, ours) => {
  const stats = Object.keys(theirs.stats)
    .filter(name => !differing.test(name) && name in ours.stats)
    .filter(name => theirs.stats[name] !== ours.stats[name])
    .map(name => `${name}: ${theirs.stats[name]} there, ${ours.stats[name]} here`);
  const only = (/** @type {string[]} */ left, /** @type {string[]} */ right) =>
    left.filter(promise => !right.includes(promise));
  return [
    ...stats,
    ...only(theirs.promises, ours.promises).map(promise => `there: ${promise}`),
    ...only(ours.promises, theirs.promises).map(promise => `here: ${promise}`),
  ];
};

let [equal, all] = [0, 0];
try {
  for (let seed = first; seed < first + programs; seed += 1) {
    const [theirs, ours] = [run('there', seed), run('here', seed)];
    if (typeof theirs === 'string' || typeof ours === 'string') {
      console.log(`program ${seed} is left out: ${typeof theirs === 'string' ? theirs : ours}`);
      continue;
    }
    all += theirs.length;
    const at = theirs.findIndex((state, round) => compare(state, ours[round]).length > 0);
    equal += at < 0 ? theirs.length : at;
    if (at >= 0) {
      console.log(`program ${seed} differs from round ${at} on:`);
      for (const line of compare(theirs[at], ours[at])) console.log(`  ${line}`);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${equal} of ${all} states are equal, those behind a difference not counted`);
process.exit(equal === all ? 0 : 1);
