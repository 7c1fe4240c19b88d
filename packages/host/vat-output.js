// Carries the lines that vats print, and the errors that leave them, to people. An error is shown where it was made: with
// the vat's name and the author's file and line, once, and not again in each vat that it passes through.

import { showInLine, showLines } from '#model';
import {
  describeErrorBriefly,
  describeVatError,
  findErrorPlace,
  reportError,
} from '#loader/compartment';

/** @import { VatObserver } from './vats.js' */

/** The most characters shown of a vat's name: the maker of a vat may give it any. */
const longestName = 200;

/** Errors that differ; more are only counted. */
const maxShown = 100;

/** @param {{ name: string | undefined, message: string }} error  a report, or what is told of one */
const textOf = ({ name, message }) => (name === undefined ? message : `${name}: ${message}`);

/**
 * @typedef {object} VatOutputPowers
 * @property {(lines: string) => void} [onPrint]  what vats print, `vat NAME: ` in front of each line, fit for a terminal
 * @property {(line: string) => void} [onLog]  what vats print, as it is
 * @property {(text: string, line: string) => void} [onError]  what is shown, and the same without places but the innermost
 * @property {boolean} [hasStacks]  all places of an error in vats' sources, not only the innermost
 */

/**
 * @param {VatOutputPowers} powers
 */
export const makeVatOutput = ({ onPrint, onLog, onError = () => {}, hasStacks = false }) => {
  /** How often each error was seen. @type {Map<string, number>} */
  const seen = new Map();
  /** Names and messages of errors that were shown. @type {Set<string>} */
  const shownTexts = new Set();
  /** Where an error of this text was made. @type {Map<string, string>} */
  const lines = new Map();

  /** @param {string} vatName @param {unknown} error */
  const showError = (vatName, error) => {
    const report = reportError(error);
    const text = textOf(report);
    // An error with no place in this vat came from elsewhere, or is the system's own.
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
      // Other vats know it by this text only, which it shares with others: the last of them is meant, most likely.
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
     * Errors that were seen more often than they were shown.
     *
     * @returns {{ line: string, count: number }[]}
     */
    repeated: () =>
      [...seen].filter(([, count]) => count > 1).map(([line, count]) => ({ line, count })),

    /**
     * The line that told of an error.
     *
     * @param {string} name
     * @param {string} message
     */
    findLine: (name, message) => lines.get(`${name}: ${message}`),
  });
};
