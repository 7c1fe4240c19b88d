// A promise as whoever settles it has it, and where a promise leads.

import { VatProxy } from '../guarded-proxy.js';
import { findHandle, Handle, Later, stampHandle } from './handles.js';
import { hardenReason, hardenResult, resolved } from './jobs.js';

/** @import { Handler } from './handles.js' */

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
export const shorten = target => {
  let end = target;
  for (;;) {
    const handle = findHandle(end);
    // Reading `settled` makes the promise, which forwards the one that waits for it.
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
 * Whether a promise leads back to itself, over what it was resolved to, and over the targets of messages whose results it
 * waits for: nothing will ever settle it.
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

/** The two ends of a handled promise. What takes messages to it before it is settled is up to a subclass. */
export class PromiseEnds extends Handle {
  #isSettled = false;

  /** @type {any} */
  #target = null;

  /** The target of the message whose result it is, until the message is delivered. @type {any} */
  awaits = undefined;

  /** Called when messages that wait may go on. @type {(() => void) | undefined} */
  letPass = undefined;

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
    this.pending = pending;
    // The promise's handle is the settler itself; nobody outside of this folder gets hold of it.
    stampHandle(this.settled, this);
    Object.freeze(this.settled);
  }

  /** @param {any} value */
  resolve(value) {
    if (this.#isSettled) return;
    this.awaits = undefined;
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
      } else if (this.pending === /** @type {unknown} */ (this)) {
        // Resolved to itself, it is rejected: messages must not wait here, or they would be sent again for ever. A handler
        // that somebody gave goes on to take them.
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
   * It will be settled as something is that comes later.
   *
   * @param {Later} later
   */
  waitFor(later) {
    this.#isSettled = true;
    this.pending = undefined;
    this.later = later;
    this.letPass?.();
  }

  /**
   * The later result that it waits for has had its promise made: forward to that.
   *
   * @param {Promise<unknown>} promise  handled, and not settled yet
   */
  follow(promise) {
    this.later = undefined;
    this.forward = promise;
    promise.then(this.#resolve, this.#reject);
  }

  /**
   * The later result that it waits for is there: settle in the next job, when a listener of a promise would be called.
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
