// Computes when the cranks of one tag could begin, by the kernel's rules (`kernel/crank/ahead.js`), from the lines of a
// slog.
//
// A crank may begin while another crank, the head, is under way; the head's effects are written next. The slog
// determines which heads allow a crank to begin, so each crank gets the first of them.

import { collectionKinds } from '#kernel';

/**
 * The rule by which a crank had to wait, if it could not begin with the first crank of its tag.
 *
 * @typedef {'vat' | 'device' | 'promise' | 'notify' | 'start' | 'reaction' | 'collection'} Wait
 */

/**
 * A crank in the form that schedule.js takes.
 *
 * @typedef {object} Step
 * @property {string} vatId  empty if no vat was reached, so that nothing runs
 * @property {number} after  index in its tag: it may begin when the cranks before this index are written; at most its
 *   own index
 * @property {Wait | undefined} wait  the rule that decided `after`; undefined if that is 0
 * @property {boolean} closes  whether it called a device: while it runs as the head, no crank may begin
 * @property {number} vatNs  time in the vat
 * @property {number} kernelNs  the rest of its time: routing it and writing its effects
 */

/** @typedef {{ type: string, kind?: string, vatID?: string, target?: string, delivery?: any[], syscalls?: any[][], births?: string[], answers?: unknown[], outcome?: string, vatNs?: number, ns?: number, microstep?: number, timeNs?: number, stage?: number, step?: unknown[], crankNum?: number }} CrankLine */

/**
 * The kref of a slog's reference, `kp40 p-60`; empty if it has the vref only, as in a syscall that was not applied.
 *
 * @param {unknown} told
 */
const krefOf = told => {
  if (typeof told !== 'string' || !told.startsWith('k')) return '';
  const end = told.indexOf(' ');
  return end < 0 ? told : told.slice(0, end);
};

/** @param {{ slots?: unknown }} data @returns {string[]} */
const krefsOf = data => (Array.isArray(data?.slots) ? data.slots.map(krefOf) : []);

/** @param {any[] | undefined} delivery @returns {string[]} krefs in the data of a delivery */
const broughtBy = delivery => {
  if (delivery === undefined) return [];
  if (delivery[0] === 'message') return krefsOf(delivery[2]);
  if (delivery[0] === 'startVat') return krefsOf(delivery[1]);
  if (delivery[0] !== 'notify') return [];
  return delivery[1].flatMap((/** @type {any[]} */ resolution) => krefsOf(resolution[2]));
};

const isDevice = (/** @type {string} */ kref) => kref.startsWith('kd');
const isPromise = (/** @type {string} */ kref) => kref.startsWith('kp');

/** The promise that an item was sent to. @param {CrankLine} line @returns {string} empty: none */
const promiseOf = ({ kind, target, delivery, step }) => {
  if (kind !== 'send') return '';
  const kref = target ?? (delivery === undefined ? krefOf(step?.[1]) : krefOf(delivery[1]));
  return isPromise(kref) ? kref : '';
};

/** A promise that reaches more promises than this counts as unsettled, as in the kernel. */
const mostReached = 1000;

/** Reads the cranks of a run in order. */
export class OverlapReader {
  /** Vats that have called a device. Others that hold one begin early, as on a thread. @type {Set<string>} */
  #callers = new Set();

  /**
   * Vats that were made in the run and have not started. Under `2020-09` a vat starts within the crank that makes it
   * and stays in this set: a slog does not show whether it was given a device.
   *
   * @type {Set<string>}
   */
  #unstarted = new Set();

  /**
   * Settled promises: the index of the settling crank in the run, and the promises in the data.
   *
   * @type {Map<string, { at: number, named: string[] }>}
   */
  #settled = new Map();

  /** The number of cranks read. */
  #count = 0;

  // State of the current tag:

  /** `#count` at the tag's first crank. */
  #begin = 0;

  /** Index after the last crank of each vat. @type {Map<string, number>} */
  #behind = new Map();

  /** No crank begins before the crank at this index is the head. */
  #barrier = 0;

  /** The rule that set the barrier. @type {Wait | undefined} */
  #barrierWait = undefined;

  /** The stage of the last reaction. */
  #stage = 0;

  /** Index after the last vat's start: no reaction begins before. */
  #behindStart = 0;

  /** Begin a tag. */
  beginTag() {
    this.#begin = this.#count;
    this.#behind.clear();
    this.#barrier = 0;
    this.#barrierWait = undefined;
    this.#stage = 0;
    this.#behindStart = 0;
  }

  /**
   * @param {CrankLine} line  the next crank of the tag
   * @returns {Step}
   */
  read(line) {
    const place = this.#count - this.#begin;
    const vatId = line.delivery === undefined ? '' : (line.vatID ?? '');
    const { after, wait } = this.#whenOf(line, place, vatId);
    this.#noteEffects(line, place, vatId);
    this.#count += 1;
    const ns = line.ns ?? 0;
    const vatNs = vatId === '' ? 0 : Math.min(line.vatNs ?? 0, ns);
    const closes = (line.syscalls ?? []).some(([kind]) => kind === 'callNow');
    return { vatId, after, wait, closes, vatNs, kernelNs: ns - vatNs };
  }

  /** @param {CrankLine} line  the start of a vat before the first crank */
  readOutside(line) {
    this.#noteEffects(line, 0, line.vatID ?? '');
  }

  /**
   * Read a crank that reactors ran by themselves.
   *
   * @param {string} vatId
   * @param {number} stage
   * @returns {Step}
   */
  readQuiet(vatId, stage) {
    const place = this.#count - this.#begin;
    const { after, wait } = this.#whenOf({ type: 'quiet', kind: 'react', stage }, place, vatId);
    this.#behind.set(vatId, place + 1);
    this.#count += 1;
    return { vatId, after, wait, closes: false, vatNs: 0, kernelNs: 0 };
  }

  /**
   * Reactions of one stage begin together: those of stage 0 with the tag, others when all before their stage is written.
   *
   * @param {number} stage
   * @param {number} place
   */
  #enterStage(stage, place) {
    this.#raise(this.#behindStart, 'start');
    if (stage > this.#stage) this.#raise(place, 'reaction');
    this.#stage = Math.max(stage, this.#stage);
  }

  /**
   * @param {number} place
   * @param {Wait} wait
   */
  #raise(place, wait) {
    if (place <= this.#barrier) return;
    this.#barrier = place;
    this.#barrierWait = wait;
  }

  /**
   * Apply the rules. Indexes count from the tag's first crank.
   *
   * @param {CrankLine} line
   * @param {number} place
   * @param {string} vatId
   * @returns {{ after: number, wait: Wait | undefined }}
   */
  #whenOf(line, place, vatId) {
    const kind = line.kind ?? '';
    const target = promiseOf(line);
    if (kind === 'react') {
      this.#enterStage(line.stage ?? 0, place);
    } else if (collectionKinds.has(kind)) {
      this.#raise(place, 'collection');
    } else if (target !== '') {
      // Until the promise is settled this item could go to any vat, so later items have to wait.
      this.#raise(Math.min(place, this.#settledBefore(target)), 'promise');
    }
    let after = this.#barrier;
    let wait = this.#barrierWait;
    // The objects that it finds are told before the items behind it.
    if (collectionKinds.has(kind)) this.#raise(place + 1, 'collection');
    const atLeast = (/** @type {number} */ least, /** @type {Wait} */ why) => {
      if (least <= after) return;
      after = least;
      wait = why;
    };
    if (vatId !== '') {
      atLeast(this.#behind.get(vatId) ?? 0, 'vat');
      const brought = broughtBy(line.delivery);
      if (this.#callers.has(vatId) || brought.some(isDevice)) atLeast(place, 'device');
      if (kind === 'notify') atLeast(Math.min(place, this.#completeBefore(brought)), 'notify');
      if (this.#unstarted.has(vatId)) atLeast(place, 'start');
    }
    return { after, wait };
  }

  /** @param {string} kref @returns {number} the index before which it is settled; Infinity if no settlement was read */
  #settledBefore(kref) {
    const settled = this.#settled.get(kref);
    return settled === undefined ? Infinity : Math.max(0, settled.at + 1 - this.#begin);
  }

  /**
   * @param {string[]} krefs  in the data of a notify
   * @returns {number} the index before which all promises that they reach are settled
   */
  #completeBefore(krefs) {
    const seen = new Set(krefs.filter(isPromise));
    let before = 0;
    for (const kref of seen) {
      before = Math.max(before, this.#settledBefore(kref));
      if (before === Infinity || seen.size > mostReached) return Infinity;
      for (const named of this.#settled.get(kref)?.named ?? []) seen.add(named);
    }
    return before;
  }

  /**
   * @param {CrankLine} line
   * @param {number} place
   * @param {string} vatId
   */
  #noteEffects(line, place, vatId) {
    if (vatId !== '') {
      this.#behind.set(vatId, place + 1);
      if (line.kind === 'start') {
        this.#unstarted.delete(vatId);
        this.#behindStart = place + 1;
      }
    }
    for (const born of line.births ?? []) this.#unstarted.add(born);
    for (const [kind, resolutions] of line.syscalls ?? []) {
      if (kind === 'callNow' && vatId !== '') this.#callers.add(vatId);
      if (kind !== 'resolve' || !Array.isArray(resolutions)) continue;
      for (const [told, , data] of resolutions) {
        const named = krefsOf(data).filter(isPromise);
        this.#settled.set(krefOf(told), { at: this.#count, named });
      }
    }
    // A notify repeats the data of a promise, which may have been settled before the slog began.
    if (line.delivery?.[0] !== 'notify') return;
    for (const [told, , data] of line.delivery[1]) {
      const kref = krefOf(told);
      if (this.#settled.has(kref)) continue;
      this.#settled.set(kref, { at: this.#begin - 1, named: krefsOf(data).filter(isPromise) });
    }
  }
}
