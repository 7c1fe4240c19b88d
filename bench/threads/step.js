// Measures how long a step of work takes here, so that cranks of the conversations have the same length on all machines.

import { ask } from '../process.js';

/** @import { RunResult } from './run.js' */

const module = new URL('run.js', import.meta.url);

/** Steps of a ball in the run that is compared with one without any. */
const knownSteps = 50_000;

export const conversations = 'bench/threads/conversations';

/**
 * @param {boolean} small
 * @returns {Promise<{ digest: string, stepUs: number }>} the time of a step at each ball, as its mean share of all cranks:
 *   half of them are balls, the others notify of results
 */
export const measureStep = async small => {
  const size = small ? { warmup: 1, rounds: 2 } : { warmup: 20, rounds: 40 };
  const options = { program: conversations, ...size, workers: 0 };
  const runOf = (/** @type {number} */ steps) =>
    /** @type {Promise<RunResult>} */ (ask(module, { ...options, argv: [`work=${steps}`] }));
  const [none, known] = [await runOf(0), await runOf(knownSteps)];
  return {
    digest: known.activityHash,
    stepUs: (known.roundUs - none.roundUs) / known.cranks / knownSteps,
  };
};
