// Measures a wake-up by the number of waiting ones: in the timer vat's own schedule, and in a run,
// from the message that sets it to the message that wakes. Neither may grow faster than
// the logarithm.

import { measureInTurns, spreadOf } from '#measure';
import { Schedule } from '../../packages/system-vats/timer/schedule.js';
import { askInTurns } from '../process.js';
import { digestOf } from '../suite.js';

/** @import { Figure } from '#measure' */
/** @import { Suite } from '../suite.js' */
/** @import { RunOptions, RunResult } from './run.js' */

const module = new URL('run.js', import.meta.url);

/** Unordered times, the same in every run. @param {number} i */
const scatter = i => (i * 2_654_435_761) % 4_294_967_291;

/** @param {number} pending */
const makeContestants = pending => {
  /** @type {Schedule<{ time: number }>} */
  const schedule = new Schedule();
  let next = 0;
  const add = () => {
    const event = { time: scatter(next) };
    next += 1;
    schedule.add(event.time, event);
    return event;
  };
  for (let i = 0; i < pending; i += 1) add();
  const shown = pending.toLocaleString('en');
  return [
    {
      name: `schedule: add and remove, ${shown} waiting`,
      run(/** @type {number} */ n) {
        for (let i = 0; i < n; i += 1) {
          const event = add();
          schedule.remove(event.time, event);
        }
        return next;
      },
    },
    {
      name: `schedule: add and take the first, ${shown} waiting`,
      run(/** @type {number} */ n) {
        for (let i = 0; i < n; i += 1) {
          add();
          schedule.takeUpTo(/** @type {number} */ (schedule.first));
        }
        return next;
      },
    },
  ];
};

/** In the vat of the current profile, and in the device of 2020-09. @param {number[]} sizes @returns {RunOptions[]} */
const listCases = sizes => [
  ...sizes.map(size => ({ size, sameTime: false, profile: /** @type {const} */ ('current') })),
  { size: sizes[1], sameTime: true, profile: 'current' },
  { size: sizes[1], sameTime: false, profile: '2020-09' },
  { size: sizes[1], sameTime: true, profile: '2020-09' },
];

/** @type {Suite} */
export default {
  about: 'a wake-up by how many are waiting, in the schedule and in a run',
  async run({ small }) {
    const sizes = small ? [10, 100] : [1_000, 10_000, 100_000];
    const turns = small ? 1 : 3;
    const options = small ? { batches: 2, perBatch: 10, warmupMs: 0 } : {};
    /** @type {Figure[]} */
    const figures = await measureInTurns(sizes.flatMap(makeContestants), options);
    const cases = listCases(sizes);
    /** @type {RunResult[][]} */
    const taken = await askInTurns(module, cases, turns);
    for (const [i, { size, sameTime, profile }] of cases.entries()) {
      const when = sameTime ? 'at one time' : 'at their own times';
      for (const kind of /** @type {const} */ (['set', 'wake'])) {
        figures.push({
          name: `${profile}: ${kind} one of ${size.toLocaleString('en')} ${when}`,
          unit: 'us',
          ...spreadOf(taken[i].map(result => (result[`${kind}Ms`] * 1_000) / size)),
          params: { processes: turns },
        });
      }
    }
    return { figures, digest: digestOf(...taken.map(([first]) => first.activityHash)) };
  },
};
