// Bounds that a person sets on a run that may be endless: cranks, and microsteps of one instant.

import { formatExactDuration, UserError } from '#model';

/** @import { Kernel } from '#kernel' */
/** @import { Tag } from '#model' */

/**
 * @typedef {object} LimitOptions
 * @property {number} [maxCranksInAll=Infinity]  of the whole run, including cranks before a resume
 * @property {number} [maxMicrosteps=Infinity]  of one instant, counted from the last time the queue was empty or the run
 *   was resumed
 */

/**
 * @param {Pick<Kernel, 'cranks' | 'now' | 'nextTag' | 'describeNext'>} kernel
 * @param {LimitOptions} options
 */
export const makeLimits = (kernel, { maxCranksInAll = Infinity, maxMicrosteps = Infinity }) => {
  // Items of the very beginning are at microstep 0.
  let rest = kernel.cranks.all === 0 ? { timeNs: 0, microstep: -1 } : kernel.now;

  /** @param {Tag} next */
  const microstepsLeft = next => {
    const before = next.timeNs === rest.timeNs ? rest.microstep : -1;
    return before + maxMicrosteps + 1 - next.microstep;
  };

  const isUnlimited = maxCranksInAll === Infinity && maxMicrosteps === Infinity;

  const cranksLeft = () => maxCranksInAll - kernel.cranks.all;

  return Object.freeze({
    /** To be called when the queue is empty: items that the host queues now begin a new count. */
    noteRest() {
      if (!isUnlimited) rest = kernel.now;
    },

    /**
     * The number of cranks that may run before the next check: a crank advances by at most one microstep.
     *
     * @returns {number} 0 or less if a limit is reached and the queue is not empty
     */
    room() {
      if (isUnlimited) return Infinity;
      const next = kernel.nextTag;
      return next === undefined ? Infinity : Math.min(cranksLeft(), microstepsLeft(next));
    },

    /** The error that ends the run when there is no room. */
    makeError() {
      const next = `next is ${kernel.describeNext()}`;
      const remedy = 'to go on, give a larger number, and --resume if the state is not in memory';
      const [flag, what] =
        cranksLeft() <= 0
          ? [`--max-cranks ${maxCranksInAll}`, 'the run has done so many cranks and is not over']
          : [
              `--max-microsteps ${maxMicrosteps}`,
              `the instant at ${formatExactDuration(kernel.now.timeNs)} has had so many microsteps and is not over`,
            ];
      return new UserError(`${flag}: ${what}; ${next}; ${remedy}`, { exitCode: 1 });
    },
  });
};

/** @typedef {ReturnType<typeof makeLimits>} Limits */
