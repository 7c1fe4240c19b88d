// Bodies that were read of late, and what is known of them. Many come again and again: a tick, a ping, a question without
// arguments, a payment of one moola.

import { makePlan } from './plan.js';

/** @typedef {{ method: unknown, args: unknown[] }} Message */
/** @typedef {ReturnType<typeof makePlan>} MaybePlan */

/** Bodies that fall into one set push each other out, the oldest first. */
const setSize = 4;

/** So many sets, a power of two. */
const sets = 16;

/** Longer bodies seldom come twice. */
const longest = 500;

/** Bodies that differ by a number in their middle are in one set. @param {string} body  not empty */
const setOf = body => {
  const { length } = body;
  const some = body.charCodeAt(length >> 1) + 3 * body.charCodeAt(length >> 2);
  return (length * 7 + some) & (sets - 1);
};

/** A body that was read. */
class Read {
  /** What it says, if that is nothing but primitive values: it may be given again. @type {Message | undefined} */
  message = undefined;

  /** Made when it comes again. @type {MaybePlan} */
  plan = undefined;

  /** Whether it was tried to make one. */
  isPlanned = false;

  /** @param {string} body */
  constructor(body) {
    this.body = body;
  }

  /** @returns {MaybePlan} how to read it; undefined if there is no short way */
  providePlan() {
    if (!this.isPlanned) {
      this.isPlanned = true;
      this.plan = makePlan(JSON.parse(this.body.slice(1)));
    }
    return this.plan;
  }
}

const none = new Read('');

/** The table of a vat that has read nothing yet, as most vats have not. @type {Read[]} */
const noPlaces = Array.from({ length: sets * setSize }, () => none);

export class ReadBodies {
  #places = noPlaces;

  /** Where the next one of any set is put. */
  #next = 0;

  /**
   * @param {string} body  not empty
   * @returns {Read | undefined}
   */
  find(body) {
    const places = this.#places;
    const start = setOf(body) * setSize;
    for (let at = start; at < start + setSize; at += 1)
      if (places[at].body === body) return places[at];
    return undefined;
  }

  /**
   * A body was read, and can be read.
   *
   * @param {string} body  which is not known
   * @returns {Read | undefined}
   */
  note(body) {
    if (body.length > longest) return undefined;
    if (this.#places === noPlaces) this.#places = [...noPlaces];
    const read = new Read(body);
    this.#places[setOf(body) * setSize + this.#next] = read;
    this.#next = (this.#next + 1) % setSize;
    return read;
  }
}
