// Measures how many cores of the machine are left to this process: on a core that another process needs, a thread gains
// nothing. The process's own use counts as free: the engine's threads, which compile and collect, and worker threads that
// start take most of a second core in the first seconds, when vats had better move.

import { cpus, getPriority } from 'node:os';
import { performance } from 'node:perf_hooks';
import process from 'node:process';

/** The time of an idle core has a resolution of ten milliseconds, so shorter intervals are not measured. */
const leastMs = 60;

/** @typedef {{ nowMs: () => number, idleMs: () => number, ownMs: () => number }} Clocks */

/** @type {Clocks} */
const machineClocks = {
  nowMs: () => performance.now(),
  // All cores count: doing nothing, or something that this process precedes. That is all with a low priority, unless it
  // has one itself: then its own time is among it.
  idleMs: () => {
    const isPreceding = getPriority() <= 0;
    return cpus().reduce((sum, { times }) => sum + times.idle + (isPreceding ? times.nice : 0), 0);
  },
  // All threads of the process count.
  ownMs: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
};

export class FreeCores {
  #clocks;

  #sinceMs;

  #freeMs;

  /** The mean in the last interval; undefined before its end. @type {number | undefined} */
  #last;

  /** @param {Clocks} [clocks] */
  constructor(clocks = machineClocks) {
    this.#clocks = clocks;
    this.#sinceMs = clocks.nowMs();
    this.#freeMs = clocks.idleMs() + clocks.ownMs();
  }

  /** @returns {number | undefined} the mean number since the last call or, after a short time, in the interval before it */
  measure() {
    const { nowMs, idleMs, ownMs } = this.#clocks;
    const now = nowMs();
    if (now - this.#sinceMs >= leastMs) {
      const freeMs = idleMs() + ownMs();
      this.#last = (freeMs - this.#freeMs) / (now - this.#sinceMs);
      this.#sinceMs = now;
      this.#freeMs = freeMs;
    }
    return this.#last;
  }
}
