// Runs random programs through the host API of today's SwingSet and of this kernel, with policies that end each run at random, and
// compares what policies are told, the slog, and the keys of the store:
// `node scripts/compatibility/policies/main.js --sdk DIR [--programs N] [--first SEED] [--rounds N]`. DIR has the packages of SwingSet in `node_modules`.

import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultCacheDir } from '#host';
import { alignNames, numberNames } from '../deliveries/names.js';
import { compareLines, findBundles, makeSources, runProgram } from '../deliveries/sources.js';
import { fail, readCount } from '../usage.js';
import { compareKeys } from './keys.js';
import { linesOf } from './slog-lines.js';

const usage =
  'usage: node scripts/compatibility/policies/main.js --sdk DIR [--programs N] [--first SEED] [--rounds N]';

const { values } = parseArgs({
  options: {
    sdk: { type: 'string' },
    programs: { type: 'string', default: '8' },
    first: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  console.log(usage);
  process.exit(0);
}

/** @typedef {{ slog: object[], keys: Record<string, string>[] }} Run */

const sdk = resolve(values.sdk ?? fail(usage));
const [programs, first, rounds] = [
  readCount('programs', values.programs),
  readCount('first', values.first),
  readCount('rounds', values.rounds),
];
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
  return compareKeys(seed, theirs.keys, ours.keys) && same.every(it => it);
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
    ends += theirs.keys.length;
    if (compare(seed, theirs, ours)) equal += 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${equal} of ${all} programs are equal, over ${ends} calls of run()`);
process.exit(equal === all ? 0 : 1);
