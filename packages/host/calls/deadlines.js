// Timeouts for many calls by one timer of Node: calls with the same timeout are in a list in the order of their
// deadlines, and nearly all leave it before they are due. A timer for each call would take a large part of the call's
// processor time.

/** The longest delay of a timer, whose delays have 31 bits; longer waits are split. */
const longestNapMs = 2 ** 30;

/**
 * An entry of a list. Only this file changes these fields.
 *
 * @typedef {object} Bounded
 * @property {number} deadlineMs  on the clock of `performance.now()`; 0: it is in no list
 * @property {number} boundMs
 * @property {Bounded | undefined} before
 * @property {Bounded | undefined} behind
 */

/** @typedef {{ first: Bounded | undefined, last: Bounded | undefined }} List */

export class Deadlines {
  #onDue;

  /** Lists by timeout in milliseconds. @type {Map<number, List>} */
  #lists = new Map();

  /** The running timer; a host program need not have Node's types. @type {any} */
  #timer;

  #armedForMs = Infinity;

  #count = 0;

  /** @param {(due: any[]) => void} onDue  called with the entries that are due, which were removed from their lists */
  constructor(onDue) {
    this.#onDue = onDue;
  }

  /**
   * @param {Bounded} bounded  in no list
   * @param {number} boundMs  finite
   */
  add(bounded, boundMs) {
    let list = this.#lists.get(boundMs);
    if (list === undefined) {
      list = { first: undefined, last: undefined };
      this.#lists.set(boundMs, list);
    }
    bounded.boundMs = boundMs;
    bounded.deadlineMs = performance.now() + boundMs;
    bounded.before = list.last;
    if (list.last === undefined) list.first = bounded;
    else list.last.behind = bounded;
    list.last = bounded;
    this.#count += 1;
    if (this.#count === 1) this.#timer?.ref();
    if (bounded.deadlineMs < this.#armedForMs) this.#arm(bounded.deadlineMs);
  }

  /** Remove an entry, if it is in a list. @param {Bounded} bounded */
  remove(bounded) {
    if (bounded.deadlineMs === 0) return;
    const list = /** @type {List} */ (this.#lists.get(bounded.boundMs));
    const { before, behind } = bounded;
    if (before === undefined) list.first = behind;
    else before.behind = behind;
    if (behind === undefined) list.last = before;
    else behind.before = before;
    bounded.before = undefined;
    bounded.behind = undefined;
    bounded.deadlineMs = 0;
    this.#count -= 1;
    // Without waiting entries the timer must not keep the process alive.
    if (this.#count === 0) this.#timer?.unref();
  }

  /** Ends the timer if no entry waits: it holds whatever the entries belonged to until it fires. */
  rest() {
    if (this.#count > 0 || this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#armedForMs = Infinity;
  }

  /** @param {number} deadlineMs */
  #arm(deadlineMs) {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#armedForMs = deadlineMs;
    const napMs = Math.min(longestNapMs, Math.max(1, Math.ceil(deadlineMs - performance.now())));
    this.#timer = setTimeout(() => this.#look(), napMs);
  }

  #look() {
    this.#timer = undefined;
    this.#armedForMs = Infinity;
    const nowMs = performance.now();
    let nextMs = Infinity;
    /** @type {{ each: Bounded, deadlineMs: number }[]} */
    const due = [];
    for (const [boundMs, list] of this.#lists) {
      while (list.first !== undefined && list.first.deadlineMs <= nowMs) {
        const each = list.first;
        due.push({ each, deadlineMs: each.deadlineMs });
        this.remove(each);
      }
      if (list.first === undefined) this.#lists.delete(boundMs);
      else nextMs = Math.min(nextMs, list.first.deadlineMs);
    }
    if (nextMs < Infinity) this.#arm(nextMs);
    // Several lists may be due after a busy time, so sort by deadline.
    due.sort((one, other) => one.deadlineMs - other.deadlineMs);
    if (due.length > 0) this.#onDue(due.map(({ each }) => each));
  }
}
