// The loop of `simulation.run()`: a block at a time until nothing is queued, with calls entering between blocks. A timer that
// repeats leaves something queued for ever, so wake-ups of devices are counted and bounded.

import { formatExactDuration, insistOptions, UserError } from '#model';
import { insistNumber } from './insist-number.js';

/** @import { Kernel } from '#kernel' */
/** @import { OptionRule } from '#model' */
/** @import { Caller } from './calls/index.js' */
/** @import { RealTime } from './real-time.js' */

/** A timer that fires so often in one run repeats, most likely. */
const usualMostWakes = 10_000;

/**
 * @typedef {object} RunPolicy
 * @property {number} [blockSize=200]  cranks a block
 * @property {number} [maxCranks=Infinity]  stop after so many
 * @property {number} [untilNs=Infinity]  stop before logical time goes beyond; nanoseconds since the start of the run
 * @property {number} [maxWakes]  fail after so many wake-ups of timers and other devices, as a timer that repeats for ever
 *   has; 10,000 by default, no bound where `maxCranks`, `untilNs` or `realTime` is given
 * @property {RealTime} [realTime]  wait for physical time; by default logical time leaps
 * @property {(cranks: number) => void} [onBlock]  after each commit
 */

/** @type {Readonly<Record<keyof RunPolicy, OptionRule>>} */
const policyRules = Object.freeze({
  blockSize: 'number',
  maxCranks: 'number',
  untilNs: 'number',
  maxWakes: 'number',
  realTime: 'object',
  onBlock: 'function',
});

/**
 * @param {object} powers
 * @param {Kernel} powers.kernel
 * @param {(limit: number, untilNs: number) => Promise<number>} powers.runCranks
 * @param {() => Promise<void>} powers.commit
 * @param {Caller} powers.caller
 * @param {() => number} powers.countWakes  of devices, so far in this process
 * @param {RunPolicy} policy
 * @returns {Promise<number>} cranks run
 * @throws {TypeError} the policy has a name or a type that it cannot have
 * @throws {UserError} a number of the policy is too small or NaN; `maxWakes` is reached, and what was committed stays
 */
export const runUntilQuiet = async (powers, policy) => {
  insistOptions('run()', policy, policyRules);
  const { kernel, runCranks, commit, caller, countWakes } = powers;
  const { blockSize = 200, maxCranks = Infinity, untilNs = Infinity, realTime } = policy;
  const isBounded = maxCranks < Infinity || untilNs < Infinity || realTime !== undefined;
  const { maxWakes = isBounded ? Infinity : usualMostWakes, onBlock = () => {} } = policy;
  insistNumber('blockSize', blockSize, 1);
  insistNumber('maxCranks', maxCranks, 0);
  insistNumber('untilNs', untilNs, 0);
  insistNumber('maxWakes', maxWakes, 0);
  const { calls, driver } = caller;
  const wakesBefore = countWakes();
  realTime?.begin(kernel);
  let total = 0;
  while (total < maxCranks) {
    const entered = driver.enter(blockSize);
    if (kernel.isQuiet && entered === 0) break;
    const nextNs = kernel.nextTimeNs ?? 0;
    if (nextNs > untilNs) break;
    if (countWakes() - wakesBefore >= maxWakes) throw tooManyWakes(kernel, maxWakes);
    const boundNs = Math.min(untilNs, realTime?.elapsedNs() ?? Infinity);
    if (nextNs > boundNs) {
      await realTime?.nap(nextNs);
      continue;
    }
    const cranks = await runCranks(Math.min(blockSize, maxCranks - total), boundNs);
    realTime?.save(kernel);
    calls.collect();
    await commit();
    calls.committed();
    total += cranks;
    onBlock(cranks);
  }
  return total;
};

/** @param {Kernel} kernel @param {number} maxWakes */
const tooManyWakes = (kernel, maxWakes) =>
  new UserError(
    `run() has come to logical time ${formatExactDuration(kernel.now.timeNs)} by ${maxWakes} wake-ups of devices and is not over: next is ${kernel.describeNext()}; where a timer repeats, give run() untilNs, maxCranks or a larger maxWakes, or start() the simulation in the background`,
    { exitCode: 1 },
  );
