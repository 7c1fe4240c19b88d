// Reports of recent errors that have left vats of this process: a host program that gets a rejection finds the author's
// file and line here. Both bounds are needed, since a vat chooses the number and the length of its errors.

/** @import { ErrorReport } from '#loader/compartment' */

/** Bound on the number of reports; older ones are forgotten. */
const mostKept = 1_000;

/** Bound on the characters of all texts; reports contain each text a few times. */
const longestKept = 1_000_000;

/** Bound on the characters of one text in the set `#explained`, which doubles the whole at most. */
const longestExplained = longestKept / mostKept;

/** @param {{ name?: string | undefined, message: string }} told */
const textOf = ({ name, message }) => `${name ?? 'Error'}: ${message}`;

/** @typedef {{ report: ErrorReport, length: number }} Kept */

export class SentErrors {
  /** The latest report by id, and by the text that other vats get. @type {Map<string, Kept>} */
  #reports = new Map();

  /** Texts of errors about values that could not be passed. @type {Set<string>} */
  #explained = new Set();

  /** Characters of all kept reports. */
  #length = 0;

  /**
   * Keep a report, unless its text exceeds the bound.
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
   * Tell whether an error with this text is about a value that could not be passed.
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
   * Find a report by the error's id, or, without an id, by its text; then it may be the report of another error with
   * the same text.
   *
   * @param {{ errorId?: string, name: string, message: string }} sought
   * @returns {ErrorReport | undefined}
   */
  find = ({ errorId, ...told }) => this.#reports.get(errorId ?? textOf(told))?.report;
}
