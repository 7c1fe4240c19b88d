// When the cranks of one tag could begin, by the kernel's rules (`kernel/crank/ahead.js`), read from the lines of a slog.
//
// A crank may begin while another crank, the head, is under way: the one whose effects are written next. Which heads
// allow it follows from the slog alone, so each crank gets the first of them.

/**
 * The reasons why a crank had to wait, if it could not begin with the first crank of its tag.
 *
 * @typedef {'vat' | 'device' | 'promise' | 'notify' | 'start' | 'reaction' | 'collection'} Wait
 */

/**
 * A crank as the schedule sees it.
 *
 * @typedef {object} Step
 * @property {string} vatId  empty: no vat was reached, so nothing runs
 * @property {number} after  it may begin when the cranks of its tag before this place are written; at most its own place
 * @property {Wait | undefined} wait  which rule decided `after`; undefined if it is 0
 * @property {boolean} closes  once its vat runs, nothing more begins until it is written: it called a device
 * @property {number} vatNs  in the vat
 * @property {number} kernelNs  the rest: routing it and writing its effects
 */

/** @typedef {{ type: string, kind?: string, vatID?: string, target?: string, delivery?: any[], syscalls?: any[][], births?: string[], answers?: unknown[], outcome?: string, vatNs?: number, ns?: number, microstep?: number, timeNs?: number, step?: unknown[], crankNum?: number }} CrankLine */

const collecting = new Set([
  'bringOutYourDead',
  'collect',
  'dropExports',
  'retireExports',
  'retireImports',
]);

/** A slog tells a reference as `kp40 p-60`, or by the vat's name alone if it was not applied. @param {unknown} told */
const krefOf = told => {
  if (typeof told !== 'string' || !told.startsWith('k')) return '';
  const end = told.indexOf(' ');
  return end < 0 ? told : told.slice(0, end);
};

/** @param {{ slots?: unknown }} data @returns {string[]} */
const krefsOf = data => (Array.isArray(data?.slots) ? data.slots.map(krefOf) : []);

/** @param {any[] | undefined} delivery @returns {string[]} krefs that a delivery brings in its data */
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

/** Promises from which more are reached count as unsettled, as in the kernel. */
const mostReached = 1000;

/** Reads the cranks of a run in their order. */
export class OverlapReader {
  /** Vats that hold a device. @type {Set<string>} */
  #holders = new Set();

  /**
   * Vats that were made in the run and have not started. Those that start within the crank that makes them, as under
   * `2020-09`, stay here: a slog does not tell whether they were given a device.
   *
   * @type {Set<string>}
   */
  #unstarted = new Set();

  /** Settled promises: the crank, counted over the run, and promises in the data. @type {Map<string, { at: number, named: string[] }>} */
  #settled = new Map();

  /** Cranks read. */
  #count = 0;

  // State of the tag that is being read:

  /** `#count` at its first crank. */
  #begin = 0;

  /** Place behind the last crank of each vat. @type {Map<string, number>} */
  #behind = new Map();

  /** Nothing begins before the crank at this place is the head. */
  #barrier = 0;

  /** @type {Wait | undefined} why */
  #barrierWait = undefined;

  /** A tag begins. */
  beginTag() {
    this.#begin = this.#count;
    this.#behind.clear();
    this.#barrier = 0;
    this.#barrierWait = undefined;
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

  /** @param {CrankLine} line  of a vat that starts before the first crank */
  readOutside(line) {
    this.#noteEffects(line, 0, line.vatID ?? '');
  }

  /**
   * Cranks that reactors ran by themselves: each waits for the one before.
   *
   * @param {string} vatId
   * @returns {Step}
   */
  readQuiet(vatId) {
    const place = this.#count - this.#begin;
    this.#count += 1;
    this.#raise(place, 'reaction');
    const wait = place === 0 ? undefined : 'reaction';
    return { vatId, after: place, wait, closes: false, vatNs: 0, kernelNs: 0 };
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
   * The rules. Places count from the tag's first crank.
   *
   * @param {CrankLine} line
   * @param {number} place
   * @param {string} vatId
   * @returns {{ after: number, wait: Wait | undefined }}
   */
  #whenOf(line, place, vatId) {
    const kind = line.kind ?? '';
    const target = promiseOf(line);
    if (kind === 'react' || collecting.has(kind)) {
      const wait = kind === 'react' ? 'reaction' : 'collection';
      this.#raise(place, wait);
    } else if (target !== '') {
      // Until the promise is settled this item could go to any vat, and those behind it have to wait.
      this.#raise(Math.min(place, this.#settledBefore(target)), 'promise');
    }
    let after = this.#barrier;
    let wait = this.#barrierWait;
    const atLeast = (/** @type {number} */ least, /** @type {Wait} */ why) => {
      if (least <= after) return;
      after = least;
      wait = why;
    };
    if (vatId !== '') {
      atLeast(this.#behind.get(vatId) ?? 0, 'vat');
      const brought = broughtBy(line.delivery);
      if (this.#holders.has(vatId) || brought.some(isDevice)) atLeast(place, 'device');
      if (kind === 'notify') atLeast(Math.min(place, this.#completeBefore(brought)), 'notify');
      if (this.#unstarted.has(vatId)) atLeast(place, 'start');
    }
    return { after, wait };
  }

  /** @param {string} kref @returns {number} the place before which it is settled; Infinity if it is not known to be */
  #settledBefore(kref) {
    const settled = this.#settled.get(kref);
    return settled === undefined ? Infinity : Math.max(0, settled.at + 1 - this.#begin);
  }

  /**
   * @param {string[]} krefs  in the data of a notify
   * @returns {number} the place before which all promises that they reach are settled
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
      if (line.kind === 'start') this.#unstarted.delete(vatId);
      const isKept = line.outcome === undefined || line.outcome === 'kept';
      if (isKept && broughtBy(line.delivery).some(isDevice)) this.#holders.add(vatId);
    }
    for (const born of line.births ?? []) this.#unstarted.add(born);
    for (const [kind, resolutions] of line.syscalls ?? []) {
      if (kind === 'callNow' && vatId !== '') this.#holders.add(vatId);
      if (kind !== 'resolve' || !Array.isArray(resolutions)) continue;
      for (const [told, , data] of resolutions) {
        const named = krefsOf(data).filter(isPromise);
        this.#settled.set(krefOf(told), { at: this.#count, named });
      }
    }
    // A settled promise's data is repeated with its notifies: a slog may begin after it was settled.
    if (line.delivery?.[0] !== 'notify') return;
    for (const [told, , data] of line.delivery[1]) {
      const kref = krefOf(told);
      if (this.#settled.has(kref)) continue;
      this.#settled.set(kref, { at: this.#begin - 1, named: krefsOf(data).filter(isPromise) });
    }
  }
}
