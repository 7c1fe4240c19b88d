// A vat that asks for more memory than the engine has is ended, alone. On this thread that can be known in one case
// only: the engine refuses a single allocation, which is an error in the vat, and the error leaves it. A heap that
// fills up in small pieces ends the process; that takes a thread or a process for the vat.

import { isMemoryRefusal } from './engine-errors.js';

/** @import { Supervisor } from '#vat' */

/**
 * @param {(onSentError: (error: unknown) => void) => Supervisor} make  a supervisor that tells of each error that
 *   leaves its vat
 * @param {(error: unknown) => void} onSentError
 * @returns {Supervisor}  the same, whose crank is a vat's fault when such an error leaves it
 */
export const endWithoutMemory = (make, onSentError) => {
  let isRefused = false;
  const supervisor = make(error => {
    if (isMemoryRefusal(error)) isRefused = true;
    onSentError(error);
  });
  return Object.freeze({
    /** @type {Supervisor['begin']} */
    begin(delivery, answerer, when) {
      isRefused = false;
      supervisor.begin(delivery, answerer, when);
    },
    goesOn: () => supervisor.goesOn?.() ?? false,
    goOn: settle => supervisor.goOn?.(settle),
    outline: options => supervisor.outline?.(options),
    finish() {
      const result = supervisor.finish();
      if (isRefused) result.fault ??= 'it asked for more memory than there is';
      return result;
    },
  });
};
