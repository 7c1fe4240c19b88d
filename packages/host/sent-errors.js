// Errors that have left vats of this process, of late, as reports: a host program that is told of a rejection finds the
// author's file and line here. A vat chooses how many errors it sends and how long their texts are.

/** @import { ErrorReport } from '#loader/compartment' */

/** Older ones are forgotten. */
const mostKept = 1_000;

/** As many characters of text are kept, at most; reports have each text a few times. */
const longestKept = 1_000_000;

/** Characters of a text that is kept because a value caused the error: as many again in all. */
const longestExplained = longestKept / mostKept;

/** @param {{ name?: string | undefined, message: string }} told */
const textOf = ({ name, message }) => `${name ?? 'Error'}: ${message}`;

/** @typedef {{ report: ErrorReport, length: number }} Kept */

export class SentErrors {
  /** By id, and by what others are told of them: the latest of each. @type {Map<string, Kept>} */
  #reports = new Map();

  /** Texts of errors that a value caused which could not be passed. @type {Set<string>} */
  #explained = new Set();

  /** Characters of all that are kept. */
  #length = 0;

  /**
   * Keep a report, unless its text is longer than all that is kept.
   *
   * @param {ErrorReport} report
   * @param {string} [errorId]
   */
  note(report, errorId) {
    const { message, told = report } = report;
    const length = message.length + told.message.length;
    if (length > longestKept) return;
    if (errorId !== undefined) this.#add(errorId, { report, length });
    const text = textOf(told);
    this.#add(text, { report, length });
    if (report.circumstance === undefined || text.length > longestExplained) return;
    if (this.#explained.size < mostKept) this.#explained.add(text);
  }

  /**
   * Whether an error of this text was caused by a value that could not be passed.
   *
   * @param {{ name: string, message: string }} sought
   */
  isExplained = sought => this.#explained.has(textOf(sought));

  /** @param {string} key @param {Kept} kept */
  #add(key, kept) {
    this.#delete(key);
    this.#reports.set(key, kept);
    this.#length += kept.length;
    while (this.#reports.size > mostKept || this.#length > longestKept) {
      const [oldest] = this.#reports.keys();
      this.#delete(oldest);
    }
  }

  /** @param {string} key */
  #delete(key) {
    this.#length -= this.#reports.get(key)?.length ?? 0;
    this.#reports.delete(key);
  }

  /**
   * By its id, or where errors have none, by its text: then it may be the report of another one of that text.
   *
   * @param {{ errorId?: string, name: string, message: string }} sought
   * @returns {ErrorReport | undefined}
   */
  find = ({ errorId, ...told }) => this.#reports.get(errorId ?? textOf(told))?.report;
}
