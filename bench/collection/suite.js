// Measures the cost of asking vats for their dead references, by the interval of asking: rounds of
// demos/exchange, each of which leaves 30 objects behind. The kernel's default was chosen from
// these figures (packages/kernel/collection/reaper.js).

import { spreadOf } from '#measure';
import { askInTurns } from '../process.js';
import { digestOf } from '../suite.js';

/** @import { Suite } from '../suite.js' */
/** @import { RunOptions, RunResult } from './run.js' */

const module = new URL('run.js', import.meta.url);

/** Deliveries; undefined is the default, by which idle vats are asked less often. */
const intervals = /** @type {const} */ ([1_000, 5_000, 10_000, undefined, 'never']);

/** @type {(interval: number | 'never' | undefined) => string} */
const nameOf = interval => {
  if (interval === undefined) return 'exchange, asked by default';
  if (interval === 'never') return 'exchange, never asked';
  return `exchange, asked every ${interval.toLocaleString('en')} deliveries`;
};

/** Figures of a run. @type {[what: 'roundMs' | 'gcMs' | 'collections' | 'mostObjects', shown: string, unit: string][]} */
const kinds = [
  ['roundMs', 'a round', 'ms'],
  ['gcMs', 'of it, full collections of the engine', 'ms'],
  ['collections', 'collections', 'count'],
  ['mostObjects', 'objects of the kernel, at most', 'count'],
];

/** @type {Suite} */
export default {
  about: 'what collection costs by how often vats are asked, and how many objects wait for it',
  async run({ small }) {
    const { turns, ...size } = small
      ? { turns: 1, warmup: 2, rounds: 8 }
      : { turns: 3, warmup: 150, rounds: 750 };
    const tried = small ? [50, undefined] : intervals;
    /** @type {RunOptions[]} */
    const cases = tried.map(interval => ({ interval, ...size }));
    /** @type {RunResult[][]} */
    const results = await askInTurns(module, cases, turns);
    const figures = results.flatMap((taken, i) =>
      kinds.map(([kind, shown, unit]) => ({
        name: `${nameOf(tried[i])}: ${shown}`,
        unit,
        ...spreadOf(taken.map(one => one[kind])),
        params: { turns, ...size },
      })),
    );
    return { figures, digest: digestOf(...results.map(([first]) => first.activityHash)) };
  },
};
