// The life of a vat with a root object, of either generation: it starts with its first delivery, or is ready at once,
// and takes deliveries from then on.

import { isErrorLike, readError, tellThrown, UserError } from '#model';
import { setRefusals } from '../eventual-send/index.js';
import { rootVref } from './references.js';

/** @import { CapData, Delivery, When } from '#model' */
/** @import { Refusals } from '../eventual-send/refusals.js' */
/** @import { SupervisorOptions } from './supervisor-options.js' */
/** @import { OutlineOptions, ReactorPart } from './reactor-part.js' */
/** @import { References } from './references.js' */
/** @import { Answerer, SyscallBuffer } from './syscall-buffer.js' */

/**
 * The text of an error in the kernel's tables.
 *
 * @param {unknown} error
 * @param {SupervisorOptions['errorPolicy']} errorPolicy
 * @returns {string}
 */
export const tellProblem = (error, errorPolicy) => {
  const told = errorPolicy?.(/** @type {Error} */ (error));
  return told === undefined ? tellThrown(error) : told.message;
};

/**
 * The text of an error that kept a vat from starting, with the error's name: whoever asked for the vat gets it.
 *
 * @param {unknown} error
 * @param {SupervisorOptions['errorPolicy']} errorPolicy
 * @returns {string}
 */
export const tellStartProblem = (error, errorPolicy) => {
  // The text of a UserError of ours is a whole sentence.
  if (!isErrorLike(error) || UserError.is(error)) return tellThrown(error);
  const { name, message } = errorPolicy?.(error) ?? readError(error);
  return message === '' ? name : `${name}: ${message}`;
};

/**
 * @typedef {object} LifeParts
 * @property {SyscallBuffer} syscalls
 * @property {Refusals} refusals  the errors with which objects of the vat refuse messages of its own
 * @property {References} references
 * @property {(parameters: CapData, begun: (root: object) => void, when: When) => Promise<void>} start  builds the root
 *   object, and calls `begun` in the job in which it is ready
 * @property {(delivery: Delivery, when: When) => void} dispatch  takes all other deliveries
 * @property {() => ReactorPart | undefined} [reactors]  the vat's reactors, if it has any and has started
 * @property {() => void} [flush]  called when the crank is over: writes what is left to write
 * @property {() => string | null} [findFault]  why the vat is to be ended after the crank, null if it is not
 * @property {() => boolean} [takeWish]  whether the vat wants to be asked for its dead references
 */

/**
 * @param {Pick<SupervisorOptions, 'onRoot' | 'onSentError' | 'errorPolicy'> & { root: object | undefined }} options  `root` of a vat
 *   that needs no start
 * @param {LifeParts} parts
 */
export const makeLife = (
  { root, onRoot = () => {}, onSentError, errorPolicy },
  {
    syscalls,
    refusals,
    references,
    start,
    dispatch,
    reactors = () => undefined,
    flush = () => {},
    takeWish = () => false,
    findFault = () => null,
  },
) => {
  /** @type {string | null} */
  let startProblem = 'buildRootObject unresolved: it may wait only for what it does itself';

  /** @param {object} built */
  const begun = built => {
    references.register(rootVref, built);
    startProblem = null;
    onRoot(built);
  };

  if (root !== undefined) begun(root);

  return Object.freeze({
    /**
     * Begins a delivery; the caller then runs jobs until none is left.
     *
     * @param {Delivery} delivery
     * @param {Answerer} answerer
     * @param {When} when
     */
    begin(delivery, answerer, when) {
      setRefusals(refusals);
      syscalls.begin(answerer);
      if (delivery[0] !== 'startVat') {
        if (delivery[0] !== 'react') reactors()?.enter(when);
        dispatch(delivery, when);
        return;
      }
      start(delivery[1], begun, when).catch(error => {
        onSentError(error);
        startProblem = tellStartProblem(error, errorPolicy);
      });
    },

    /** Called when no job is left: whether the vat goes on with another crank of its reactors, whose jobs then run. */
    goesOn: () => reactors()?.goesOn() ?? false,

    /** Goes on with reactions, once for each call. */
    goOn: (/** @type {() => void} */ drain) => reactors()?.goOn(drain),

    /** Makes the crank under way one that is reported on its own. */
    tellAlone() {
      syscalls.isTold = true;
    },

    /** Ends the crank; returns its syscalls, answers and report. A vat that has not started by now never will. */
    finish() {
      flush();
      const taken = syscalls.take(startProblem ?? findFault(), reactors()?.report() ?? null);
      return takeWish() ? { ...taken, wantsAsking: true } : taken;
    },

    /** The vat's reactors as plain data, between deliveries; undefined without any. */
    outline: (/** @type {OutlineOptions} */ options) => reactors()?.outline(options),
  });
};

/**
 * Between a transport and a vat.
 *
 * @typedef {object} Supervisor
 * @property {(delivery: Delivery, answerer: Answerer, when: When) => void} begin
 * @property {() => boolean} [goesOn]  called when no job is left: whether the vat goes on with another crank of its
 *   reactors
 * @property {(drain: () => void) => void} [goOn]  goes on with cranks of its reactors; `drain` runs all jobs
 * @property {() => void} [tellAlone]  makes the crank under way, if it is one of reactors, the last of its run,
 *   reported on its own
 * @property {() => ReturnType<SyscallBuffer['take']> & { isRefusal?: boolean, wantsAsking?: boolean }} finish
 * @property {(options: OutlineOptions) => unknown} [outline]  the vat's reactors as plain data, between deliveries; undefined
 *   without any
 */
