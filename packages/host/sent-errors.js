// Errors that have left vats of this process, of late, as reports: a host program that is told of a rejection finds the
// author's file and line here.

/** @import { ErrorReport } from '#loader/compartment' */

/** Older ones are forgotten. */
const mostKept = 1_000;

/** @param {{ name?: string | undefined, message: string }} told */
const textOf = ({ name, message }) => `${name ?? 'Error'}: ${message}`;

export class SentErrors {
  /** By id, and by what others are told of them: the latest of each. @type {Map<string, ErrorReport>} */
  #reports = new Map();

  /** Texts of errors that a value caused which could not be passed. @type {Set<string>} */
  #explained = new Set();

  /**
   * @param {ErrorReport} report
   * @param {string} [errorId]
   */
  note(report, errorId) {
    if (errorId !== undefined) this.#add(errorId, report);
    const text = textOf(report.told ?? report);
    this.#add(text, report);
    if (report.circumstance === undefined || this.#explained.size >= mostKept) return;
    this.#explained.add(text);
  }

  /**
   * Whether an error of this text was caused by a value that could not be passed.
   *
   * @param {{ name: string, message: string }} sought
   */
  isExplained = sought => this.#explained.has(textOf(sought));

  /** @param {string} key @param {ErrorReport} report */
  #add(key, report) {
    this.#reports.delete(key);
    this.#reports.set(key, report);
    if (this.#reports.size <= mostKept) return;
    const [oldest] = this.#reports.keys();
    this.#reports.delete(oldest);
  }

  /**
   * By its id, or where errors have none, by its text: then it may be the report of another one of that text.
   *
   * @param {{ errorId?: string, name: string, message: string }} sought
   * @returns {ErrorReport | undefined}
   */
  find = ({ errorId, ...told }) => this.#reports.get(errorId ?? textOf(told));
}
