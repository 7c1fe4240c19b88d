// Holds the answers read in a block until that block is as durable as the store's setting.

/** @import { Answer } from './entry.js' */

export class Answers {
  #durable;

  #onLost;

  /** Answers of this block. @type {Answer[]} */
  #read = [];

  /** Answers of blocks that are committed but not durable yet. @type {Answer[]} */
  #undurable = [];

  #isFlushing = false;

  /**
   * @param {object} powers
   * @param {() => Promise<void> | undefined} powers.durable  settles when all commits are as durable as requested;
   *   undefined: now
   * @param {(reason: unknown) => void} powers.onLost  called when the store fails; `takeAll` gives the answers
   */
  constructor({ durable, onLost }) {
    this.#durable = durable;
    this.#onLost = onLost;
  }

  /** Whether answers wait for the disk. */
  get isFlushing() {
    return this.#isFlushing;
  }

  /** Add an answer of this block. @param {Answer} answer */
  add(answer) {
    this.#read.push(answer);
  }

  /** To be called when the block is committed. */
  committed() {
    if (this.#read.length === 0) return;
    const answers = this.#read;
    this.#read = [];
    if (this.#isFlushing) for (const answer of answers) this.#undurable.push(answer);
    else this.#tell(answers);
  }

  /** Take all pending answers. @returns {Answer[]} */
  takeAll() {
    const all = [...this.#read, ...this.#undurable];
    this.#read = [];
    this.#undurable = [];
    return all;
  }

  /** @param {Answer[]} answers  of committed blocks */
  #tell(answers) {
    const durable = this.#durable();
    if (durable === undefined) for (const answer of answers) answer.tell();
    else this.#flush(durable, answers);
  }

  /** @param {Promise<void>} durable @param {Answer[]} answers */
  async #flush(durable, answers) {
    this.#isFlushing = true;
    try {
      await durable;
      for (const answer of answers) answer.tell();
    } catch (error) {
      // The store refuses further blocks with the same error, which ends the run and its calls.
      for (const answer of answers) this.#read.push(answer);
      this.#onLost(error);
    } finally {
      this.#isFlushing = false;
    }
    const next = this.#undurable;
    this.#undurable = [];
    if (next.length > 0) this.#tell(next);
  }
}
