// Eventual send: `HandledPromise`, promises that take messages before they are settled, and presences, objects
// whose messages go to a handler.
//
// The order in which a vat's syscalls leave it depends on how many promise jobs lie between a send and its handler, so
// these numbers are part of the contract. They equal those of `@endo/eventual-send`; a differential test checks them
// (test/eventual-send.test.js):
//
//   send to a local object, a presence, or a promise that somebody handles     1 job
//   send to another promise                                                    1 job after it is fulfilled
//   send to a promise that is rejected                                         2 jobs after it is
//
// The cost is lower: a send to a target that is no promise takes that one job and nothing else.

import { keepShape } from '#model';
import { findHandle } from './handles.js';
import { hardenReason, resolved } from './jobs.js';
import { applyFunction, applyMethod, get, refusePrimitive } from './local.js';
import { getRefusals, refuseMissing } from './refusals.js';
import { isInRing, numberSend, PromiseEnds, shortenFor } from './promise-ends.js';

/** @import { Handle, Handler } from './handles.js' */

/** @typedef {'get' | 'getSendOnly' | 'applyFunction' | 'applyFunctionSendOnly' | 'applyMethod' | 'applyMethodSendOnly'} Operation */

/** @type {any[]} */
export const noArgs = [];
Object.freeze(noArgs);

const sendOnlySuffix = 'SendOnly';

/**
 * The number of sends of one message at which it is first checked whether it waits for its own result; then 16, 32 and
 * so on.
 */
const firstSuspectedSend = 8;

/**
 * A handled promise with its settling functions. Where it has no handler for messages, they wait here until it is
 * settled, and are then sent again.
 */
export class Settler extends PromiseEnds {
  /** Settles when messages that wait may go on; made when the first one comes. @type {Promise<void> | undefined} */
  #passable;

  /**
   * @param {Handler | undefined} pending  takes messages until the promise is settled; if undefined, they wait
   * @param {Function} newTarget  the class of the promise
   */
  constructor(pending, newTarget) {
    super(pending, newTarget);
    this.pending ??= /** @type {any} */ (this);
  }

  /**
   * Makes a message wait.
   *
   * @param {Send} message
   * @returns {Promise<unknown> | undefined} for its result; undefined if there is none
   * @throws {TypeError} if the promise waits for the result of the message itself
   */
  hold({ operation, prop, args, count }) {
    // Each send makes new promises, so a message that is sent without end must be found here. Checking only at powers
    // of two keeps long chains of promises linear.
    if (count >= firstSuspectedSend && (count & (count - 1)) === 0 && isInRing(this)) {
      throw TypeError('Chaining cycle detected for promise: a message waits for its own result');
    }
    this.#passable ??= new Promise(resolve => {
      this.letPass = resolve;
    });
    const { settled } = this;
    const sendAgain = () => sendTo(settled, operation, prop, args, undefined, count + 1);
    if (operation.endsWith(sendOnlySuffix)) {
      this.#passable.then(() => ignore(sendAgain()));
      return undefined;
    }
    const result = new Settler(undefined, Promise);
    result.awaits = settled;
    this.#passable
      .then(() => result.resolve(sendAgain()))
      .catch(reason => {
        result.reject(reason);
      });
    return result.settled;
  }
}

/**
 * A handled promise for internal use: no subclass, no checks of the executor.
 *
 * @param {(resolve: (value?: any) => void, reject: (reason?: any) => void) => void} executor
 * @param {Handler} [pending]
 */
const makePromise = (executor, pending) => {
  const settler = new Settler(pending, Promise);
  executor(
    value => settler.resolve(value),
    reason => settler.reject(reason),
  );
  return settler.settled;
};

/**
 * A promise with a handler and the means to settle it.
 *
 * @param {Handler | undefined} pending  if undefined, messages wait until it is settled
 * @returns {{ settled: Promise<unknown>, resolve: (value: any) => void, reject: (reason: any) => void }}
 */
export const makeHandledPromiseKit = pending => new Settler(pending, Promise);

/**
 * The promise that stands for a presence.
 *
 * @param {object} presence
 * @param {Handle} own
 */
const providePromise = (presence, own) => {
  if (own.promise === undefined) {
    const settler = new Settler(own.handler, Promise);
    own.promise = settler.settled;
    settler.resolve(presence);
  }
  return own.promise;
};

/** @param {any} value */
const isPromise = value => value instanceof Promise;

/**
 * Whether a promise has the intrinsic `then`, so that calling it runs no other code.
 *
 * @param {Promise<unknown>} promise
 */
const isSafe = promise =>
  Object.isFrozen(promise) &&
  Object.getPrototypeOf(promise) === Promise.prototype &&
  Object.getOwnPropertyDescriptor(promise, 'then') === undefined &&
  Object.getOwnPropertyDescriptor(promise, 'constructor') === undefined;

/**
 * `value` as a promise with the intrinsic `then`: for a presence the promise that stands for it.
 *
 * @param {any} value
 * @returns {Promise<any>}
 */
export const toPromise = value => {
  const handle = findHandle(value);
  if (handle !== undefined)
    return handle.handler === undefined ? value : providePromise(value, handle);
  const promise = Promise.resolve(value);
  // A promise without own properties is hardened by freezing: its prototype is an intrinsic.
  if (
    Reflect.ownKeys(promise).length === 0 &&
    Object.getPrototypeOf(promise) === Promise.prototype
  ) {
    return Object.freeze(promise);
  }
  harden(promise);
  if (isSafe(promise)) return promise;
  return harden(
    resolved.then(() =>
      makePromise((resolve, reject) => {
        promise.then(resolve, reject);
      }),
    ),
  );
};

/**
 * Whether a handler takes an operation in 2020, when there were two.
 *
 * @param {any} handler
 * @param {Operation} operation
 */
const takesOf2020 = (handler, operation) =>
  typeof handler[operation.startsWith('get') ? 'get' : 'applyMethod'] === 'function';

/**
 * Hand an operation to a handler. One that lacks `applyMethod` is asked for the method first; one that lacks
 * `applyFunction` for a method without a name.
 *
 * @param {any} handler
 * @param {Operation} operation
 * @param {any} target
 * @param {PropertyKey | undefined} prop
 * @param {any[]} args
 * @param {Promise<unknown> | undefined} returned
 * @returns {any}
 */
const dispatch = (handler, operation, target, prop, args, returned) => {
  if (!getRefusals().isExact && !takesOf2020(handler, operation))
    return handOver(target, undefined, operation, prop, args, returned);
  if (operation === 'applyMethod' && typeof handler.applyMethod === 'function') {
    return handler.applyMethod(target, prop, args, returned);
  }
  if (operation.endsWith(sendOnlySuffix)) {
    if (typeof handler[operation] === 'function') {
      callOperation(handler, operation, target, prop, args, undefined);
    } else {
      const base = /** @type {Operation} */ (operation.slice(0, -sendOnlySuffix.length));
      dispatch(handler, base, target, prop, args, undefined);
    }
    return undefined;
  }
  if (typeof handler[operation] === 'function') {
    return callOperation(handler, operation, target, prop, args, returned);
  }
  if (operation === 'applyMethod') {
    return send(
      send(target, 'get', coerceProp(prop), noArgs),
      'applyFunction',
      undefined,
      args,
      returned,
    );
  }
  if (operation === 'applyFunction' && typeof handler.applyMethod === 'function') {
    return handler.applyMethod(target, undefined, args, returned);
  }
  throw refuseMissing(handler, isPromise(target) ? 'pendingHandler' : 'presenceHandler', operation);
};

/**
 * @param {any} handler
 * @param {Operation} operation
 * @param {any} target
 * @param {PropertyKey | undefined} prop
 * @param {any[]} args
 * @param {Promise<unknown> | undefined} returned
 */
const callOperation = (handler, operation, target, prop, args, returned) => {
  if (operation.startsWith('get')) return handler[operation](target, prop, returned);
  if (operation.startsWith('applyFunction')) return handler[operation](target, args, returned);
  return handler[operation](target, prop, args, returned);
};

/**
 * Applies an operation to a settled target: a presence's handler takes it; any other target is local.
 *
 * @param {any} target  no promise
 * @param {Operation} operation
 * @param {PropertyKey | undefined} prop
 * @param {any[]} args
 * @param {Promise<unknown> | undefined} returned
 * @returns {any}
 */
const forward = (target, operation, prop, args, returned) =>
  handOver(target, findHandle(target)?.handler, operation, prop, args, returned);

/**
 * Like `forward`, with the handler already looked up.
 *
 * @param {any} target  no promise
 * @param {Handler | undefined} handler
 * @param {Operation} operation
 * @param {PropertyKey | undefined} prop
 * @param {any[]} args
 * @param {Promise<unknown> | undefined} returned
 * @returns {any}
 */
const handOver = (target, handler, operation, prop, args, returned) => {
  if (handler !== undefined) return dispatch(handler, operation, target, prop, args, returned);
  if (operation.startsWith('applyMethod')) return applyMethod(target, prop, args);
  if (operation.startsWith('applyFunction')) return applyFunction(target, args);
  return get(target, /** @type {PropertyKey} */ (prop));
};

/**
 * Settles a promise with what a call returns or throws.
 *
 * @param {Settler} settler
 * @param {() => unknown} call
 */
const settleBy = (settler, call) => {
  try {
    settler.take(call());
  } catch (error) {
    settler.reject(error);
  }
};

/**
 * Whether a message to a promise goes to the promise's handler before it is settled.
 *
 * @param {Handler} pending
 * @param {Operation} operation
 */
const waitsFor = (pending, operation) =>
  pending instanceof Settler || getRefusals().isExact || takesOf2020(pending, operation);

/** One send, until its recipient is known. */
class Send {
  #isOver = false;

  /**
   * @param {Operation} operation
   * @param {PropertyKey | undefined} prop
   * @param {any[]} args
   * @param {Promise<unknown> | undefined} givenReturned  of an outer send that this one is part of
   * @param {number} count  number of earlier sends of this message
   */
  constructor(operation, prop, args, givenReturned, count) {
    this.settler = new Settler(undefined, Promise);
    this.count = count;
    this.operation = operation;
    this.prop = prop;
    this.args = args;
    this.returned = givenReturned ?? this.settler.settled;
  }

  /** @param {any} target */
  win(target) {
    if (this.#isOver) return;
    this.#isOver = true;
    this.settler.awaits = undefined;
    const { operation, prop, args, returned } = this;
    settleBy(this.settler, () => forward(target, operation, prop, args, returned));
  }

  /**
   * @param {Handler} handler
   * @param {Promise<unknown>} target
   */
  winPending(handler, target) {
    if (this.#isOver) return;
    this.#isOver = true;
    const { operation, prop, args, returned } = this;
    if (handler instanceof Settler) {
      settleBy(this.settler, () => handler.hold(this));
      return;
    }
    this.settler.awaits = undefined;
    settleBy(this.settler, () => dispatch(handler, operation, target, prop, args, returned));
  }

  /** @param {any} reason */
  lose(reason) {
    if (this.#isOver) return;
    this.#isOver = true;
    this.settler.reject(reason);
  }
}

keepShape(new Send('applyMethod', '', noArgs, undefined, 0));

/**
 * Sends an operation to what `target` is or becomes, in a later job.
 *
 * @param {any} target
 * @param {Operation} operation
 * @param {PropertyKey | undefined} prop
 * @param {any[]} args
 * @param {Promise<unknown>} [returned]
 * @returns {Promise<unknown>}
 */
export const send = (target, operation, prop, args, returned) =>
  sendTo(target, operation, prop, args, returned, 0);

/**
 * @param {any} target
 * @param {Operation} operation
 * @param {PropertyKey | undefined} prop
 * @param {any[]} args
 * @param {Promise<unknown> | undefined} returned
 * @param {number} count  number of earlier sends of this message
 * @returns {Promise<unknown>}
 */
const sendTo = (target, operation, prop, args, returned, count) => {
  const handle = findHandle(target);
  if (handle?.handler !== undefined || (handle === undefined && !isThenable(target))) {
    return sendToObject(target, handle?.handler, operation, prop, args, returned);
  }
  const one = new Send(operation, prop, args, returned, count);
  one.settler.awaits = target;
  // Whichever comes first: the promise is fulfilled, or, in the next job, it is found to have a handler.
  toPromise(target).then(
    value => one.win(value),
    reason => {
      resolved.then(() => one.lose(reason));
    },
  );
  if (handle !== undefined) {
    const number = numberSend();
    resolved.then(() => {
      const end = shortenFor(target, number);
      const known = findHandle(end);
      if (known?.pending !== undefined && waitsFor(known.pending, operation))
        one.winPending(known.pending, end);
      else if (!isThenable(end)) one.win(end);
      else if (known?.presence !== undefined) one.win(known.presence);
    });
  }
  return one.settler.settled;
};

/**
 * A send whose target is no promise: it only waits for the next job.
 *
 * @param {any} target
 * @param {Handler | undefined} handler  its handler; undefined for an object of the vat itself
 * @param {Operation} operation
 * @param {PropertyKey | undefined} prop
 * @param {any[]} args
 * @param {Promise<unknown> | undefined} returned
 * @returns {any} a promise; undefined for a message to a presence without a result
 */
const sendToObject = (target, handler, operation, prop, args, returned) => {
  if (handler !== undefined && operation.endsWith(sendOnlySuffix)) {
    // The message has no result.
    resolved.then(() => {
      try {
        dispatch(handler, operation, target, prop, args, undefined);
      } catch (error) {
        hardenReason(error);
      }
    });
    return undefined;
  }
  const refusal =
    Object(target) !== target && operation.startsWith('apply')
      ? refusePrimitive(target, prop)
      : undefined;
  const settler = new Settler(undefined, Promise);
  resolved.then(() => {
    try {
      if (refusal !== undefined) throw refusal;
      const result = handOver(target, handler, operation, prop, args, returned ?? settler.settled);
      settler.take(result);
    } catch (error) {
      settler.reject(error);
    }
  });
  return settler.settled;
};

/**
 * Whether a promise that is resolved to a value is fulfilled with it at once.
 *
 * @param {any} value  hardened
 */
export const fulfils = value => {
  if (Object(value) !== value) return true;
  const handle = findHandle(value);
  if (handle !== undefined && handle.handler === undefined) return false;
  try {
    return typeof value.then !== 'function';
  } catch {
    return false;
  }
};

/** @param {any} value */
export const isThenable = value => {
  if (isPromise(value)) return true;
  if (Object(value) !== value) return false;
  try {
    return typeof value.then === 'function';
  } catch {
    // A promise that is resolved to it is rejected with what its getter throws.
    return true;
  }
};

/** @param {unknown} prop */
export const coerceProp = prop => (typeof prop === 'symbol' ? prop : String(prop));

/** @param {Promise<unknown> | undefined} promise */
export const ignore = promise => {
  promise?.catch(() => {});
};
