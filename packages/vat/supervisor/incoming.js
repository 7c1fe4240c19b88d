// Delivers to a vat of today after its start: messages, settlements, and verdicts on references.

import { isErrorLike } from '#model';
import { findHandle, isThenable, LaterCall, send } from '../eventual-send/index.js';
import { findMark } from '../marshal/references.js';
import { formatDead, parseDead } from './dead-text.js';
import { rootVref } from './references.js';

/** @import { CapData, Delivery, Resolution, When } from '#model' */
/** @import { Marshal } from '../marshal/smallcaps.js' */
/** @import { ReactorPart } from './reactor-part.js' */
/** @import { Awaited } from './held.js' */
/** @import { Dead, References } from './references.js' */
/** @import { Settlements } from './settlements.js' */
/** @import { SupervisorOptions } from './supervisor-options.js' */
/** @import { SyscallBuffer } from './syscall-buffer.js' */
/** @import { VatSlots } from './vat-slots.js' */
/** @import { VirtualPart } from './virtual-part.js' */

/**
 * @typedef {object} IncomingParts
 * @property {SyscallBuffer} syscalls
 * @property {References} references
 * @property {Marshal} marshal
 * @property {VatSlots} slots
 * @property {VirtualPart} virtual
 * @property {Settlements} settlements
 * @property {SupervisorOptions['onSentError']} onSentError
 * @property {() => ReactorPart | undefined} reactors  the vat's reactors, if it has any and has started
 */

/** Whether it is an object of this vat, not a promise. @param {any} object */
const isOwn = object => {
  const mark = findMark(object);
  if (mark === undefined) return findHandle(object) === undefined && !isThenable(object);
  mark.isOwn ??= findHandle(object) === undefined && !isThenable(object);
  return mark.isOwn;
};

export class Incoming {
  #parts;

  /** @param {IncomingParts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.dispatch = this.dispatch.bind(this);
  }

  /**
   * @param {Delivery} delivery  any but `startVat`
   * @param {When} when
   */
  dispatch(delivery, when) {
    switch (delivery[0]) {
      case 'react': {
        const reactors = this.#parts.reactors();
        if (reactors === undefined) throw Error('a vat without reactors takes no react');
        reactors.react(delivery[1], delivery[2], delivery[3], when);
        break;
      }
      case 'message':
        this.#deliverMessage(delivery[1], delivery[2], delivery[3]);
        break;
      case 'notify':
        this.#deliverNotify(delivery[1]);
        break;
      case 'bringOutYourDead':
        this.#bringOutYourDead();
        break;
      case 'dropExports':
        this.#parts.virtual.drop(delivery[1]);
        break;
      case 'retireExports':
        this.#parts.virtual.retireExports(delivery[1]);
        break;
      case 'retireImports':
        this.#parts.virtual.retireImports(delivery[1]);
        break;
      default:
        throw Error(`a vat of this version takes no ${delivery[0]}`);
    }
  }

  /**
   * @param {string} target
   * @param {CapData} methargs
   * @param {string | null} result
   */
  #deliverMessage(target, methargs, result) {
    const { references, marshal, slots, settlements } = this.#parts;
    // A method may return a thenable, which gets functions that settle a promise. A root without methods of the vat's
    // may not.
    if (target !== rootVref) slots.mayQueueJobs = true;
    const object = slots.valueOf(target, undefined);
    /** @type {PropertyKey | undefined} */
    let method;
    /** @type {Promise<unknown>} */
    let outcome;
    try {
      const message = marshal.messageFromCapData(methargs);
      method = /** @type {PropertyKey | undefined} */ (message.method);
      if (
        method !== undefined &&
        result !== null &&
        isOwn(object) &&
        references.findAwaited(result) === undefined
      ) {
        const call = new LaterCall(object, method, message.args, result, settlements.settleCall);
        references.registerCall(call.begin());
        return;
      }
      const args = [...message.args];
      outcome =
        method === undefined
          ? send(object, 'applyFunction', undefined, args)
          : send(object, 'applyMethod', method, args);
    } catch (error) {
      // A raw vat has sent a malformed body: this vat must not fail by it.
      outcome = Promise.reject(error);
    }
    if (result === null) this.#tellErrorOf(outcome);
    else this.#followResult(result, outcome, object, method);
  }

  /** Reports an error of a message without a result, which no other vat learns of. @param {Promise<unknown>} outcome */
  #tellErrorOf(outcome) {
    outcome.catch(error => {
      if (isErrorLike(error)) this.#parts.onSentError(error);
    });
  }

  /**
   * @param {string} result
   * @param {Promise<unknown>} outcome
   * @param {unknown} object
   * @param {unknown} method
   */
  #followResult(result, outcome, object, method) {
    const { references, settlements } = this.#parts;
    const awaited = references.findAwaited(result);
    if (awaited !== undefined) {
      // The vat has seen this promise before and decides it now: its own promise follows the method's result.
      const promise = references.decide(awaited);
      awaited.kit.resolve(outcome);
      settlements.follow(result, promise, object, method);
    } else {
      references.register(result, outcome);
      settlements.follow(result, outcome, object, method);
    }
  }

  /** @param {Resolution[]} resolutions */
  #deliverNotify(resolutions) {
    const { references, marshal, slots } = this.#parts;
    slots.beginBatch();
    /** @type {Awaited[] | undefined} */
    let retired;
    // By index, since an iterator is slow in a locked-down realm.
    for (let i = 0; i < resolutions.length; i += 1) {
      const vref = resolutions[i][0];
      const rejected = resolutions[i][1];
      const data = resolutions[i][2];
      const awaited = references.findAwaited(vref);
      // The vat itself settles a promise that it has come to decide.
      if (awaited === undefined) continue;
      const { kit } = awaited;
      try {
        const value = marshal.fromCapData(data);
        if (rejected) kit.reject(value);
        else kit.resolve(value);
      } catch (error) {
        // A raw vat has sent a malformed body: listeners to the promise get the error.
        kit.reject(error);
      }
      if (retired === undefined) retired = [awaited];
      else retired.push(awaited);
    }
    slots.endReading();
    if (retired === undefined) return;
    for (let i = 0; i < retired.length; i += 1) {
      references.forgetAwaited(retired[i]);
      slots.forgetNew(retired[i].vref);
    }
    slots.subscribeToNew();
  }

  /** Tells the kernel which references the vat drops and retires. */
  #bringOutYourDead() {
    const { syscalls, references, virtual } = this.#parts;
    /** @type {Dead | undefined} */
    let found;
    const text = syscalls.findDead(() => {
      found = references.findDead();
      return formatDead(found);
    });
    const dead = /** @type {Dead | undefined} */ (found) ?? parseDead(text);
    const { dropped, retired, retiredExports } = virtual.letGo(dead);
    syscalls.dropImports(dropped);
    syscalls.retireImports(retired);
    syscalls.retireExports(retiredExports);
  }
}
