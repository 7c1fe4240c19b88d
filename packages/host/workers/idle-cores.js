// Measures how many cores of the machine are idle: on a core that another process needs, a thread gains nothing.

import { cpus } from 'node:os';
import { performance } from 'node:perf_hooks';

/** The time of an idle core has a resolution of ten milliseconds, so shorter intervals are not measured. */
const leastMs = 60;

/** Milliseconds for which the cores did nothing, or something that anything else precedes. */
const readIdleMs = () => cpus().reduce((sum, { times }) => sum + times.idle + times.nice, 0);

export class IdleCores {
  #sinceMs = performance.now();

  #idleMs = readIdleMs();

  /** The mean in the last interval; undefined before its end. @type {number | undefined} */
  #last;

  /** @returns {number | undefined} the mean number since the last call or, after a short time, in the interval before it */
  measure() {
    const nowMs = performance.now();
    if (nowMs - this.#sinceMs >= leastMs) {
      const idleMs = readIdleMs();
      this.#last = (idleMs - this.#idleMs) / (nowMs - this.#sinceMs);
      this.#sinceMs = nowMs;
      this.#idleMs = idleMs;
    }
    return this.#last;
  }
}
