// Finds the cause of a crank in a slog: the sender of its message, the settler of its promise, the maker of its vat. A
// slog has no causes outside of the run (messages of the host, timers) or in the kernel itself (collections).

import { krefOf } from './read-cranks.js';

/** @import { SlogCrank } from './read-cranks.js' */

/** @typedef {{ crankNum: number, how: string }} Cause */

/**
 * Bound on the entries of each map. In a longer run the oldest are dropped, and cranks that they caused have no cause.
 */
const mostRemembered = 4_000_000;

/** @param {Map<string, any>} map */
const forgetOldest = map => {
  if (map.size > mostRemembered) map.delete(/** @type {string} */ (map.keys().next().value));
};

/** @param {unknown} data */
const keyOf = data => {
  const { body, slots } = /** @type {any} */ (data ?? {});
  const text = typeof body === 'string' ? body : '';
  return JSON.stringify([text, Array.isArray(slots) ? slots.map(krefOf) : []]);
};

/**
 * Find the sender of a message. A record names the crank or the input that sent it; older slogs lack these fields.
 *
 * @param {Record<string, unknown>} record
 * @param {Cause[]} found  senders of an equal message, used for older slogs
 * @returns {Cause[]}
 */
const senderOf = ({ causeCrank, causeInput, delivery }, found) => {
  if (causeInput !== undefined) return [];
  if (typeof causeCrank !== 'number' || !(causeCrank > 0)) return found;
  const kref = krefOf(listOf(delivery)[3]);
  return [{ crankNum: causeCrank, how: kref === '' ? 'sends it' : `sends it, for ${kref}` }];
};

const listOf = (/** @type {unknown} */ value) => (Array.isArray(value) ? value : []);

/** Reads the cranks of a slog in order, and finds the causes of each. */
export class CauseTracker {
  /** Cranks that sent a message, by the kref of its result. @type {Map<string, number>} */
  #senders = new Map();

  /** Cranks that sent messages without a result, by their data, in the order of sending. @type {Map<string, number[]>} */
  #plainSenders = new Map();

  /** Cranks that settled a promise. @type {Map<string, number>} */
  #settlers = new Map();

  /** Cranks in which a vat subscribed, by kref and vat. @type {Map<string, number>} */
  #subscribers = new Map();

  /** Cranks that made a vat, or in which one ended. @type {Map<string, number>} */
  #makers = new Map();

  /**
   * @param {SlogCrank} crank  the next one
   * @returns {Cause[]} nearest first; empty if the slog has none
   */
  add(crank) {
    const causes = this.#find(crank);
    this.#remember(crank);
    return causes;
  }

  /** @param {SlogCrank} crank @returns {Cause[]} */
  #find({ kind, record, vatId }) {
    const delivery = listOf(record.delivery);
    if (delivery[0] === 'message') return senderOf(record, this.#findSender(delivery));
    if (delivery[0] === 'notify') return this.#findSettlers(delivery, vatId);
    if (kind === 'start' || kind === 'cleanUp') {
      const crankNum = this.#makers.get(`${kind === 'start' ? 'made' : 'ended'} ${vatId}`);
      const how = kind === 'start' ? `makes ${vatId}` : `ends ${vatId}`;
      return crankNum === undefined ? [] : [{ crankNum, how }];
    }
    return [];
  }

  /** @param {any[]} delivery @returns {Cause[]} */
  #findSender([, , data, result]) {
    const kref = krefOf(result);
    if (kref !== '') {
      const crankNum = this.#senders.get(kref);
      this.#senders.delete(kref);
      return crankNum === undefined ? [] : [{ crankNum, how: `sends it, for ${kref}` }];
    }
    const key = keyOf(data);
    const waiting = this.#plainSenders.get(key);
    const crankNum = waiting?.shift();
    if (waiting?.length === 0) this.#plainSenders.delete(key);
    return crankNum === undefined ? [] : [{ crankNum, how: 'sends it' }];
  }

  /** @param {any[]} delivery @param {string} vatId @returns {Cause[]} */
  #findSettlers([, resolutions], vatId) {
    /** @type {Cause[]} */
    const causes = [];
    for (const each of listOf(resolutions)) {
      const kref = krefOf(listOf(each)[0]);
      const settled = this.#settlers.get(kref);
      if (settled !== undefined) causes.push({ crankNum: settled, how: `settles ${kref}` });
      const key = `${kref} ${vatId}`;
      const asked = this.#subscribers.get(key);
      this.#subscribers.delete(key);
      if (asked !== undefined && (settled === undefined || asked > settled))
        causes.push({ crankNum: asked, how: `subscribes to ${kref}` });
    }
    return causes.sort((one, other) => other.crankNum - one.crankNum);
  }

  /** @param {SlogCrank} crank */
  #remember({ crankNum, vatId, record }) {
    // The syscalls of a dropped crank have no effect.
    const isKept = record.outcome !== 'dropped' && record.outcome !== 'unfinished';
    if (isKept) {
      for (const syscall of listOf(record.syscalls)) this.#takeSyscall(syscall, crankNum, vatId);
      for (const send of listOf(record.deviceSends)) this.#takeSyscall(send, crankNum, '');
      for (const syscall of listOf(record.birthSyscalls)) this.#takeSyscall(syscall, crankNum, '');
      for (const made of listOf(record.births)) this.#makers.set(`made ${krefOf(made)}`, crankNum);
    }
    const { outcome } = record;
    if (outcome === 'exit' || outcome === 'exitWithFailure' || record.fault !== undefined)
      this.#makers.set(`ended ${vatId}`, crankNum);
    forgetOldest(this.#makers);
  }

  /** @param {unknown} syscall @param {number} crankNum @param {string} vatId */
  #takeSyscall(syscall, crankNum, vatId) {
    const [name, first, data, result] = listOf(syscall);
    if (name === 'send') this.#takeSend(data, krefOf(result), crankNum);
    else if (name === 'resolve') {
      for (const each of listOf(first)) this.#settlers.set(krefOf(listOf(each)[0]), crankNum);
      forgetOldest(this.#settlers);
    } else if (name === 'subscribe') {
      this.#subscribers.set(`${krefOf(first)} ${vatId}`, crankNum);
      forgetOldest(this.#subscribers);
    }
  }

  /** @param {unknown} data @param {string} kref @param {number} crankNum */
  #takeSend(data, kref, crankNum) {
    if (kref !== '') {
      this.#senders.set(kref, crankNum);
      forgetOldest(this.#senders);
      return;
    }
    const key = keyOf(data);
    const waiting = this.#plainSenders.get(key);
    if (waiting === undefined) this.#plainSenders.set(key, [crankNum]);
    else waiting.push(crankNum);
    forgetOldest(this.#plainSenders);
  }
}
