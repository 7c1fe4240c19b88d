// Calls, handles, and running in the background: what a host program does with a simulation.

import { insistOptions, UserError } from '#model';
import { insistNumber } from '../insist-number.js';
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
 * @property {number} [maxCalls=100000]  calls that may wait for their answers; more are rejected with a
 *   `CallError` whose code is `QUEUE_FULL`
 * @property {number} [timeoutMs=30000]  how long a call may take that says nothing else; `Infinity` for no bound
 */

/**
 * @typedef {object} OneCallOptions
 * @property {number} [timeoutMs]  how long this call may take; default: the simulation's `calls.timeoutMs`
 */

/**
 * @typedef {object} StopOptions
 * @property {number} [withinMs=5000]  how long calls that wait may go on; what is not answered by then is rejected
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
 * @param {CallPowers['makeExplainer']} powers.makeExplainer
 * @param {BlockPowers['pump']} powers.pump
 * @param {BlockPowers['commitBlock']} powers.commitBlock
 * @param {BlockPowers['isSetUp']} powers.isSetUp
 * @param {CallOptions} options
 */
export const makeCaller = (powers, { maxCalls = usualMaxCalls, timeoutMs = usualTimeoutMs }) => {
  const { kernel, store, requireVat, findReport, makeExplainer } = powers;
  const { pump, commitBlock, isSetUp } = powers;
  insistNumber('calls.maxCalls', maxCalls, 1);
  insistNumber('calls.timeoutMs', timeoutMs, 0);

  const calls = new Calls({
    ...{ kernel, requireVat, findReport, makeExplainer, maxCalls, timeoutMs },
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
    insistOptions('call()', options, { timeoutMs: 'number' });
    if (options?.timeoutMs !== undefined) insistNumber('timeoutMs', options.timeoutMs, 0);
    return calls.call(target, method, args, options);
  };

  /** Refuses a method that runs cranks while the simulation runs in the background. @param {string} name  of the method */
  const insistOwn = name => {
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

    /** The functions that host programs are given. */
    methods: {
      /**
       * Send a message to a vat's root object, or to the object of a handle, and wait for the answer. It enters the run
       * between two blocks, as a recorded input, behind the calls before it, and not before `bootstrap` is over; it is
       * answered when the block in which its result settled is as durable as the store was opened for. In a simulation that
       * was not started, the run goes on as far as the answer needs.
       *
       * Plain data comes as data, an object of a vat as a handle, a promise of a vat as a promise.
       *
       * @param {string | Handle} target  a vat's name, or a handle
       * @param {string} method
       * @param {readonly unknown[]} [args]  plain data, handles, promises that vats gave. They are copied
       * @param {OneCallOptions} [options]
       * @returns {Promise<any>}
       * @throws {TypeError} an option has a name or a type that it cannot have
       * @throws {VatError} the vat rejects it: its error's name and message, with the author's file and line if known here
       * @throws {CallError} `QUEUE_FULL`, `TIMEOUT`, `STUCK`, `STOPPED`, `FAILED`
       * @throws {UserError} there is no such vat, it has ended, or an argument cannot be passed
       */
      call: (target, method, args, options) =>
        options === undefined
          ? calls.call(target, method, args)
          : callWithOptions(target, method, args, options),

      /**
       * Send a message and wait for no answer.
       *
       * @param {string | Handle} target
       * @param {string} method
       * @param {readonly unknown[]} [args]
       * @returns {Promise<void>} when the message is in the run, as durably as the store was opened for
       */
      send: (target, method, args) => calls.send(target, method, args),

      /**
       * Keep an object under a name in the state, in place of another of that name: `find` gives it after `resume` too.
       *
       * @param {string} name  1 to 200 characters
       * @param {Handle} handle
       * @returns {Promise<void>} when it is kept, as durably as the store was opened for
       */
      keep: (name, handle) => calls.keep(name, handle),

      /**
       * @param {string} name
       * @returns {Promise<Handle | undefined>} the handle of what was kept under the name; to be released, as others
       */
      find: name => calls.find(name),

      /**
       * Keep an object no longer.
       *
       * @param {string} name  nothing happens if there is none of this name
       * @returns {Promise<void>}
       */
      forget: name => calls.forget(name),

      /**
       * Run in the background, beside a server: calls are answered as they come, timers fire when they are due.
       *
       * @param {StartOptions} [options]
       * @throws {TypeError} an option has a name or a value that it cannot have
       * @throws {UserError} the simulation is started already, or closed
       */
      start(options = {}) {
        insistOpen();
        insistOptions('start()', options, startRules);
        if (driver.isStarted) throw new UserError('the simulation is started already');
        const { blockSize = 1 } = options;
        insistNumber('blockSize', blockSize, 1);
        driver.start(options);
      },

      /**
       * Run no longer in the background. Calls that wait are answered first; the last block is committed.
       *
       * @param {StopOptions} [options]
       * @returns {Promise<void>}
       * @throws {TypeError} an option has a name that it cannot have
       */
      async stop(options = {}) {
        insistOptions('stop()', options, { withinMs: 'any' });
        const { withinMs = usualStopMs } = options;
        insistNumber('withinMs', withinMs, 0);
        if (driver.isStarted) await driver.stop(withinMs);
      },
    },
  });
};

/** @typedef {ReturnType<typeof makeCaller>} Caller */
