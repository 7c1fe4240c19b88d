// The life of a vat with a root object, whatever its generation: it starts with its first delivery, or is there from
// the start, and takes deliveries from then on.

import { rootVref } from './references.js';

/** @import { CapData, Delivery } from '#model' */
/** @import { SupervisorOptions } from './current.js' */
/** @import { References } from './references.js' */
/** @import { Answerer, SyscallBuffer } from './syscall-buffer.js' */

/**
 * What is told of an error in the kernel's tables.
 *
 * @param {unknown} error
 * @param {SupervisorOptions['errorPolicy']} errorPolicy
 * @returns {string}
 */
export const tellProblem = (error, errorPolicy) => {
  const { message } = /** @type {any} */ (
    errorPolicy?.(/** @type {Error} */ (error)) ?? error ?? {}
  );
  return String(message ?? error);
};

/**
 * @typedef {object} LifeParts
 * @property {SyscallBuffer} syscalls
 * @property {References} references
 * @property {(parameters: CapData, begun: (root: object) => void) => Promise<void>} start  builds the root object, and
 *   says so in the job in which it is there
 * @property {(delivery: Delivery) => void} dispatch  takes all other deliveries
 */

/**
 * @param {Pick<SupervisorOptions, 'onSentError' | 'errorPolicy'> & { root: object | undefined }} options  `root` of a vat
 *   that needs no start
 * @param {LifeParts} parts
 */
export const makeLife = (
  { root, onSentError, errorPolicy },
  { syscalls, references, start, dispatch },
) => {
  /** @type {string | null} */
  let startProblem = 'buildRootObject did not settle; it may wait only for what it does itself';

  /** @param {object} built */
  const begun = built => {
    references.register(rootVref, built);
    startProblem = null;
  };

  if (root !== undefined) begun(root);

  return Object.freeze({
    /**
     * Begin a delivery; the caller runs jobs until none is left.
     *
     * @param {Delivery} delivery
     * @param {Answerer} answerer
     */
    begin(delivery, answerer) {
      syscalls.begin(answerer);
      if (delivery[0] !== 'startVat') {
        dispatch(delivery);
        return;
      }
      start(delivery[1], begun).catch(error => {
        onSentError(error);
        startProblem = tellProblem(error, errorPolicy);
      });
    },

    /** What the crank asked for. A vat that has not started by now never will. */
    finish: () => syscalls.take(startProblem),

    /** How many references the vat's tables hold, for tests and measurements. */
    get referenceCount() {
      return references.size;
    },
  });
};

/** @typedef {ReturnType<typeof makeLife>} Supervisor */
