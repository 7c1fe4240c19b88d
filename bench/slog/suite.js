// Measures a slog: cranks of demos/pingpong in memory with and without one, in alternating
// processes.

import { spreadOf } from '#measure';
import { ask } from '../process.js';

/** @import { Figure } from '#measure' */
/** @import { Suite } from '../suite.js' */
/** @import { RunOptions, RunResult } from './run.js' */

const module = new URL('run.js', import.meta.url);

const nsPerUs = 1_000;

/** @param {RunOptions} options @returns {Promise<RunResult>} */
const run = options => ask(module, options);

/** @type {Suite} */
export default {
  about: 'what --slog adds to a crank of demos/pingpong in memory, with a block a round',
  async run({ small }) {
    const { turns, ...size } = small
      ? { turns: 1, warmup: 50, batches: 3, batch: 20 }
      : { turns: 9, warmup: 3_000, batches: 50, batch: 100 };
    /** @type {RunResult[]} */
    const plain = [];
    /** @type {RunResult[]} */
    const slogged = [];
    for (let turn = 0; turn < turns; turn += 1) {
      plain.push(await run({ hasSlog: false, ...size }));
      slogged.push(await run({ hasSlog: true, ...size }));
    }
    const [{ activityHash }] = plain;
    if ([...plain, ...slogged].some(one => one.activityHash !== activityHash))
      throw Error('a slog changed the run');

    const medianUs = (/** @type {RunResult} */ { crankNs }) => spreadOf(crankNs).median / nsPerUs;
    const plainUs = plain.map(medianUs);
    const sloggedUs = slogged.map(medianUs);
    /** @type {(name: string, unit: string, values: number[]) => Figure} */
    const figure = (name, unit, values) => ({
      name,
      unit,
      ...spreadOf(values),
      params: { turns, ...size },
    });
    return {
      figures: [
        figure('a crank without a slog, medians of processes', 'us', plainUs),
        figure('a crank with a slog, medians of processes', 'us', sloggedUs),
        figure(
          'what the slog adds to a crank, turn by turn',
          'us',
          sloggedUs.map((us, turn) => us - plainUs[turn]),
        ),
        figure('a crank in the slog', 'bytes', [slogged[0].bytesPerCrank]),
      ],
      digest: activityHash,
    };
  },
};
