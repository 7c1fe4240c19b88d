// Timing loops. A contestant does its thing n times in a batch; the figure is time over n, and its spread is over
// the batches. Contestants take turns, batch by batch, so that a noisy neighbour hits every one of them.

import { Fail } from '#model';
import { spreadOf } from './spread.js';

/** @import { Figure } from './rows.js' */

const nsPerUnit = Object.freeze({ ns: 1, us: 1_000, ms: 1_000_000 });

/** However quick the thing, a batch does not repeat it more often. */
const mostPerBatch = 2 ** 26;

/**
 * @typedef {object} Contestant
 * @property {string} name
 * @property {() => void | Promise<void>} [setup]  before each batch; not measured
 * @property {(n: number) => unknown} run  does the thing n times; a promise is waited for, and the wait is measured.
 *   Whatever it computes it should return, or else the engine may leave out computing it
 */

/**
 * @typedef {object} LoopOptions
 * @property {'ns' | 'us' | 'ms'} [unit]  of the figures, for doing the thing once; `ns` by default
 * @property {number} [batches]  15 by default
 * @property {number} [perBatch]  how often the thing is done in a batch; by default as often as `batchMs` takes
 * @property {number} [batchMs]  4 by default
 * @property {number} [warmupMs]  each contestant runs for so long before anything counts; 30 by default
 * @property {Record<string, unknown>} [params]  told with the figures
 */

/** Results of loops. The engine cannot know that nobody reads them, so it does not remove the loops. */
let sink = 0;

/**
 * @param {Contestant} contestant
 * @param {number} n
 * @returns {Promise<number>} nanoseconds of the whole batch
 */
const timeBatch = async ({ setup, run }, n) => {
  if (setup) await setup();
  const start = process.hrtime.bigint();
  const result = run(n);
  const awaited = result instanceof Promise ? await result : result;
  const elapsedNs = Number(process.hrtime.bigint() - start);
  sink += awaited === null ? 1 : 0;
  return elapsedNs;
};

/**
 * Let the engine compile the loop, and find out how often the thing fits into a batch.
 *
 * @param {Contestant} contestant
 * @param {Required<Pick<LoopOptions, 'batchMs' | 'warmupMs'>> & Pick<LoopOptions, 'perBatch'>} options
 */
const warmUp = async (contestant, { perBatch, batchMs, warmupMs }) => {
  const untilMs = performance.now() + warmupMs;
  let n = perBatch ?? 1;
  for (;;) {
    const elapsedMs = (await timeBatch(contestant, n)) / nsPerUnit.ms;
    const isOver = performance.now() >= untilMs;
    if (perBatch !== undefined) {
      if (isOver) return perBatch;
    } else if (elapsedMs >= batchMs / 2 || n >= mostPerBatch) {
      const fitting = Math.ceil((n * batchMs) / Math.max(elapsedMs, 1e-6));
      n = Math.min(Math.max(fitting, 1), mostPerBatch);
      if (isOver) return n;
    } else {
      n *= 2;
    }
  }
};

/**
 * Measure several ways of doing a thing, in turns.
 *
 * @param {Contestant[]} contestants
 * @param {LoopOptions} [options]
 * @returns {Promise<Figure[]>} one for each, in their order; `n` is the number of batches
 */
export const measureInTurns = async (contestants, options = {}) => {
  const { unit = 'ns', batches = 15, batchMs = 4, warmupMs = 30, perBatch, params } = options;
  batches >= 1 || Fail`${batches} batches; there must be one at least`;
  const scale = nsPerUnit[unit] ?? Fail`unit ${unit}; there are ns, us and ms`;
  const runs = [];
  for (const contestant of contestants) {
    const n = await warmUp(contestant, { perBatch, batchMs, warmupMs });
    runs.push({ contestant, n, samples: new Float64Array(batches) });
  }
  for (let batch = 0; batch < batches; batch += 1) {
    for (const { contestant, n, samples } of runs) {
      samples[batch] = (await timeBatch(contestant, n)) / n / scale;
    }
  }
  Number.isFinite(sink) || Fail`a loop computed ${sink}`;
  return runs.map(({ contestant, n, samples }) => ({
    name: contestant.name,
    unit,
    ...spreadOf(samples),
    params: { perBatch: n, ...params },
  }));
};

/**
 * Measure one thing.
 *
 * @param {Contestant & LoopOptions} contestant
 * @returns {Promise<Figure>}
 */
export const measure = async ({ name, setup, run, ...options }) => {
  const [figure] = await measureInTurns([{ name, setup, run }], options);
  return figure;
};
