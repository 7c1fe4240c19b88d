// Answers that were read in a block: they are told when that block is as durable as the store was asked for.

/** @import { Answer } from './entry.js' */

export class Answers {
  #durable;

  #onLost;

  /** Read in this block. @type {Answer[]} */
  #read = [];

  /** Answers of blocks that are committed, and not durable yet. @type {Answer[]} */
  #undurable = [];

  #isFlushing = false;

  /**
   * @param {object} powers
   * @param {() => Promise<void> | undefined} powers.durable  when what is committed is as durable as was asked for; undefined: now
   * @param {(reason: unknown) => void} powers.onLost  the store failed: the answers are among those that `takeAll` gives
   */
  constructor({ durable, onLost }) {
    this.#durable = durable;
    this.#onLost = onLost;
  }

  /** Whether answers wait for the disk. */
  get isFlushing() {
    return this.#isFlushing;
  }

  /** @param {Answer} answer  read in this block */
  add(answer) {
    this.#read.push(answer);
  }

  /** The block is committed. */
  committed() {
    if (this.#read.length === 0) return;
    const answers = this.#read;
    this.#read = [];
    if (this.#isFlushing) for (const answer of answers) this.#undurable.push(answer);
    else this.#tell(answers);
  }

  /** Answers that nobody was told. @returns {Answer[]} */
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
      // The store refuses further blocks by the same error, which ends the run and its calls.
      this.#read.push(...answers);
      this.#onLost(error);
    } finally {
      this.#isFlushing = false;
    }
    const next = this.#undurable;
    this.#undurable = [];
    if (next.length > 0) this.#tell(next);
  }
}
