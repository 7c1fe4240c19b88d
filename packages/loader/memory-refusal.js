// A vat that asks for more memory than there is for it is ended, alone. A buffer above the bound that all machines have
// (compartment/vat-buffers.js) is refused, and the vat ends when the error leaves it. A buffer below it that the engine
// refuses is a fact of the machine, so the vat ends whatever it does with the error: its crank leaves no trace but the input
// `refused`, by which it ends in the same crank where the run is repeated on a machine that has the memory. So is it
// with other things that the engine refuses (a text that is too long), whose bounds are the engine's own, when the error
// leaves the vat. A heap that fills up in small pieces ends the process; that takes a thread or a process for the vat.

import { memoryRefused } from '#kernel';
import { isMemoryRefusal, isRefusalOfBuffer } from './engine-errors.js';

/** @import { Supervisor } from '#vat' */

/** Errors of ours that refuse memory. @type {WeakSet<object>} */
const refusals = new WeakSet();

/** How often the engine has refused memory to a vat. One crank runs at a time on this thread. */
let refusalsByEngine = 0;

/** The supervisor of the vat whose crank runs. @type {Supervisor | undefined} */
let running;

/**
 * @template T
 * @param {T} error
 * @param {{ isByEngine?: boolean }} [options]
 * @returns {T}
 */
export const noteMemoryRefusal = (error, { isByEngine = false } = {}) => {
  if (isByEngine) {
    refusalsByEngine += 1;
    // The following reactions of this grant would differ on another machine, so report this one alone.
    running?.tellAlone?.();
  }
  refusals.add(/** @type {object} */ (error));
  return error;
};

/**
 * Whether the engine did not give memory for a buffer, of a length that is allowed.
 *
 * @param {unknown} error
 * @param {{ isAny?: boolean }} [options]  whether no other error of its class can come from there
 */
export const isRefusalByEngine = isRefusalOfBuffer;

/**
 * @param {(onSentError: (error: unknown, errorId?: string) => void) => Supervisor} make  a supervisor that tells of each error that
 *   leaves its vat
 * @param {(error: unknown, errorId?: string) => void} onSentError
 * @returns {Supervisor}  the same, whose crank is a vat's fault when such an error leaves it
 */
export const endWithoutMemory = (make, onSentError) => {
  let isRefused = false;
  let isByEngine = false;
  let before = refusalsByEngine;
  const supervisor = make((error, errorId) => {
    if (isMemoryRefusal(error)) isByEngine = true;
    else if (refusals.has(/** @type {object} */ (error))) isRefused = true;
    onSentError(error, errorId);
  });
  return Object.freeze({
    /** @type {Supervisor['begin']} */
    begin(delivery, answerer, when) {
      isRefused = false;
      isByEngine = false;
      before = refusalsByEngine;
      running = supervisor;
      supervisor.begin(delivery, answerer, when);
    },
    goesOn: () => supervisor.goesOn?.() ?? false,
    goOn: settle => supervisor.goOn?.(settle),
    tellAlone: () => supervisor.tellAlone?.(),
    outline: options => supervisor.outline?.(options),
    finish() {
      const result = supervisor.finish();
      running = undefined;
      if (refusalsByEngine !== before) isByEngine = true;
      if (isByEngine) result.isRefusal = true;
      if (isRefused || isByEngine) result.fault ??= memoryRefused;
      return result;
    },
  });
};
