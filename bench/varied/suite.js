// Compares rounds whose messages differ from those of the round before with the demos, whose rounds
// are all alike: caches of the last message gain nothing if it never recurs.

import { spreadOf } from '#measure';
import { askInTurns } from '../process.js';
import { digestOf } from '../suite.js';

/** @import { Figure } from '#measure' */
/** @import { Suite } from '../suite.js' */
/** @import { RunOptions, RunResult } from './run.js' */

const module = new URL('run.js', import.meta.url);

const programs = /** @type {const} */ ([
  { name: 'pingpong', demo: 'demos/pingpong', size: 'short' },
  { name: 'pingpong, another text each time', demo: 'bench/varied/pingpong', size: 'short' },
  { name: 'exchange', demo: 'demos/exchange', size: 'long' },
  { name: 'exchange, another amount each time', demo: 'bench/varied/exchange', size: 'long' },
]);

/** @param {number[]} values */
const meanOf = values => values.reduce((sum, value) => sum + value, 0) / values.length;

/** @type {Suite} */
export default {
  about:
    'a round of demos/pingpong and demos/exchange beside rounds whose messages differ each time',
  async run({ small }) {
    const turns = small ? 1 : 5;
    const sizes = small
      ? { short: { warmup: 5, rounds: 20 }, long: { warmup: 2, rounds: 5 } }
      : { short: { warmup: 2_000, rounds: 10_000 }, long: { warmup: 300, rounds: 600 } };
    /** @type {RunOptions[]} */
    const cases = programs.map(({ demo, size }) => ({ demo, ...sizes[size] }));
    /** @type {RunResult[][]} */
    const results = await askInTurns(module, cases, turns);
    const figures = programs.flatMap(({ name, demo, size }, i) => {
      const taken = results[i];
      for (const { activityHash } of taken)
        if (activityHash !== taken[0].activityHash)
          throw Error(`${demo}: equal rounds gave different activity hashes`);
      const params = { demo, turns, ...sizes[size] };
      /** @type {(what: string, values: number[]) => Figure} */
      const figure = (what, values) => ({
        name: `${name}: a round, ${what}`,
        unit: 'us',
        ...spreadOf(values),
        params,
      });
      return [
        figure(
          'medians',
          taken.map(({ roundUs }) => spreadOf(roundUs).median),
        ),
        figure(
          'means',
          taken.map(({ roundUs }) => meanOf(roundUs)),
        ),
        figure(
          'processor time of all threads',
          taken.map(({ processorUs }) => processorUs),
        ),
      ];
    });
    return { figures, digest: digestOf(...results.map(([first]) => first.activityHash)) };
  },
};
