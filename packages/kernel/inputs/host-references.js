// Lets the host send messages into the run and hold references: results, and objects that it was told of. Everything
// here happens between cranks and is recorded as an input.

import { Fail, isDeviceKref, isObjectKref, isPromiseKref, quote, UserError } from '#model';
import { beginInput, recordHostInput } from './inputs.js';
import { queueToRoot, queueToTarget, queueWithoutResult } from '../lifecycle/vat-admin.js';

/** @import { CapData } from '#model' */
/** @import { KernelState } from '../tables/state.js' */

/** Third in an input's text, behind body and slots, if the message has no result. */
const withoutResult = 'sendOnly';

/**
 * Repeat a message of a recorded run.
 *
 * @param {Pick<ReturnType<typeof import('./host-inputs.js').makeHostInputs>, 'queueToVatRoot' | 'queueToTarget' | 'sendOnly'>} calls
 * @param {string} recipient  vat id or kref
 * @param {string} data  the input's text
 */
export const repeatMessage = (calls, recipient, data) => {
  const [body, slots, kind] = JSON.parse(data);
  const methargs = { body, slots };
  if (kind === withoutResult) calls.sendOnly(recipient, methargs);
  else if (recipient.startsWith('v')) calls.queueToVatRoot(recipient, methargs);
  else calls.queueToTarget(recipient, methargs);
};

/**
 * Formats a message of the host as the input's text. The last text is cached, since rounds of a benchmark repeat one
 * message.
 */
const makeMessageFormat = () => {
  let lastBody = '';
  let lastText = '["",[]]';
  return (/** @type {CapData} */ { body, slots }) => {
    if (slots.length > 0) return JSON.stringify([body, slots]);
    if (body !== lastBody) {
      lastText = JSON.stringify([body, slots]);
      lastBody = body;
    }
    return lastText;
  };
};

export class HostReferences {
  #state;

  #formatMessage = makeMessageFormat();

  /** @param {KernelState} state */
  constructor(state) {
    this.#state = state;
  }

  /**
   * Count one more reference by the host. The caller records the input that it belongs to.
   *
   * @param {string} kref
   */
  addHeld(kref) {
    const { promises, held } = this.#state;
    promises.addRef(kref);
    held.set(kref, (held.get(kref) ?? 0) + 1);
  }

  /**
   * Queue a message to the root of a vat; the host holds the result.
   *
   * @param {string} vatId
   * @param {CapData} methargs  in krefs and in the profile's notation
   * @returns {string} kref of the result
   * @throws {UserError} the vat has ended
   */
  sendToRoot(vatId, methargs) {
    const state = this.#state;
    if (state.isStopped)
      throw new UserError('bootstrap has failed, so that nothing runs any more', { exitCode: 1 });
    if (!state.vats.isRunning(vatId)) {
      const { name } = state.vats.require(vatId);
      throw new UserError(`vat ${quote(name)} has ended; nothing can be sent to it any more`, {
        exitCode: 1,
      });
    }
    state.beginCertain();
    beginInput(state);
    const result = queueToRoot(state, vatId, methargs);
    this.addHeld(result);
    this.#noteSent(vatId, this.#formatMessage(methargs));
    return result;
  }

  /**
   * Queue a message to an object or a promise; the host holds the result.
   *
   * @param {string} target  kref that the host holds, or reaches through something it holds
   * @param {CapData} methargs  in krefs and in the profile's notation
   * @returns {string} kref of the result; rejected if the object's vat has ended
   */
  send(target, methargs) {
    const state = this.#state;
    this.#beginSend(target);
    const result = queueToTarget(state, target, methargs);
    this.addHeld(result);
    this.#noteSent(target, this.#formatMessage(methargs));
    return result;
  }

  /**
   * Queue a message without a result to an object or a promise.
   *
   * @param {string} target  kref that the host holds, or reaches through something it holds
   * @param {CapData} methargs  in krefs and in the profile's notation
   */
  sendOnly(target, { body, slots }) {
    this.#beginSend(target);
    queueWithoutResult(this.#state, target, { body, slots });
    this.#noteSent(target, JSON.stringify([body, slots, withoutResult]));
  }

  /** @param {string} target  kref */
  #beginSend(target) {
    this.#insistThere(target);
    !isDeviceKref(target) || Fail`${target} is a device, and only vats can call one`;
    this.#state.beginCertain();
    beginInput(this.#state);
  }

  /** @param {string} recipient  vat id or kref @param {string} data  of the input */
  #noteSent(recipient, data) {
    recordHostInput(this.#state, 'message', recipient, data);
    this.#state.keepCertain();
  }

  /**
   * Hold an object, a promise or a device: it stays until `release`.
   *
   * @param {string} kref
   */
  hold(kref) {
    const state = this.#state;
    this.#insistThere(kref);
    state.beginCertain();
    this.addHeld(kref);
    recordHostInput(state, 'hold', '', kref);
    state.keepCertain();
  }

  /**
   * Release once what is held. A promise that nothing else refers to is deleted at the end of the next crank; the next
   * collection finds an object that no vat reaches.
   *
   * @param {string} kref
   */
  release(kref) {
    const state = this.#state;
    const held = state.held.get(kref) ?? 0;
    held > 0 || Fail`the host does not hold ${kref}`;
    state.beginCertain();
    if (held === 1) state.held.delete(kref);
    else state.held.set(kref, held - 1);
    state.promises.releaseRef(kref);
    recordHostInput(state, 'release', '', kref);
    state.keepCertain();
  }

  /** @param {string} kref */
  #insistThere(kref) {
    if (isPromiseKref(kref)) this.#state.promises.require(kref);
    else isObjectKref(kref) || isDeviceKref(kref) || Fail`${kref} is no name of an object`;
  }
}
