// The settling side of a handled promise, and where a promise is forwarded to.

import { VatProxy } from '../guarded-proxy.js';
import { findHandle, Handle, Later, stampHandle } from './handles.js';
import { hardenReason, hardenResult, resolved } from './jobs.js';
import { getRefusals } from './refusals.js';

/** @import { Handler } from './handles.js' */

const none = () => {};

/** @type {(value?: any) => void} */
let latestResolve = none;
/** @type {(reason?: any) => void} */
let latestReject = none;

/** An executor without a closure: the caller picks up the promise's functions right after `new Promise`.
 *
 * @param {(value?: any) => void} resolve
 * @param {(reason?: any) => void} reject
 */
const pickUp = (resolve, reject) => {
  latestResolve = resolve;
  latestReject = reject;
};

/** The number of the last send to a handled promise; and of the one whose job runs, or Infinity. */
let [lastSend, currentSend] = [0, Infinity];

/** @returns {number} of a send to a handled promise, whose job is queued now */
export const numberSend = () => {
  lastSend += 1;
  return lastSend;
};

/**
 * `shorten` in the job of a send to a handled promise.
 *
 * @param {any} target
 * @param {number} number  of the send
 * @returns {any}
 */
export const shortenFor = (target, number) => {
  currentSend = number;
  try {
    return shorten(target);
  } finally {
    currentSend = Infinity;
  }
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
    // Reading `settled` makes the promise and forwards the waiting one to it.
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

/**
 * Whether a promise depends on itself, through what it was resolved to and through the targets of messages whose
 * results it waits for. Then nothing will ever settle it.
 *
 * @param {PromiseEnds} ends  of the promise
 */
export const isInRing = ends => {
  /** @type {Set<Handle>} */
  const seen = new Set();
  /** @type {Handle | undefined} */
  let at = ends;
  while (at !== undefined && !seen.has(at)) {
    seen.add(at);
    at = findHandle(at.forward ?? (at instanceof PromiseEnds ? at.awaits : undefined));
  }
  return at !== undefined;
};

/** A handled promise and its settling functions. A subclass decides who takes messages before it is settled. */
export class PromiseEnds extends Handle {
  #isSettled = false;

  /** @type {any} */
  #target = null;

  /** The target of the message whose result it is, until the message is delivered. @type {any} */
  awaits = undefined;

  /** Called when waiting messages may go on. @type {(() => void) | undefined} */
  letPass = undefined;

  /** The promise itself. @type {Promise<unknown>} */
  settled;

  /** The last send that was queued before it began to wait for a later result. */
  #sendBefore = 0;

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
    // They would keep the promise, and what it is resolved to, until another vat makes one.
    latestResolve = none;
    latestReject = none;
    if (pending !== undefined && Object(pending) !== pending) {
      throw TypeError(`Handler ${pending} cannot be a primitive`);
    }
    this.pending = pending;
    // The settler itself is the promise's handle; it never leaves this folder.
    stampHandle(this.settled, this);
    Object.freeze(this.settled);
  }

  /** Whether a handler goes on to take messages when the promise is resolved to itself, as that of a vat's code. */
  get keepsHandler() {
    return false;
  }

  /** @param {any} value */
  resolve(value) {
    if (this.#isSettled) return;
    this.awaits = undefined;
    const { notANumber } = getRefusals();
    if (notANumber !== undefined && Number.isNaN(value)) {
      this.reject(notANumber());
      return;
    }
    try {
      let target = value;
      let known = findHandle(value);
      if (known !== undefined && (known.forward !== undefined || known.later !== undefined)) {
        target = shorten(value);
        known = findHandle(target);
      }
      if (known === undefined || (known.pending === undefined && known.presence === undefined)) {
        // Only a presence has a handler for messages after settlement.
        this.pending = undefined;
        if (known?.handler !== undefined) this.presence = target;
      } else if (known !== this) {
        // Like `shorten`, for a promise that was not forwarded before.
        this.pending = undefined;
        if (known.presence === undefined) this.forward = target;
        else this.presence = known.presence;
      } else if (this.pending === /** @type {unknown} */ (this) || !this.keepsHandler) {
        // Resolved to itself, it is rejected: messages must not wait here, or they would be sent again without end, nor go to
        // a supervisor's handler, whose name for the promise the kernel takes back.
        this.pending = undefined;
      }
      this.#isSettled = true;
      this.#target = target;
      this.#resolve(target);
    } catch (error) {
      this.reject(error);
      return;
    }
    this.letPass?.();
  }

  /** @param {any} result  of a handler or a local call */
  take(result) {
    if (result instanceof Later) result.awaitBy(this);
    else this.resolve(hardenResult(result));
  }

  /**
   * Makes this promise wait for a later result.
   *
   * @param {Later} later
   */
  waitFor(later) {
    this.#isSettled = true;
    this.pending = undefined;
    this.later = later;
    this.#sendBefore = lastSend;
    this.letPass?.();
  }

  /**
   * Forwards to the promise of the later result that it waits for, which was just made.
   *
   * A promise that is resolved to another one listens to it in the next job. Had the other one been there from the
   * beginning, a send that was queued before would come ahead of that job, and listen first if it asks for a property.
   *
   * @param {Promise<unknown>} promise  handled, and not settled yet
   */
  follow(promise) {
    this.later = undefined;
    this.forward = promise;
    const listen = () => void promise.then(this.#resolve, this.#reject);
    if (currentSend <= this.#sendBefore) resolved.then(listen);
    else listen();
  }

  /**
   * Settles with the later result that it waits for, in the next job, when a listener of a promise would be called.
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
    // A trap of the reason may have settled it.
    if (this.#isSettled) return;
    this.awaits = undefined;
    this.pending = undefined;
    this.#isSettled = true;
    this.#reject(hardened);
    this.letPass?.();
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
