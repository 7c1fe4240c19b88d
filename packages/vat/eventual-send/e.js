// `E(x).method(...args)` and its relatives, as in `@endo/eventual-send`. The proxies' traps are on shared prototypes,
// so that a send makes only one proxy, one function and one promise.

import { quote } from '@endo/errors';
import { HandledPromise, sendOnly } from './handled-promise.js';
import { send } from './send.js';
import { isSymbolOfNode, setForNode } from '../guarded-proxy.js';
import { hardenForVat } from '../marshal/harden-data.js';
import { findHandle } from './handles.js';
import { getRefusals } from './refusals.js';

/** Traps of a proxy that looks frozen and seems to have every property. */
const frozen = {
  /** @param {any} _target @param {PropertyKey} key @param {unknown} value @param {any} receiver */
  set: (_target, key, value, receiver) => isSymbolOfNode(key) && setForNode(key, value, receiver),
  isExtensible: () => false,
  setPrototypeOf: () => false,
  deleteProperty: () => false,
  has: () => true,
};

/**
 * The library's error, which quotes the name twice.
 *
 * @param {'E' | 'E.sendOnly'} sender
 * @param {unknown} recipient
 * @param {PropertyKey} key
 */
const unexpectedReceiver = (sender, recipient, key) =>
  Error(
    `Unexpected receiver for "${String(quote(key))}" method of ${sender}(${String(quote(recipient))})`,
  );

/** @throws {TypeError} in the engine's words */
const insistNoSymbol = () => {
  throw TypeError('Cannot convert a Symbol value to a string');
};

/** @type {((result: Promise<unknown>) => void) | undefined} */
let sendWatch;

/**
 * Sets the callback for finding where sends are written: each `E(x).method()` calls it with the result, on the sender's
 * stack. Used to replay a vat's cranks, not in runs.
 *
 * @param {((result: Promise<unknown>) => void) | undefined} watch
 */
export const watchSends = watch => {
  sendWatch = watch;
};

/** @implements {ProxyHandler<any>} */
class MethodTraps {
  // The last method, cached for vats that send the same message repeatedly.
  /** @type {PropertyKey | undefined} */
  #key = undefined;

  /** @type {any} */
  #receiver = undefined;

  /** @type {Function | undefined} */
  #method = undefined;

  /** @param {any} recipient */
  constructor(recipient) {
    this.recipient = recipient;
  }

  /**
   * @param {any} _target
   * @param {PropertyKey} key
   * @param {any} receiver
   */
  get(_target, key, receiver) {
    if (this.#method === undefined || key !== this.#key || receiver !== this.#receiver) {
      this.#key = key;
      this.#receiver = receiver;
      this.#method = this.#makeMethod(key, receiver);
    }
    return this.#method;
  }

  /**
   * @param {PropertyKey} key
   * @param {any} receiver
   */
  #makeMethod(key, receiver) {
    if (isSymbolOfNode(key)) return undefined;
    // The proxies of 2020 made text of the key.
    if (typeof key === 'symbol' && !getRefusals().isExact) insistNoSymbol();
    const { recipient } = this;
    // A concise method sees `this`, and cannot be constructed.
    const method = {
      /** @param {any[]} args */
      method(...args) {
        if (this !== receiver && getRefusals().isExact) {
          return HandledPromise.reject(harden(unexpectedReceiver('E', recipient, key)));
        }
        const result = send(recipient, 'applyMethod', key, hardenArgs(args));
        if (sendWatch !== undefined) sendWatch(result);
        return result;
      },
    }.method;
    return Object.freeze(method);
  }

  /**
   * @param {any} _target
   * @param {any} _this
   * @param {any[]} args
   */
  apply(_target, _this, args) {
    return HandledPromise.applyFunction(this.recipient, args);
  }
}
Object.assign(MethodTraps.prototype, frozen);
Object.freeze(MethodTraps.prototype);

/** @implements {ProxyHandler<any>} */
class SendOnlyTraps {
  /** @param {any} recipient */
  constructor(recipient) {
    this.recipient = recipient;
  }

  /**
   * @param {any} _target
   * @param {PropertyKey} key
   * @param {any} receiver
   */
  get(_target, key, receiver) {
    if (isSymbolOfNode(key)) return undefined;
    const { recipient } = this;
    const method = {
      /** @param {any[]} args */
      method(...args) {
        if (this !== receiver) {
          throw unexpectedReceiver('E.sendOnly', recipient, key);
        }
        sendOnly(recipient, key, hardenArgs(args));
      },
    }.method;
    return Object.freeze(method);
  }

  /**
   * @param {any} _target
   * @param {any} _this
   * @param {any[]} args
   */
  apply(_target, _this, args) {
    HandledPromise.applyFunctionSendOnly(this.recipient, args);
  }
}
Object.assign(SendOnlyTraps.prototype, frozen);
Object.freeze(SendOnlyTraps.prototype);

/** @implements {ProxyHandler<any>} */
class GetTraps {
  /** @param {any} recipient */
  constructor(recipient) {
    this.recipient = recipient;
  }

  /**
   * @param {any} _target
   * @param {PropertyKey} key
   */
  get(_target, key) {
    return isSymbolOfNode(key) ? undefined : HandledPromise.get(this.recipient, key);
  }
}
Object.assign(GetTraps.prototype, frozen);
Object.freeze(GetTraps.prototype);

/**
 * Hardens the arguments of one call, which nobody else holds, where the profile does.
 *
 * @param {any[]} args
 */
const hardenArgs = args => {
  if (!getRefusals().hardens) return args;
  for (let i = 0; i < args.length; i += 1) hardenForVat(args[i]);
  Object.freeze(args);
  return args;
};

// Targets are frozen, not hardened: a hardened one could not be a trapping proxy's target in later engines.
const functionTarget = makeBareFunction();
const objectTarget = Object.freeze({ __proto__: null });

/** @param {any} x */
const makeMethodProxy = x => new Proxy(functionTarget, Object.freeze(new MethodTraps(x)));

/** @param {any} x */
const makeSendOnlyProxy = x => new Proxy(functionTarget, Object.freeze(new SendOnlyTraps(x)));

/** A function with nothing of its own: a frozen `name` or `length` would show through the proxy. */
function makeBareFunction() {
  const bare = /** @type {any} */ (() => {});
  delete bare.name;
  delete bare.length;
  return Object.freeze(bare);
}

/** The functions of `E`. They are methods, so that vats see their names. */
const parts = {
  /** `E.get(x).p`: a promise for a property. */
  get(/** @type {any} */ x) {
    return new Proxy(objectTarget, Object.freeze(new GetTraps(x)));
  },
  /** The name of `E.get` in 2020. */
  G(/** @type {any} */ x) {
    return new Proxy(objectTarget, Object.freeze(new GetTraps(x)));
  },
  /** `E.resolve(x)`: x as a handled promise. */
  resolve: HandledPromise.resolve,
  /** `E.sendOnly(x).m(...)`: sends without a result. */
  sendOnly(/** @type {any} */ x) {
    const handle = findHandle(x);
    if (handle === undefined) return makeSendOnlyProxy(x);
    handle.sendOnlyProxy ??= makeSendOnlyProxy(x);
    return handle.sendOnlyProxy;
  },
  /** `E.when(x, onFulfilled, onRejected)`: `then` for any x. */
  when(/** @type {any} */ x, /** @type {any} */ onFulfilled, /** @type {any} */ onRejected) {
    return HandledPromise.resolve(x).then(onFulfilled, onRejected);
  },
};
for (const part of Object.values(parts)) Object.freeze(part);

/**
 * `E(x).m(...)` sends `m` to x in a later turn and returns a promise for its result; `E(x)(...)` calls x.
 *
 * @type {any}
 */
export const E = Object.freeze(
  Object.assign((/** @type {any} */ x) => {
    // Most sends go to presences and handled promises, which cache their proxy.
    const handle = findHandle(x);
    if (handle === undefined) return makeMethodProxy(x);
    handle.proxy ??= makeMethodProxy(x);
    return handle.proxy;
  }, parts),
);
