// The life of vats: the cost of one from its creation to its end, the remains of 10,000, and
// whether the end of a large one delays the others.

import { createHash } from 'node:crypto';
import { spreadOf } from '#measure';
import { ask } from '../process.js';

/** @import { Figure } from '#measure' */
/** @import { Suite } from '../suite.js' */
/** @import { LargeOptions, LargeResult } from './large.js' */
/** @import { Footprint, ManyOptions, ManyResult } from './many.js' */

const many = new URL('many.js', import.meta.url);
const large = new URL('large.js', import.meta.url);

const profiles = /** @type {const} */ (['current', '2020-09']);

/** The remains of a vat, each in its own unit. @type {[what: keyof Footprint, shown: string, unit: string][]} */
const kinds = [
  ['heapBytes', 'heap left behind by each', 'B'],
  ['keys', 'keys of the store left behind by each', 'keys'],
  ['bytes', 'bytes of the store left behind by each', 'B'],
];

/** @type {Suite} */
export default {
  about: 'a vat from its making to its end, what it leaves behind, and the end of a large one',
  async run({ small }) {
    const count = small ? 20 : 10_000;
    const size = small ? 500 : 100_000;
    const digest = createHash('sha256');
    /** @type {Figure[]} */
    const figures = [];
    for (const profile of profiles) {
      /** @type {ManyOptions} */
      const options = { count, profile };
      /** @type {ManyResult} */
      const { eachMs, before, after, activityHash } = await ask(many, options);
      digest.update(activityHash);
      const shown = `${profile}: ${count.toLocaleString('en')} vats, one after the other`;
      const params = { vats: count };
      figures.push({ name: `${shown}: each`, unit: 'ms', ...spreadOf(eachMs), params });
      const tenth = Math.ceil(eachMs.length / 10);
      figures.push({
        name: `${shown}: each of the last tenth`,
        unit: 'ms',
        ...spreadOf(eachMs.slice(-tenth)),
        params,
      });
      for (const [kind, what, unit] of kinds) {
        const left = (after[kind] - before[kind]) / count;
        figures.push({ name: `${shown}: ${what}`, unit, ...spreadOf([left]), params });
      }
    }
    for (const profile of profiles) {
      /** @type {LargeOptions} */
      const options = { size, profile };
      /** @type {LargeResult} */
      const { usualMs, endingMs, activityHash } = await ask(large, options);
      digest.update(activityHash);
      const objects = size.toLocaleString('en');
      const params = { objects: size, keys: size, cranks: 200 };
      const shown = `${profile}: a block beside a vat of ${objects} objects and keys`;
      figures.push(
        { name: `${shown}`, unit: 'ms', ...spreadOf(usualMs), params },
        { name: `${shown} that is deleted`, unit: 'ms', ...spreadOf(endingMs), params },
      );
    }
    return { figures, digest: digest.digest('hex') };
  },
};
