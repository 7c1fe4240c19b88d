// Runs random programs under today's SwingSet and under this kernel, and compares them line by line: `node scripts/compatibility/deliveries/main.js
// --sdk DIR [--programs N] [--first SEED] [--rounds N] [--keep FILE] [--comms [--carriers SIDE]]`. DIR has the packages of SwingSet in
// `node_modules`. With `--comms` the actors are on two sides, joined by comms; those of SIDE (`left`, `right`, `both`) have
// SwingSet's sources of comms and vattp here, too.
// A program that does not end in time in the real kernel is left out and named.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultCacheDir } from '#host';
import { ensureLockdown } from '#loader/lockdown.js';
import { digest } from './digest.js';
import { readCommandLine } from '../usage.js';
import { compareLines, findBundles, makeSources, runProgram } from './sources.js';

const { sdk, counts, flags } = readCommandLine(
  'deliveries',
  { programs: 8, first: 1, rounds: 25 },
  { keep: { takes: 'FILE' }, comms: {}, carriers: { takes: 'left|right|both' } },
);
const { programs, first, rounds } = counts;

/**
 * @param {string} folder
 * @param {number} seed
 * @param {number} rounds
 * @returns {string[][] | string} lines of each round, with marked names, or why there are none
 */
const runThere = (folder, seed, rounds) => {
  const script = join(import.meta.dirname, 'real.js');
  const kind = flags.comms ? 'comms' : 'direct';
  const ran = runProgram(folder, script, [findBundles(folder), folder, rounds, kind, seed]);
  return typeof ran === 'string' ? ran : ran.rounds;
};

await ensureLockdown();
const { runHere } = await import('./ours.js');
const { sides } = await import('./config.js');
const { alignNames, numberNames } = await import('./names.js');
const { makeProgram } = await import('./program.js');
mkdirSync(defaultCacheDir(), { recursive: true });
const folder = makeSources(sdk, 'deliveries');
/** SwingSet's own sources for the sides that are to have them. @type {Record<string, object>} */
const carriers = Object.fromEntries(
  sides
    .filter(side => flags.carriers === 'both' || flags.carriers === side)
    .flatMap(side => {
      const vats = join(sdk, 'node_modules/@agoric/swingset-vat/src/vats');
      return [
        [`${side}comms`, { sourceSpec: join(vats, 'comms/index.js') }],
        [`${side}vattp`, { sourceSpec: join(vats, 'vattp/vat-vattp.js') }],
      ];
    }),
);
/** @type {{ seed: number, digests: string[] }[]} */
const kept = [];
let [equal, all, renamed] = [0, 0, 0];
try {
  for (let seed = first; seed < first + programs; seed += 1) {
    const theirs = runThere(folder, seed, rounds);
    if (typeof theirs === 'string') {
      console.log(`program ${seed} is left out: ${theirs}`);
      continue;
    }
    const ours = await runHere(makeProgram(seed, flags.comms === true), rounds, carriers);
    const numbered = theirs.map((marked, round) => {
      const here = ours[round] ?? [];
      const aliases = alignNames(marked, here);
      const lines = numberNames(marked, aliases);
      [all, renamed] = [all + 1, renamed + aliases.size];
      if (compareLines(`program ${seed}, round ${round}`, here, lines)) equal += 1;
      return lines;
    });
    kept.push({ seed, digests: numbered.map(digest) });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(
  `${equal} of ${all} rounds are equal; SwingSet exported ${renamed} objects anew that it had retired`,
);
if (flags.keep !== undefined) writeFileSync(flags.keep, `${JSON.stringify(kept, null, 1)}\n`);
process.exit(equal === all ? 0 : 1);
