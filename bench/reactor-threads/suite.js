// Compares programs of reactors over vats on two threads, the kernel's and one more, with the
// kernel's thread alone, in alternating pairs of processes. The hash checks that both runs are the
// same.

import { createHash } from 'node:crypto';
import { describePairs } from '../pairs.js';
import { askInPairs } from '../process.js';

/** @import { Figure } from '#measure' */
/** @import { Suite } from '../suite.js' */
/** @import { RunResult } from './run.js' */

const module = new URL('run.js', import.meta.url);

/** Programs with parallel parts, and the three of Lingua Franca and libcsp that threads made slower or faster there. */
const programs = [
  { name: 'sum', program: 'demos/reactors/sum/vats.json', parameters: { high: 10_000_000 } },
  {
    name: 'ping pong between two vats',
    program: 'demos/reactors/pingpong/vats.json',
    parameters: { pings: 20_000 },
  },
  {
    name: 'two ping pongs, a vat each',
    program: 'demos/savina/pingpongmulti/vats.json',
    parameters: { pings: 20_000 },
  },
  {
    name: 'trapezoid',
    program: 'demos/savina/trapezoid/vats.json',
    parameters: { pieces: 2_000_000 },
  },
  {
    name: 'n queens',
    program: 'demos/savina/nqueenk/vats.json',
    parameters: { workers: 20, size: 11, threshold: 4 },
  },
  {
    name: 'matrix multiplication',
    program: 'demos/savina/recmatmul/vats.json',
    parameters: { workers: 20, n: 256, threshold: 16_384 },
  },
  {
    name: 'radix sort',
    program: 'demos/savina/radixsort/vats.json',
    parameters: { values: 50_000 },
  },
];

/** The sizes of `--small`, which checks that the suite works. */
const smallPrograms = [{ ...programs[0], parameters: { high: 1_000 } }];

const labels = /** @type {const} */ (['one thread', 'two threads', 'two threads, processor time']);

/** @param {RunResult} result */
const timesOf = ({ ms, processorMs }) => ({ wall: ms, processor: processorMs });

/** @type {Suite} */
export default {
  about: 'programs of reactors over vats, on two threads beside one, in paired turns',
  async run({ small }) {
    const turns = small ? 1 : 7;
    const digest = createHash('sha256');
    /** @type {Figure[]} */
    const figures = [];
    for (const { name, ...options } of small ? smallPrograms : programs) {
      /** @type {[RunResult[], RunResult[]]} */
      const [one, two] = await askInPairs(
        module,
        [
          { ...options, workers: 0 },
          { ...options, workers: 1 },
        ],
        turns,
      );
      digest.update(one[0].activityHash);
      const params = { ...options, turns };
      figures.push(
        ...describePairs({ name, unit: 'ms', labels, params }, one.map(timesOf), two.map(timesOf)),
      );
    }
    return { figures, digest: digest.digest('hex') };
  },
};
