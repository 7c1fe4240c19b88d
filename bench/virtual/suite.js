// Virtual and durable data of a vat: entries of a large collection, objects of a durable kind, and
// the upgrade of a vat with many of them.

import { spreadOf } from '#measure';
import { askInTurns } from '../process.js';
import { digestOf } from '../suite.js';

/** @import { Suite } from '../suite.js' */
/** @import { RunOptions, RunResult } from './run.js' */

const module = new URL('run.js', import.meta.url);

/** Figures of a run. @type {[what: Exclude<keyof RunResult, 'activityHash'>, shown: (options: RunOptions) => string, unit: string][]} */
const kinds = [
  ['initUs', ({ entries }) => `a map of ${entries.toLocaleString('en')} entries: add one`, 'us'],
  ['getUs', ({ entries }) => `a map of ${entries.toLocaleString('en')} entries: get one`, 'us'],
  ['setUs', ({ entries }) => `a map of ${entries.toLocaleString('en')} entries: set one`, 'us'],
  [
    'memoryMb',
    ({ entries }) => `a map of ${entries.toLocaleString('en')} entries: heap and external memory`,
    'MB',
  ],
  ['makeUs', ({ objects }) => `${objects.toLocaleString('en')} durable objects: make one`, 'us'],
  ['callUs', ({ objects }) => `${objects.toLocaleString('en')} durable objects: change one`, 'us'],
  [
    'upgradeMs',
    ({ objects }) => `upgrade a vat with ${objects.toLocaleString('en')} of them`,
    'ms',
  ],
];

/** @type {Suite} */
export default {
  about: 'entries of a virtual collection, durable objects, and the upgrade of a vat with many',
  async run({ small }) {
    /** @type {RunOptions} */
    const options = small
      ? { entries: 200, objects: 50, inCrank: 50 }
      : { entries: 1_000_000, objects: 100_000, inCrank: 1_000 };
    const turns = small ? 1 : 3;
    /** @type {RunResult[][]} */
    const [taken] = await askInTurns(module, [options], turns);
    return {
      figures: kinds.map(([kind, shown, unit]) => ({
        name: shown(options),
        unit,
        ...spreadOf(taken.map(one => one[kind])),
        params: { turns, ...options },
      })),
      digest: digestOf(taken[0].activityHash),
    };
  },
};
