// Computes how long the cranks of one tag take on a number of threads, if each begins as early as allowed. Effects are
// written one crank after the other, in order, on the kernel's thread; handing a crank to a thread is assumed to be
// free.

/** @import { Step } from './overlap.js' */

/**
 * The unit of work: in `cranks`, a crank that reaches a vat counts 1 and the kernel's work 0.
 *
 * @typedef {'cranks' | 'ns'} Unit
 */

/** @param {Step} step @param {Unit} unit */
const inVat = ({ vatId, vatNs }, unit) => (unit === 'ns' ? vatNs : vatId === '' ? 0 : 1);

/** @param {Step} step @param {Unit} unit */
const inKernel = ({ kernelNs }, unit) => (unit === 'ns' ? kernelNs : 0);

/**
 * @param {readonly Step[]} steps
 * @param {Unit} unit
 * @returns {number} the serial duration
 */
export const workOf = (steps, unit) => {
  let sum = 0;
  for (const step of steps) sum += inVat(step, unit) + inKernel(step, unit);
  return sum;
};

/**
 * The span in cranks if only cranks of one vat waited for each other.
 *
 * @param {readonly Step[]} steps
 */
export const longestVat = steps => {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { vatId } of steps) if (vatId !== '') counts.set(vatId, (counts.get(vatId) ?? 0) + 1);
  return Math.max(0, ...counts.values());
};

/** Indexes of cranks that may begin, lowest first. A binary heap. */
class Ready {
  /** @type {number[]} */
  #places = [];

  get size() {
    return this.#places.length;
  }

  /** @param {number} place */
  add(place) {
    const places = this.#places;
    let at = places.length;
    places.push(place);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (places[parent] <= place) break;
      places[at] = places[parent];
      at = parent;
    }
    places[at] = place;
  }

  take() {
    const places = this.#places;
    const first = places[0];
    const last = /** @type {number} */ (places.pop());
    if (places.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= places.length) break;
      if (child + 1 < places.length && places[child + 1] < places[child]) child += 1;
      if (places[child] >= last) break;
      places[at] = places[child];
      at = child;
    }
    places[at] = last;
    return first;
  }
}

/** Cranks under way, sorted by their ends. */
class Running {
  /** @type {{ endsAt: number, place: number }[]} sorted by descending end; there are few */
  #cranks = [];

  get size() {
    return this.#cranks.length;
  }

  get firstEnd() {
    return this.#cranks[this.#cranks.length - 1].endsAt;
  }

  /** @param {number} endsAt @param {number} place */
  add(endsAt, place) {
    const cranks = this.#cranks;
    let low = 0;
    let high = cranks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (cranks[middle].endsAt > endsAt) low = middle + 1;
      else high = middle;
    }
    cranks.splice(low, 0, { endsAt, place });
  }

  take() {
    return /** @type {{ endsAt: number, place: number }} */ (this.#cranks.pop());
  }
}

/**
 * @param {readonly Step[]} steps  of one tag, in the order of their effects
 * @param {number} threads  that run vats, beside the kernel's; if 1, it is the kernel's
 * @param {Unit} unit
 * @returns {number} from the beginning of the first to the end of the last
 */
export const makespanOf = (steps, threads, unit) => {
  if (threads === 1) return workOf(steps, unit);
  return new Replay(steps, threads, unit).run();
};

/**
 * Simulates a tag, event by event. A crank takes a thread while its vat runs. The kernel begins cranks and writes
 * effects, one at a time.
 */
class Replay {
  #ready = new Ready();

  #running = new Running();

  /** Index of the crank whose effects are written next. */
  #head = 0;

  #now = 0;

  /** The time at which the kernel has written the crank before the head. */
  #headAt = 0;

  /** Whether the head calls a device: no crank begins until its effects are written. */
  #isClosed = false;

  /**
   * @param {readonly Step[]} steps
   * @param {number} threads
   * @param {Unit} unit
   */
  constructor(steps, threads, unit) {
    this.steps = steps;
    this.threads = threads;
    this.unit = unit;
    /** The time at which each crank ends in its vat; -1 if it has not. */
    this.ends = new Float64Array(steps.length).fill(-1);
    /** @type {number[][]} by head, the cranks that may begin from then on */
    this.byHead = steps.map(() => []);
    for (let place = 0; place < steps.length; place += 1) {
      const { vatId, after } = steps[place];
      if (vatId === '') this.ends[place] = 0;
      else this.byHead[after].push(place);
    }
  }

  run() {
    this.#enterHead();
    while (this.#head < this.steps.length) {
      if (this.steps[this.#head].vatId !== '') this.#awaitHead();
      this.#headAt = Math.max(this.#headAt, this.ends[this.#head]);
      this.#headAt += inKernel(this.steps[this.#head], this.unit);
      this.#head += 1;
      this.#enterHead();
    }
    return this.#headAt;
  }

  #enterHead() {
    if (this.#head === this.steps.length) return;
    for (const place of this.byHead[this.#head]) this.#ready.add(place);
    this.#isClosed = false;
  }

  /** Begin the cranks that may begin with the head, and wait for the head's vat. */
  #awaitHead() {
    this.#now = this.#headAt;
    while (this.#running.size > 0 && this.#running.firstEnd <= this.#now) this.#endFirst();
    for (;;) {
      this.#beginReady();
      if (this.ends[this.#head] >= 0) return;
      this.#now = this.#running.firstEnd;
      this.#endFirst();
    }
  }

  #beginReady() {
    let mayClose = false;
    while (!this.#isClosed && this.#ready.size > 0 && this.#running.size < this.threads) {
      const place = this.#ready.take();
      this.#running.add(this.#now + inVat(this.steps[place], this.unit), place);
      if (place === this.#head) mayClose = true;
    }
    if (mayClose) this.#isClosed = this.steps[this.#head].closes;
  }

  #endFirst() {
    const { endsAt, place } = this.#running.take();
    this.ends[place] = endsAt;
  }
}
