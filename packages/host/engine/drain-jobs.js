// `drain()` runs a vat until it has no runnable job left, promise jobs and Node's ticks. The function is chosen once
// at start. The quick one is Node's undocumented `process._tickCallback()`, which drains both queues synchronously if
// called from a macrotask; inside a promise job (an async function, a module's body) it returns at once. So the loop
// that runs cranks is started with `setImmediate`, and no crank runs elsewhere (promise-hooks.js).

import process from 'node:process';

/**
 * @typedef {object} Drain
 * @property {() => void | Promise<void>} drain  returns when no job is left, or returns a promise for that if `kind` is
 *   `immediate`
 * @property {'tickCallback' | 'immediate'} kind
 */

/** Environment variable: `immediate` selects the fallback, for its conformance run. */
export const drainVariable = 'SWINGSET_RUNNER_DRAIN';

/** Jobs in the probe's chain: more than one, to distinguish a single checkpoint from a full drain. */
const probeTurns = 5;

/** The used members of `process`. @typedef {{ _tickCallback?: () => void }} ProcessWithTicks */

/**
 * Tell whether `drain` empties the queues of promise jobs and ticks before it returns. To be called from a macrotask.
 *
 * @param {() => void} drain
 */
const isEmptiedBy = drain => {
  let turns = 0;
  let ticks = 0;
  const chain = async () => {
    for (let i = 0; i < probeTurns; i += 1) {
      await null;
      turns += 1;
    }
    process.nextTick(() => {
      ticks += 1;
      Promise.resolve().then(() => {
        ticks += 1;
      });
    });
  };
  // The probe must not fail the run: the fallback always works.
  chain().catch(() => {});
  try {
    drain();
  } catch {
    return false;
  }
  return turns === probeTurns && ticks === 2;
};

/**
 * The fallback: when the next turn of the event loop begins, all runnable jobs have run. It is four to ten times slower
 * than a tick callback, and asynchronous.
 *
 * @returns {Promise<void>}
 */
const drainByImmediate = () => new Promise(resolve => setImmediate(resolve));

/** @type {Drain} */
const immediate = Object.freeze({ drain: drainByImmediate, kind: 'immediate' });

/** @param {() => void} tickCallback @returns {Drain} */
const makeTickDrain = tickCallback =>
  Object.freeze({ drain: () => tickCallback.call(process), kind: 'tickCallback' });

/**
 * Choose the way of settling that works on this Node.
 *
 * @param {{ force?: 'immediate', env?: Record<string, string | undefined> }} [options]  `force` is for tests
 * @returns {Promise<Drain>}
 */
export const probeDrain = ({ force, env = process.env } = {}) => {
  if (force === 'immediate' || env[drainVariable] === 'immediate') {
    return Promise.resolve(immediate);
  }
  return new Promise(resolve => {
    setImmediate(() => {
      const { _tickCallback: tickCallback } = /** @type {ProcessWithTicks} */ (
        /** @type {unknown} */ (process)
      );
      if (typeof tickCallback !== 'function') {
        resolve(immediate);
        return;
      }
      const quick = makeTickDrain(tickCallback);
      resolve(isEmptiedBy(quick.drain) ? quick : immediate);
    });
  });
};
