// Sends a vat's messages, and ends the vat at its own request.

import { LaterResult } from '../eventual-send/index.js';
import { RemotePromise } from './remote.js';

/** @import { Marshal } from '../marshal/smallcaps.js' */
/** @import { References } from './references.js' */
/** @import { QueueMessage } from './remote.js' */
/** @import { Settlements } from './settlements.js' */
/** @import { SupervisorOptions } from './supervisor-options.js' */
/** @import { SyscallBuffer } from './syscall-buffer.js' */
/** @import { VirtualPart } from './virtual-part.js' */

/**
 * @typedef {object} OutgoingParts
 * @property {SyscallBuffer} syscalls
 * @property {References} references
 * @property {Marshal} marshal
 * @property {VirtualPart} virtual
 * @property {Settlements} settlements
 * @property {SupervisorOptions['onSent']} onSent
 * @property {NonNullable<SupervisorOptions['onRefused']>} onRefused
 */

/** @param {OutgoingParts} parts */
export const makeOutgoing = ({
  syscalls,
  references,
  marshal,
  virtual,
  settlements,
  onSent,
  onRefused,
}) => {
  /**
   * @param {PropertyKey | undefined} method
   * @param {any[]} args
   * @param {Promise<unknown> | undefined} returned
   */
  const encodeMessage = (method, args, returned) => {
    try {
      return marshal.messageToCapData(method, args);
    } catch (error) {
      onRefused(error, { kind: 'arguments', value: args, method, ...(returned && { returned }) });
      throw error;
    }
  };

  const exit = (/** @type {boolean} */ isFailure, /** @type {unknown} */ info) => {
    const data = marshal.hardenToCapData(info);
    virtual.exportAll(data.slots);
    syscalls.exit(isFailure, data);
  };

  return {
    /** @type {QueueMessage} */
    queueMessage: function queueMessage(target, method, args, returned) {
      const methargs = encodeMessage(method, args, returned);
      virtual.exportAll(methargs.slots);
      const result = references.allocatePromise();
      const later = new LaterResult(new RemotePromise(result, queueMessage));
      // The vat knows the sender's promise, which the result settles.
      references.registerAwaited(result, later, returned);
      syscalls.send(target, methargs, result);
      if (onSent !== undefined) onSent(result, returned);
      settlements.tellOf(methargs.slots);
      syscalls.subscribe(result);
      return later;
    },

    // Vats see these names.
    exitVat: (/** @type {unknown} */ info) => exit(false, info),
    exitVatWithFailure: (/** @type {unknown} */ info) => exit(true, info),
  };
};
