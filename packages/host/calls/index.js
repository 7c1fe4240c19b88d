// The methods of a simulation for calls, handles and the background loop.

import { placed } from '#loader';
import { describeGiven, insistOptions, UserError } from '#model';
import { insistCount, insistNumber } from '../insist.js';
import { insistRealTime } from '../real-time.js';
import { Calls } from './calls.js';
import { Driver } from './driver.js';

/** @import { Kernel } from '#kernel' */
/** @import { OptionRule } from '#model' */
/** @import { SimulationStore } from '../simulation/options.js' */
/** @import { StartOptions } from './driver.js' */
/** @import { Handle } from './handles.js' */
/** @import { CallPowers } from './entry.js' */
/** @import { BlockPowers } from './slices.js' */

/**
 * @typedef {object} CallOptions
 * @property {number} [maxCalls=100000]  bound on waiting calls; more are rejected with a `CallError` whose code is
 *   `QUEUE_FULL`
 * @property {number} [timeoutMs=30000]  default timeout of a call; `Infinity` for none
 */

/**
 * @typedef {object} OneCallOptions
 * @property {number} [timeoutMs]  timeout of this call; default: the simulation's `calls.timeoutMs`
 */

/**
 * @typedef {object} StopOptions
 * @property {number} [withinMs=5000]  how long to wait for answers; calls without one by then are rejected
 */

const usualMaxCalls = 100_000;
const usualTimeoutMs = 30_000;

/** How long `stop` waits for answers. */
const usualStopMs = 5_000;

/** @type {Readonly<Record<keyof StartOptions, OptionRule>>} */
const startRules = Object.freeze({
  time: ['physical', 'leaping'],
  realTime: 'object',
  blockSize: 'any',
  onFailure: 'function',
});

/**
 * @param {object} powers
 * @param {Kernel} powers.kernel
 * @param {SimulationStore} powers.store
 * @param {CallPowers['requireVat']} powers.requireVat
 * @param {CallPowers['findReport']} powers.findReport
 * @param {CallPowers['explainEnded']} powers.explainEnded
 * @param {CallPowers['makeExplainer']} powers.makeExplainer
 * @param {BlockPowers['pump']} powers.pump
 * @param {BlockPowers['commitBlock']} powers.commitBlock
 * @param {BlockPowers['isSetUp']} powers.isSetUp
 * @param {CallOptions} options
 */
export const makeCaller = (powers, { maxCalls = usualMaxCalls, timeoutMs = usualTimeoutMs }) => {
  const { kernel, store, requireVat, findReport, makeExplainer, explainEnded } = powers;
  const { pump, commitBlock, isSetUp } = powers;
  insistCount('calls.maxCalls', maxCalls, 1);
  insistNumber('calls.timeoutMs', timeoutMs, 0);

  const calls = new Calls({
    ...{ kernel, requireVat, findReport, makeExplainer, explainEnded, maxCalls, timeoutMs },
    durable: () => (store.isDurable?.() === false ? store.flushed() : undefined),
    wake: () => driver.wake(),
  });
  const driver = new Driver({ kernel, calls, pump, commitBlock, isSetUp });
  let isClosed = false;

  const insistOpen = () => {
    if (isClosed)
      throw new UserError(
        'the simulation is closed; take its state up by makeSimulation(undefined, { store, resume: true })',
        { exitCode: 1 },
      );
  };

  /** @type {Calls['call']} */
  const callWithOptions = async (target, method, args, options) => {
    // Arguments that are in no array have put one of them in the place of the options.
    if (args !== undefined && !Array.isArray(args)) return calls.call(target, method, args);
    insistOptions('call()', options, { timeoutMs: 'number' });
    if (options?.timeoutMs !== undefined) insistNumber('timeoutMs', options.timeoutMs, 0);
    return calls.call(target, method, args, options);
  };

  /**
   * Refuses a method that runs cranks while the simulation runs in the background.
   *
   * @param {string} name  of the method
   * @param {readonly unknown[]} [surplus]  arguments of a method that takes none
   */
  const insistOwn = (name, surplus = []) => {
    if (surplus.length > 0)
      throw TypeError(
        `${name}() runs one crank and takes nothing, got ${describeGiven(surplus[0])}; runCranks(limit) runs more`,
      );
    insistOpen();
    if (driver.isStarted)
      throw new UserError(
        `${name}() runs the simulation, which start() does already; call stop() first, or use call() and send()`,
      );
  };

  return Object.freeze({
    calls,
    driver,
    insistOpen,
    insistOwn,

    /** For the simulation itself. */
    async close() {
      isClosed = true;
      await driver.close();
    },

    /** The methods for host programs. */
    methods: {
      /**
       * Send a message to a vat's root object, or to the object of a handle, and wait for the answer. It enters the run
       * between two blocks, as a recorded input, after earlier calls and not before `bootstrap` is over; it is answered
       * when the block in which its result settled is as durable as the store's setting. In a simulation that was not
       * started, the run goes on as far as the answer needs.
       *
       * Plain data comes as data, an object of a vat as a handle, a promise of a vat as a promise.
       *
       * @param {string | Handle} target  a vat's name, or a handle
       * @param {string} method
       * @param {readonly unknown[]} [args]  plain data, handles, and promises of answers. They are copied
       * @param {OneCallOptions} [options]
       * @returns {Promise<any>}
       * @throws {TypeError} if an option is unknown or has the wrong type
       * @throws {VatError} if the vat rejects the result: with its error's name and message, and the author's file and
       *   line if known
       * @throws {CallError} `QUEUE_FULL`, `TIMEOUT`, `STUCK`, `STOPPED`, `FAILED`
       * @throws {UserError} if there is no such vat, it has ended, or an argument cannot be passed
       */
      call: (target, method, args, options) =>
        placed(
          options === undefined
            ? calls.call(target, method, args)
            : callWithOptions(target, method, args, options),
        ),

      /**
       * Send a message without waiting for an answer.
       *
       * @param {string | Handle} target
       * @param {string} method
       * @param {readonly unknown[]} [args]
       * @returns {Promise<void>} settles when the message is in the run, as durable as the store's setting
       */
      send: (target, method, args) => placed(calls.send(target, method, args)),

      /**
       * Keep an object under a name in the state, replacing another of that name: `find` gives it also after `resume`.
       *
       * @param {string} name  1 to 200 characters
       * @param {Handle} handle
       * @returns {Promise<void>} settles when it is kept, as durable as the store's setting
       */
      keep: (name, handle) => placed(calls.keep(name, handle)),

      /**
       * @param {string} name
       * @returns {Promise<Handle | undefined>} the handle of the kept object, which must be released like any other
       */
      find: name => placed(calls.find(name)),

      /**
       * Stop keeping an object.
       *
       * @param {string} name  nothing happens if there is none of this name
       * @returns {Promise<void>}
       */
      forget: name => placed(calls.forget(name)),

      /**
       * Run in the background, for example in a server: calls are answered as they come, timers fire when they are due.
       *
       * @param {StartOptions} [options]
       * @throws {TypeError} if an option is unknown or has a wrong value
       * @throws {UserError} if the simulation is started or closed
       */
      start(options = {}) {
        insistOpen();
        insistOptions('start()', options, startRules);
        if (driver.isStarted) throw new UserError('the simulation is started already');
        const { blockSize = 1, realTime } = options;
        insistCount('blockSize', blockSize, 1);
        insistRealTime('start()', realTime);
        driver.start(options);
      },

      /**
       * Stop running in the background. Waiting calls are answered first; the last block is committed.
       *
       * @param {StopOptions} [options]
       * @returns {Promise<void>}
       * @throws {TypeError} if an option is unknown
       */
      async stop(options = {}) {
        insistOptions('stop()', options, { withinMs: 'any' });
        const { withinMs = usualStopMs } = options;
        insistNumber('withinMs', withinMs, 0);
        if (driver.isStarted && !isClosed) await driver.stop(withinMs);
      },
    },
  });
};

/** @typedef {ReturnType<typeof makeCaller>} Caller */
