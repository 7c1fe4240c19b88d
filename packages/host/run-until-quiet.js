// The loop of `simulation.run()`: it runs one block at a time until nothing is queued; calls enter between blocks. A
// repeating timer keeps an item queued for ever, so the number of devices' wake-ups is bounded.

import { formatExactDuration, insistOptions, UserError } from '#model';
import { insistCount, insistNumber } from './insist.js';
import { insistRealTime } from './real-time.js';

/** @import { Kernel } from '#kernel' */
/** @import { OptionRule } from '#model' */
/** @import { Caller } from './calls/index.js' */
/** @import { RealTime } from './real-time.js' */

/** Wake-ups in one run above which a timer probably repeats for ever. */
const usualMostWakes = 10_000;

/**
 * @typedef {object} RunPolicy
 * @property {number} [blockSize=200]  cranks in a block
 * @property {number} [maxCranks=Infinity]  stop after so many cranks
 * @property {number} [untilNs=Infinity]  stop before items of a later logical time; nanoseconds since the start of the
 *   run
 * @property {number} [maxWakes]  throw after so many wake-ups of timers and other devices; by default 10,000, or no
 *   bound if `maxCranks`, `untilNs` or `realTime` is given
 * @property {RealTime} [realTime]  wait for physical time; by default logical time advances at once
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
 * @param {() => number} powers.countWakes  number of devices' wake-ups in this process
 * @param {RunPolicy} policy
 * @returns {Promise<number>} cranks run
 * @throws {TypeError} if the policy has an unknown name or a value of a wrong type
 * @throws {UserError} if a number of the policy is too small or NaN, or `maxWakes` is reached; committed blocks stay
 */
export const runUntilQuiet = async (powers, policy) => {
  insistOptions('run()', policy, policyRules);
  const { kernel, runCranks, commit, caller, countWakes } = powers;
  const { blockSize = 200, maxCranks = Infinity, untilNs = Infinity, realTime } = policy;
  const isBounded = maxCranks < Infinity || untilNs < Infinity || realTime !== undefined;
  const { maxWakes = isBounded ? Infinity : usualMostWakes, onBlock = () => {} } = policy;
  insistRealTime('run()', realTime);
  insistCount('blockSize', blockSize, 1);
  insistCount('maxCranks', maxCranks, 0);
  insistNumber('untilNs', untilNs, 0);
  insistCount('maxWakes', maxWakes, 0);
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
