// The ends that a person sets to a run that may have none: so many cranks, so many microsteps of one instant.

import { formatExactDuration, UserError } from '#model';

/** @import { Kernel } from '#kernel' */
/** @import { Tag } from '#model' */

/**
 * @typedef {object} LimitOptions
 * @property {number} [maxCranksInAll=Infinity]  of the whole run, with those before it was resumed
 * @property {number} [maxMicrosteps=Infinity]  of one instant, counted from where everything was at rest or the run was resumed
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
    /** Everything has come to rest; what the host queues now is no part of what was before. */
    noteRest() {
      if (!isUnlimited) rest = kernel.now;
    },

    /**
     * How many cranks may run before this is asked again: a crank leads at most one microstep further.
     *
     * @returns {number} 0 or less if a limit is reached and something is left to do
     */
    room() {
      if (isUnlimited) return Infinity;
      const next = kernel.nextTag;
      return next === undefined ? Infinity : Math.min(cranksLeft(), microstepsLeft(next));
    },

    /** The error that ends the run when there is no room. */
    makeError() {
      const next = `next is ${kernel.describeNext()}`;
      const remedy = 'what was committed stays; to go on, give a larger number and --resume';
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
