// Measures `simulation.call()` in a simulation that runs in the background: many calls at once, and one after another.

import { spreadOf } from '#measure';
import { askInTurns } from '../process.js';
import { digestOfSame } from '../suite.js';

/** @import { Figure } from '#measure' */
/** @import { Suite } from '../suite.js' */
/** @import { RunOptions, RunResult } from './run.js' */

const module = new URL('run.js', import.meta.url);

/** @type {[RunOptions['kind'], string][]} */
const kinds = [
  ['memory', 'in memory'],
  ['group', 'LMDB, group commit'],
  ['commit', 'LMDB, a sync each block'],
];

/** @type {Suite} */
export default {
  about: 'calls of a host program, each with other arguments, answered by a vat',
  async run({ small }) {
    const size = small
      ? { batches: 1, batch: 50, alone: 5 }
      : { batches: 30, batch: 10_000, alone: 2_000 };
    /** In the first batches the engine compiles. */
    const warmup = small ? 0 : 5;
    /** @type {Figure[]} */
    const figures = [];
    const cases = kinds.map(([kind]) => ({ kind, ...size }));
    /** @type {RunResult[][]} */
    const results = await askInTurns(module, cases, 1);
    for (const [i, [, shown]] of kinds.entries()) {
      const [{ perSecond, aloneUs }] = results[i];
      figures.push({
        name: `${shown}: ${size.batch.toLocaleString('en')} calls at once`,
        unit: 'calls/s',
        ...spreadOf(perSecond.slice(warmup)),
        params: size,
      });
      figures.push({
        name: `${shown}: a call behind another`,
        unit: 'us',
        ...spreadOf([aloneUs]),
        params: size,
      });
    }
    const sums = results.flat().map(({ sum }) => sum);
    return { figures, digest: digestOfSame(sums, 'the stores differ in what the calls answer') };
  },
};
