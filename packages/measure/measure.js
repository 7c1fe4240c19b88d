// Timing loops. A contestant repeats its operation n times in a batch; the figure is time over n,
// and its spread is over the batches. Contestants take turns, batch by batch, so that other load
// affects all of them.

import { Fail } from '#model';
import { spreadOf } from './spread.js';

/** @import { Figure } from './rows.js' */

const nsPerUnit = Object.freeze({ ns: 1, us: 1_000, ms: 1_000_000 });

/** The largest number of repetitions in a batch. */
const mostPerBatch = 2 ** 26;

/**
 * @typedef {object} Contestant
 * @property {string} name
 * @property {() => void | Promise<void>} [setup]  before each batch; not measured
 * @property {(n: number) => unknown} run  repeats the operation n times; a promise is awaited, and
 *   the wait is measured. It should return its result, otherwise the engine may remove the
 *   computation
 */

/**
 * @typedef {object} LoopOptions
 * @property {'ns' | 'us' | 'ms'} [unit]  of the figures, for one repetition; `ns` by default
 * @property {number} [batches]  15 by default
 * @property {number} [perBatch]  repetitions in a batch; by default as many as take `batchMs`
 * @property {number} [batchMs]  4 by default
 * @property {number} [warmupMs]  the time that each contestant runs before the measurement; 30 by
 *   default
 * @property {Record<string, unknown>} [params]  added to the figures
 */

/** Uses results of loops, so that the engine does not remove the loops. */
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
 * Let the engine compile the loop, and determine the number of repetitions in a batch.
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
 * Measure several contestants in turns.
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
 * Measure one contestant.
 *
 * @param {Contestant & LoopOptions} contestant
 * @returns {Promise<Figure>}
 */
export const measure = async ({ name, setup, run, ...options }) => {
  const [figure] = await measureInTurns([{ name, setup, run }], options);
  return figure;
};
