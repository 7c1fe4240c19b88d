// Ends a vat that asks for too much memory, and only that vat. A buffer above the fixed bound
// (compartment/vat-buffers.js) is refused, and the vat ends when the error leaves it. If the engine refuses a buffer
// below the bound, this depends on the machine, so the vat ends whatever it does with the error: its crank leaves no
// trace but the input `refused`, which ends the vat in the same crank when the run is repeated on a machine with more
// memory. Other refusals of the engine (a string that is too long) end the vat in this way when the error leaves it. A
// heap that fills up in small pieces ends the process, unless the vat has a thread or a process of its own.

import { memoryRefused } from '#kernel';
import { isMemoryRefusal, isRefusalOfBuffer } from './engine-errors.js';

/** @import { Supervisor } from '#vat' */

/** Our own errors that refuse memory. @type {WeakSet<object>} */
const refusals = new WeakSet();

/** The number of the engine's refusals. One crank runs at a time on this thread. */
let refusalsByEngine = 0;

/** The supervisor of the vat that runs now. @type {Supervisor | undefined} */
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
    // The later reactions of this grant would differ on another machine, so end the report with this one.
    running?.tellAlone?.();
  }
  refusals.add(/** @type {object} */ (error));
  return error;
};

/**
 * Whether the engine refused memory for a buffer of an allowed length.
 *
 * @param {unknown} error
 * @param {{ isAny?: boolean }} [options]  whether the caller excludes other errors of its class
 */
export const isRefusalByEngine = isRefusalOfBuffer;

/**
 * @param {(onSentError: (error: unknown, errorId?: string) => void) => Supervisor} make  makes a supervisor that reports
 *   each error that leaves its vat
 * @param {(error: unknown, errorId?: string) => void} onSentError
 * @returns {Supervisor}  a wrapper whose crank is a vat's fault when such an error leaves the vat
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
    goOn: drain => supervisor.goOn?.(drain),
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
