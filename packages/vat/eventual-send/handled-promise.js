// Eventual send: `HandledPromise`, promises that take messages before they are settled, and presences, objects
// whose messages go to a handler.
//
// The order in which a vat's syscalls leave it depends on how many promise jobs lie between a send and its
// handler, so these numbers are part of the contract. They are those of `@endo/eventual-send`, which a
// differential test holds (test/eventual-send.test.js):
//
//   send to a local object, a presence, or a promise that somebody handles     1 job
//   send to another promise                                                    1 job after it is fulfilled
//   send to a promise that is rejected                                         2 jobs after it is
//
// What is different is the cost: a send to something that is no promise waits for that one job and nothing else.

import { keepShape } from '#model';
import { VatProxy } from '../guarded-proxy.js';
import { hardenForVat } from '../marshal/harden-data.js';
import { lendTo } from '../marshal/stand-in.js';
import { applyFunction, applyMethod, get } from './local.js';
import { findHandle, Handle, Later, stampHandle } from './handles.js';

/** @import { Handler } from './handles.js' */

/** @typedef {'get' | 'getSendOnly' | 'applyFunction' | 'applyFunctionSendOnly' | 'applyMethod' | 'applyMethodSendOnly'} Operation */

/**
 * Its `then` queues a job. It says itself that it has no constructor, or `then` would look for one through an accessor of
 * the locked-down prototype, which takes as long as all the rest.
 */
export const resolved = Object.defineProperty(Promise.resolve(), 'constructor', {
  value: undefined,
});

/** @type {(value?: any) => void} */
let latestResolve;
/** @type {(reason?: any) => void} */
let latestReject;
/** An executor without a closure: the promise's functions are picked up right behind `new Promise`.
 *
 * @param {(value?: any) => void} resolve
 * @param {(reason?: any) => void} reject
 */
const pickUp = (resolve, reject) => {
  latestResolve = resolve;
  latestReject = reject;
};

/**
 * The promise that a handled promise has been forwarded to in the end, or the value itself. Paths are shortened
 * on the way.
 *
 * @param {any} target
 * @returns {any}
 */
const shorten = target => {
  let end = target;
  for (;;) {
    const handle = findHandle(end);
    // Whoever asks where a promise leads has it made, which forwards the one that waits for it.
    if (handle?.later !== undefined) void handle.later.settled;
    if (handle?.forward === undefined) break;
    end = handle.forward;
  }
  // `Object.is`, since a promise may be forwarded to NaN.
  if (Object.is(end, target)) return target;
  const presence = findHandle(end)?.presence;
  for (let at = target; at !== end;) {
    const handle = /** @type {Handle} */ (findHandle(at));
    const next = handle.forward;
    handle.pending = undefined;
    if (presence === undefined) {
      handle.forward = end;
    } else {
      handle.forward = undefined;
      handle.presence = presence;
    }
    at = /** @type {Promise<unknown>} */ (next);
  }
  return end;
};

/** @type {any[]} */
const noArgs = [];
Object.freeze(noArgs);

/**
 * The two ends of a handled promise. Where nobody else handles messages to it, they wait here until it is settled,
 * and are sent again.
 *
 * @implements {Handler}
 */
export class Settler extends Handle {
  #isSettled = false;

  /** @type {any} */
  #target = null;

  /** Settles when messages that wait may go on; made when the first one comes. @type {Promise<void> | undefined} */
  #passable;

  /** @type {(() => void) | undefined} */
  #letPass;

  /** The promise whose two ends these are. @type {Promise<unknown>} */
  settled;

  #resolve;

  #reject;

  /**
   * @param {Handler | undefined} pending  takes messages until the promise is settled
   * @param {Function} newTarget  the class of the promise
   */
  constructor(pending, newTarget) {
    super();
    this.settled =
      newTarget === Promise ? new Promise(pickUp) : Reflect.construct(Promise, [pickUp], newTarget);
    this.#resolve = latestResolve;
    this.#reject = latestReject;
    if (pending !== undefined && Object(pending) !== pending) {
      throw TypeError(`Handler ${pending} cannot be a primitive`);
    }
    /** @type {Handler | undefined} */
    this.pending = pending ?? this;
    // The promise's handle is the settler itself; nobody outside of this folder gets hold of it.
    stampHandle(this.settled, this);
    Object.freeze(this.settled);
  }

  /**
   * @param {(target: any) => unknown} again
   * @param {any} target
   */
  #wait(again, target) {
    this.#passable ??= new Promise(resolve => {
      this.#letPass = resolve;
    });
    const passable = this.#passable;
    return makePromise((resolve, reject) => {
      passable.then(() => resolve(again(target))).catch(reject);
    });
  }

  /** @param {any} target @param {PropertyKey} prop */
  get(target, prop) {
    return this.#wait(t => send(t, 'get', prop, noArgs), target);
  }

  /** @param {any} target @param {PropertyKey} prop */
  getSendOnly(target, prop) {
    this.#wait(t => ignore(send(t, 'getSendOnly', prop, noArgs)), target);
  }

  /** @param {any} target @param {any[]} args */
  applyFunction(target, args) {
    return this.#wait(t => send(t, 'applyFunction', undefined, args), target);
  }

  /** @param {any} target @param {any[]} args */
  applyFunctionSendOnly(target, args) {
    this.#wait(t => ignore(send(t, 'applyFunctionSendOnly', undefined, args)), target);
  }

  /** @param {any} target @param {PropertyKey | undefined} prop @param {any[]} args */
  applyMethod(target, prop, args) {
    return this.#wait(t => send(t, 'applyMethod', prop, args), target);
  }

  /** @param {any} target @param {PropertyKey | undefined} prop @param {any[]} args */
  applyMethodSendOnly(target, prop, args) {
    this.#wait(t => ignore(send(t, 'applyMethodSendOnly', prop, args)), target);
  }

  /** @param {any} value */
  resolve(value) {
    if (this.#isSettled) return;
    try {
      let target = value;
      let known = findHandle(value);
      if (known !== undefined && (known.forward !== undefined || known.later !== undefined)) {
        target = shorten(value);
        known = findHandle(target);
      }
      if (known === undefined || (known.pending === undefined && known.presence === undefined)) {
        // Nobody will handle messages to what it is resolved to, unless it is a presence.
        this.pending = undefined;
        if (known?.handler !== undefined) this.presence = target;
      } else if (known !== this) {
        // As `shorten` does it, of a promise that was not forwarded before.
        this.pending = undefined;
        if (known.presence === undefined) this.forward = target;
        else this.presence = known.presence;
      }
      this.#isSettled = true;
      this.#target = target;
      this.#resolve(target);
    } catch (error) {
      this.reject(error);
      return;
    }
    this.#letPass?.();
  }

  /** @param {any} result  of a handler or a local call */
  take(result) {
    if (result instanceof Later) result.awaitBy(this);
    else this.resolve(hardenResult(result));
  }

  /**
   * It will be settled as something is that comes later.
   *
   * @param {Later} later
   */
  waitFor(later) {
    this.#isSettled = true;
    this.pending = undefined;
    this.later = later;
    this.#letPass?.();
  }

  /**
   * What it waits for has become a promise.
   *
   * @param {Promise<unknown>} promise  handled, and not settled yet
   */
  follow(promise) {
    this.later = undefined;
    this.forward = promise;
    promise.then(this.#resolve, this.#reject);
  }

  /**
   * What it waits for is there: settle in the next job, as who listens to a promise for that would be.
   *
   * @param {boolean} rejected
   * @param {unknown} value  no promise
   */
  end(rejected, value) {
    this.later = undefined;
    if (rejected) {
      resolved.then(() => this.#reject(value));
      return;
    }
    if (findHandle(value)?.handler !== undefined) this.presence = /** @type {object} */ (value);
    resolved.then(() => this.#resolve(value));
  }

  /** @param {any} reason */
  reject(reason) {
    if (this.#isSettled) return;
    const hardened = hardenReason(reason);
    // A trap of the reason's may have settled it.
    if (this.#isSettled) return;
    this.pending = undefined;
    this.#isSettled = true;
    this.#reject(hardened);
    this.#letPass?.();
  }

  /**
   * Resolve to a new presence: an object whose messages go to `handler` from now on.
   *
   * @param {Handler} [handler]
   * @param {{ proxy?: { handler: ProxyHandler<any>, target: any, revokerCallback?: (revoke: () => void) => void } }} [options]
   */
  resolveWithPresence(handler = this.pending, options = {}) {
    if (this.#isSettled) return this.#target;
    try {
      if (Object(handler) !== handler) throw TypeError(`Handler ${handler} cannot be a primitive`);
      const presence = makePresenceObject(options.proxy);
      const own = new Handle();
      own.handler = handler;
      own.promise = this.settled;
      stampHandle(presence, own);
      this.presence = presence;
      this.resolve(presence);
      return presence;
    } catch (error) {
      this.reject(error);
      throw error;
    }
  }
}

/**
 * @param {{ handler: ProxyHandler<any>, target: any, revokerCallback?: (revoke: () => void) => void } | undefined} proxy
 * @returns {object}
 */
const makePresenceObject = proxy => {
  if (proxy === undefined) return Object.create(null);
  if (proxy.revokerCallback === undefined) return new VatProxy(proxy.target, proxy.handler);
  const { proxy: presence, revoke } = VatProxy.revocable(proxy.target, proxy.handler);
  proxy.revokerCallback(revoke);
  return presence;
};

/**
 * A handled promise for use inside: no subclass, no checks of the executor.
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
 * @param {Handler | undefined} pending  undefined: messages wait until it is settled
 * @returns {{ settled: Promise<unknown>, resolve: (value: any) => void, reject: (reason: any) => void }}
 */
export const makeHandledPromiseKit = pending => new Settler(pending, Promise);

/**
 * A new presence: bare and not yet frozen. The promise that stands for it is made when somebody asks for it, which is
 * seldom.
 *
 * @param {Handler} handler
 * @param {object | null} prototype
 */
export const makePresence = (handler, prototype) => {
  const presence = Object.create(prototype);
  const own = new Handle();
  own.handler = handler;
  stampHandle(presence, own);
  return presence;
};

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
 * Whether a promise is one whose `then` is the real one: nothing can run when it is looked at.
 *
 * @param {Promise<unknown>} promise
 */
const isSafe = promise =>
  Object.isFrozen(promise) &&
  Object.getPrototypeOf(promise) === Promise.prototype &&
  Object.getOwnPropertyDescriptor(promise, 'then') === undefined &&
  Object.getOwnPropertyDescriptor(promise, 'constructor') === undefined;

/**
 * `value` as a promise that is safe to ask: for a presence the promise that stands for it.
 *
 * @param {any} value
 * @returns {Promise<any>}
 */
const toPromise = value => {
  const handle = findHandle(value);
  if (handle !== undefined)
    return handle.handler === undefined ? value : providePromise(value, handle);
  const promise = Promise.resolve(value);
  // A bare promise has nothing to harden but itself: its prototype is an intrinsic.
  if (
    Reflect.ownKeys(promise).length === 0 &&
    Object.getPrototypeOf(promise) === Promise.prototype
  ) {
    return Object.freeze(promise);
  }
  harden(promise);
  if (isSafe(promise)) return promise;
  return harden(
    resolved.then(
      () =>
        new HandledPromise((/** @type {any} */ resolve, /** @type {any} */ reject) =>
          promise.then(resolve, reject),
        ),
    ),
  );
};

/**
 * @param {any} result  of a handler or a local call
 * @returns {any}
 */
export const hardenResult = result => {
  // What has a handle was frozen when it was made.
  if (Object(result) !== result || findHandle(result) !== undefined) return result;
  return hardenForVat(result);
};

/**
 * Why a promise is rejected, hardened. What cannot be hardened, such as a proxy whose traps throw, is replaced: a promise
 * must be settled whatever was thrown.
 *
 * @param {unknown} reason
 * @returns {unknown}
 */
export const hardenReason = reason => {
  try {
    return harden(reason);
  } catch {
    return harden(TypeError('what was thrown cannot be hardened'));
  }
};

const sendOnlySuffix = 'SendOnly';

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
  throw TypeError(`handler is defined but has no methods needed for ${JSON.stringify(operation)}`);
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
 * Apply an operation to what a target is by now: a presence's handler takes it, anything else is local.
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
 * Sends to a target whose handler is known.
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
 * Settle a promise with what a call gives or throws.
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

/** One send, until it is known who takes it. */
class Send {
  #isOver = false;

  /**
   * @param {Operation} operation
   * @param {PropertyKey | undefined} prop
   * @param {any[]} args
   * @param {Promise<unknown> | undefined} givenReturned  of an outer send that this one is part of
   */
  constructor(operation, prop, args, givenReturned) {
    this.settler = new Settler(undefined, Promise);
    this.operation = operation;
    this.prop = prop;
    this.args = args;
    this.returned = givenReturned ?? this.settler.settled;
  }

  /** @param {any} target */
  win(target) {
    if (this.#isOver) return;
    this.#isOver = true;
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
    settleBy(this.settler, () => dispatch(handler, operation, target, prop, args, returned));
  }

  /** @param {any} reason */
  lose(reason) {
    if (this.#isOver) return;
    this.#isOver = true;
    this.settler.reject(reason);
  }
}

keepShape(new Send('applyMethod', '', noArgs, undefined));

/**
 * Send an operation to whatever `target` is or becomes, in a later job.
 *
 * @param {any} target
 * @param {Operation} operation
 * @param {PropertyKey | undefined} prop
 * @param {any[]} args
 * @param {Promise<unknown>} [returned]
 * @returns {Promise<unknown>}
 */
export const send = (target, operation, prop, args, returned) => {
  const handle = findHandle(target);
  if (handle?.handler !== undefined || (handle === undefined && !isThenable(target))) {
    return sendToObject(target, handle?.handler, operation, prop, args, returned);
  }
  const one = new Send(operation, prop, args, returned);
  // Whichever comes first: the promise is fulfilled, or, in the next job, it turns out that somebody handles it.
  toPromise(target).then(
    value => one.win(value),
    reason => {
      resolved.then(() => one.lose(reason));
    },
  );
  if (handle !== undefined) {
    resolved.then(() => {
      const end = shorten(target);
      const known = findHandle(end);
      if (known?.pending !== undefined) one.winPending(known.pending, end);
      else if (!isThenable(end)) one.win(end);
      else if (known?.presence !== undefined) one.win(known.presence);
    });
  }
  return one.settler.settled;
};

/**
 * A send whose target is no promise: nothing but the next job has to be waited for.
 *
 * @param {any} target
 * @param {Handler | undefined} handler  its handler; undefined for an object of the vat itself
 * @param {Operation} operation
 * @param {PropertyKey | undefined} prop
 * @param {any[]} args
 * @param {Promise<unknown> | undefined} returned
 * @returns {any} a promise; undefined for a message to a presence whose result goes to nobody
 */
const sendToObject = (target, handler, operation, prop, args, returned) => {
  if (handler !== undefined && operation.endsWith(sendOnlySuffix)) {
    // Its result goes to nobody.
    resolved.then(() => {
      try {
        dispatch(handler, operation, target, prop, args, undefined);
      } catch (error) {
        hardenReason(error);
      }
    });
    return undefined;
  }
  const settler = new Settler(undefined, Promise);
  resolved.then(() => {
    try {
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
export const isThenable = value =>
  isPromise(value) || (Object(value) === value && typeof value.then === 'function');

/** @param {unknown} prop */
const coerceProp = prop => (typeof prop === 'symbol' ? prop : String(prop));

/**
 * Arguments are hardened when they are sent. A list of primitives needs no more than to be frozen.
 *
 * @param {any} args  iterable
 * @returns {any[]}
 */
const takeArgs = args => {
  const list = [...args];
  for (let i = 0; i < list.length; i += 1) hardenForVat(list[i]);
  Object.freeze(list);
  return list;
};

/** @param {Promise<unknown> | undefined} promise */
const ignore = promise => {
  promise?.catch(() => {});
};

/**
 * Send a message whose result goes to nobody.
 *
 * @param {any} target
 * @param {PropertyKey} method
 * @param {any[]} args  hardened
 */
export const sendOnly = (target, method, args) => {
  ignore(send(target, 'applyMethodSendOnly', method, args));
};

/**
 * A promise that takes messages: `executor(resolve, reject, resolveWithPresence)`, and a handler for the messages
 * that come before it is settled. The class that `@endo/eventual-send` calls by this name.
 *
 * @type {any}
 */
export const HandledPromise = /** @type {any} */ (
  function HandledPromise(
    /** @type {(resolve: any, reject: any, resolveWithPresence: any) => void} */ executor,
    /** @type {Handler | undefined} */ pending,
  ) {
    if (new.target === undefined) throw TypeError('must be invoked with "new"');
    const settler = new Settler(pending, new.target);
    executor(
      (/** @type {any} */ value) => settler.resolve(value),
      (/** @type {any} */ reason) => settler.reject(reason),
      (/** @type {any} */ handler, /** @type {any} */ options) =>
        settler.resolveWithPresence(handler, options),
    );
    return settler.settled;
  }
);
HandledPromise.prototype = Promise.prototype;
Object.setPrototypeOf(HandledPromise, Promise);

const statics = {
  get(/** @type {any} */ target, /** @type {unknown} */ prop) {
    return send(target, 'get', coerceProp(prop), noArgs);
  },
  getSendOnly(/** @type {any} */ target, /** @type {unknown} */ prop) {
    ignore(send(target, 'getSendOnly', coerceProp(prop), noArgs));
  },
  applyFunction(/** @type {any} */ target, /** @type {any[]} */ args) {
    return send(target, 'applyFunction', undefined, takeArgs(args));
  },
  applyFunctionSendOnly(/** @type {any} */ target, /** @type {any[]} */ args) {
    ignore(send(target, 'applyFunctionSendOnly', undefined, takeArgs(args)));
  },
  applyMethod(/** @type {any} */ target, /** @type {unknown} */ prop, /** @type {any[]} */ args) {
    return send(target, 'applyMethod', coerceProp(prop), takeArgs(args));
  },
  applyMethodSendOnly(
    /** @type {any} */ target,
    /** @type {unknown} */ prop,
    /** @type {any[]} */ args,
  ) {
    ignore(send(target, 'applyMethodSendOnly', coerceProp(prop), takeArgs(args)));
  },
  resolve: toPromise,
};
for (const [name, value] of Object.entries(statics)) {
  Object.defineProperty(HandledPromise, name, { value: Object.freeze(value) });
}
Object.freeze(HandledPromise);
lendTo(HandledPromise);
