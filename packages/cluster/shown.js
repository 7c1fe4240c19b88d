// Reads the console output of a vat on a host, and the errors that left it. Both are JSON of another machine, so every
// part is checked before it is formatted or printed.

import { isRecord } from '#model';
import { reviveReport } from '#loader/compartment';
import { tellTestLog } from '#host/vats/test-log.js';

/** @import { PlainReport } from '#loader/compartment/error-report.js' */
/** @import { VatWatch } from '#host/vats/vat-watch.js' */

const levels = new Set(['debug', 'log', 'info', 'warn', 'error', 'testLog']);

/** Bound on the frames of a report. */
const mostFrames = 1_000;

/** @param {unknown} value */
const isMaybeText = value => value === undefined || typeof value === 'string';

/** @param {unknown} value */
const isFrame = value =>
  isRecord(value) &&
  typeof value.functionName === 'string' &&
  typeof value.url === 'string' &&
  Number.isSafeInteger(value.line) &&
  Number.isSafeInteger(value.column);

/** @param {unknown} value */
const isTold = value =>
  value === undefined ||
  (isRecord(value) && typeof value.name === 'string' && typeof value.message === 'string');

/** @param {unknown} value @returns {value is PlainReport} */
const isReport = value =>
  isRecord(value) &&
  isMaybeText(value.name) &&
  typeof value.message === 'string' &&
  isTold(value.told) &&
  isMaybeText(value.circumstance) &&
  Array.isArray(value.frames) &&
  value.frames.length <= mostFrames &&
  value.frames.every(isFrame);

/**
 * @param {string} shown  the field of a result: JSON, or empty
 * @returns {({ level: string, text: string } | { report: ReturnType<typeof reviveReport> })[]}
 * @throws {RangeError} if it does not have the form that a worker writes
 */
export const readShown = shown => {
  if (shown === '') return [];
  /** @type {unknown} */
  let entries;
  try {
    entries = JSON.parse(shown);
  } catch (error) {
    throw RangeError('its console output is not JSON', { cause: error });
  }
  if (!Array.isArray(entries)) throw RangeError('its console output is not a list');
  return entries.map(entry => {
    const [first, text] = Array.isArray(entry) ? entry : [];
    if (isReport(first)) return { report: reviveReport(first) };
    if (!levels.has(first) || typeof text !== 'string')
      throw RangeError(
        'an entry of its console output is neither a line with a level nor the report of an error',
      );
    return { level: first, text };
  });
};

/**
 * Pass a vat's console output and errors to the observers of the run.
 *
 * @param {VatWatch} watch
 * @param {string} vatName
 * @param {ReturnType<typeof readShown>} entries
 */
export const tellShown = ({ hooks }, vatName, entries) => {
  for (const entry of entries)
    if ('report' in entry) hooks.onVatError(vatName, entry.report);
    else if (entry.level === 'testLog') tellTestLog(hooks, vatName, entry.text);
    else hooks.onConsole(vatName, /** @type {any} */ (entry.level), entry.text);
};
