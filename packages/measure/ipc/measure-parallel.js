// `bench ipc --parallel`: the same loops on 1 to N cores at once, each in a thread with a kernel of
// its own. The threads share only the machine: caches, memory and clock rate.

import { Worker } from 'node:worker_threads';
import { openCounters } from '#native';
import { describeNoise, watchNoise } from '../noise.js';
import { distributionOf } from './distribution.js';
import { nextMessage } from './next-message.js';

/** @import { Counters } from '#native' */
/** @import { Distribution } from './distribution.js' */

/** The measured paths: intra and syscall, as in L4Re's plots. */
const parallelPaths = Object.freeze(['reactor to reactor', 'eventual send', 'store read, memory']);

/**
 * @typedef {object} ParallelRow
 * @property {string} name  of the path
 * @property {number} cores  that made calls at once
 * @property {number} together  calls of one sample
 * @property {Distribution} figures  in ticks of the timer, over the calls of all cores
 * @property {number} ns  the median in nanoseconds
 */

/**
 * @typedef {object} ParallelResult
 * @property {Counters['timer']} timer
 * @property {string} processor
 * @property {string} noise
 * @property {boolean} isPinned
 * @property {string} [pinProblem]  why not
 * @property {ParallelRow[]} rows
 */

/** A command to a worker. @typedef {{ path: string, calls: number, active: number } | { end: true }} Order */

/**
 * @param {object} [options]
 * @param {number} [options.calls]  of each path on each core; 50,000 by default
 * @param {number} [options.mostCores]  by default all that the process may use
 * @param {(what: string) => void} [options.onProgress]
 * @returns {Promise<ParallelResult>}
 */
export const measureParallel = async ({
  calls = 50_000,
  mostCores,
  onProgress = () => {},
} = {}) => {
  const { cores, timer, processor } = openCounters();
  const { availableParallelism } = await import('node:os');
  const usable =
    cores.length > 0 ? [...cores] : Array.from({ length: availableParallelism() }, (_, i) => i);
  const used = usable.slice(0, mostCores);
  const endWatch = await watchNoise();
  /** The number of threads that are ready; all begin when the last one is. */
  const gate = new Int32Array(new SharedArrayBuffer(8));
  onProgress(`starting ${used.length} threads`);
  const workers = used.map(
    core =>
      new Worker(new URL('parallel-worker.js', import.meta.url), {
        workerData: { core, gate },
        execArgv: [],
      }),
  );
  try {
    const greetings = await Promise.all(workers.map(nextMessage));
    const problem = greetings.find(({ pinProblem }) => pinProblem !== undefined)?.pinProblem;
    /** @type {ParallelRow[]} */
    const rows = [];
    for (const path of parallelPaths) {
      for (let count = 1; count <= workers.length; count += 1) {
        onProgress(`${path} on ${count} of ${workers.length} cores`);
        Atomics.store(gate, 0, 0);
        const running = workers.slice(0, count).map(worker => {
          worker.postMessage({ path, calls, active: count });
          return nextMessage(worker);
        });
        /** @type {{ values: Float64Array, together: number }[]} */
        const answers = await Promise.all(running);
        const samples = answers.map(({ values }) => values);
        const joined = new Float64Array(samples.reduce((sum, { length }) => sum + length, 0));
        let at = 0;
        for (const each of samples) {
          joined.set(each, at);
          at += each.length;
        }
        const figures = distributionOf(joined);
        const [{ together }] = answers;
        rows.push({
          name: path,
          cores: count,
          together,
          figures,
          ns: (figures.median * 1e9) / timer.hz,
        });
      }
    }
    return {
      timer,
      processor,
      noise: describeNoise(await endWatch()),
      isPinned: problem === undefined,
      ...(problem !== undefined && { pinProblem: problem }),
      rows,
    };
  } finally {
    for (const worker of workers) await worker.terminate();
  }
};
