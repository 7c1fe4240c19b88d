// Shows people vats' console output and the errors that leave vats. An error is shown once, with the vat that made it
// and the author's file and line, and not again in each vat that it passes through.

import { showInLine, showLines } from '#model';
import {
  describeErrorBriefly,
  describeVatError,
  findErrorPlace,
  reportError,
} from '#loader/compartment';

/** @import { VatObserver } from './vats.js' */

/** Bound on the shown characters of a vat's name, which the maker of a vat chooses. */
const longestName = 200;

/** Bound on the number of different errors that are shown. */
const maxShown = 100;

/** @param {{ name: string | undefined, message: string }} error  a report, or the text that other vats get */
const textOf = ({ name, message }) => (name === undefined ? message : `${name}: ${message}`);

/**
 * @typedef {object} VatOutputPowers
 * @property {(lines: string) => void} [onPrint]  gets vats' output, with `vat NAME: ` before each line, escaped for a
 *   terminal
 * @property {(line: string) => void} [onLog]  gets vats' output unchanged
 * @property {(text: string, line: string) => void} [onError]  gets the text to show, and the same with the innermost
 *   place only
 * @property {boolean} [hasStacks]  show all places of an error in vats' sources, not only the innermost
 */

/**
 * @param {VatOutputPowers} powers
 */
export const makeVatOutput = ({ onPrint, onLog, onError = () => {}, hasStacks = false }) => {
  /** Number of times that each error was seen. @type {Map<string, number>} */
  const seen = new Map();
  /** Names and messages of shown errors. @type {Set<string>} */
  const shownTexts = new Set();
  /** The line of an error, by its text. @type {Map<string, string>} */
  const lines = new Map();

  /** @param {string} vatName @param {unknown} error */
  const showError = (vatName, error) => {
    const report = reportError(error);
    const text = textOf(report);
    // An error without a place in this vat came from elsewhere, or from the system.
    if (findErrorPlace(report) === undefined && shownTexts.has(text)) return;
    const brief = describeErrorBriefly(report);
    const vat = `vat ${showInLine(vatName, longestName)}`;
    const line = brief.startsWith(`Error: ${vat} `)
      ? brief.slice('Error: '.length)
      : `${vat}: ${brief}`;
    const count = seen.get(line) ?? 0;
    if (count === 0 && seen.size >= maxShown) return;
    seen.set(line, count + 1);
    shownTexts.add(text);
    if (!lines.has(text)) lines.set(text, line);
    const { told } = report;
    if (told) {
      // Other vats know it by this text only, which several errors may share; probably the last one is meant.
      shownTexts.add(textOf(told));
      lines.set(textOf(told), line);
    }
    if (count === 0) onError(hasStacks ? describeVatError(vatName, report) : line, line);
  };

  /** @type {VatObserver} */
  const observer = {
    onConsole(vatName, _level, text) {
      onLog?.(text);
      onPrint?.(showLines(text, { prefix: `vat ${showInLine(vatName, longestName)}: ` }));
    },
    onVatError: showError,
  };

  return Object.freeze({
    observer,

    /**
     * Errors that were seen more than once.
     *
     * @returns {{ line: string, count: number }[]}
     */
    repeated: () =>
      [...seen].filter(([, count]) => count > 1).map(([line, count]) => ({ line, count })),

    /**
     * The shown line of an error.
     *
     * @param {string} name
     * @param {string} message
     */
    findLine: (name, message) => lines.get(`${name}: ${message}`),
  });
};
