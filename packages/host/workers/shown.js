// Reads the console output of a vat elsewhere, the errors that left it, and notes of its cranks. They are JSON of another
// thread, process or machine, so every part is checked before it is formatted or printed.

import { isRecord } from '#model';
import { reviveReport } from '#loader/compartment';
import { tellTestLog } from '../vats/test-log.js';

/** @import { CrankNote } from './note-reactions.js' */
/** @import { PlainReport } from '#loader/compartment/error-report.js' */
/** @import { VatWatch } from '../vats/vat-watch.js' */

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

/** @param {unknown} value */
const isView = value =>
  isRecord(value) &&
  typeof value.track === 'string' &&
  typeof value.name === 'string' &&
  Number.isFinite(value.level) &&
  Number.isFinite(value.stage);

/** @param {unknown[]} rest */
const areTwoNumbers = rest => rest.length === 2 && rest.every(Number.isFinite);

/** The forms of notes by kind: each tells whether what follows the kind is right. @type {Record<string, (rest: unknown[]) => boolean>} */
const noteForms = {
  tag: areTwoNumbers,
  reaction: ([view, startNs, endNs, isLate]) =>
    isView(view) && areTwoNumbers([startNs, endNs]) && typeof isLate === 'boolean',
  programEnded: () => true,
  crank: areTwoNumbers,
};

/** @param {unknown} value @returns {value is CrankNote} */
const isNote = value => {
  const [kind, ...rest] = Array.isArray(value) ? value : [];
  return typeof kind === 'string' && Object.hasOwn(noteForms, kind) && noteForms[kind](rest);
};

/** @typedef {{ level: string, text: string } | { report: ReturnType<typeof reviveReport> } | { note: CrankNote }} Shown */

/** @type {readonly Shown[]} */
const nothing = Object.freeze([]);

/**
 * @param {string} shown  the field of a result: JSON, or empty
 * @returns {readonly Shown[]}
 * @throws {RangeError} if it does not have the form that a worker writes
 */
export const readShown = shown => {
  if (shown === '') return nothing;
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
    if (isNote(first)) return { note: first };
    if (isReport(first)) return { report: reviveReport(first) };
    if (!levels.has(first) || typeof text !== 'string')
      throw RangeError(
        'an entry of its console output is neither a line with a level, nor the report of an error, nor a note of its cranks',
      );
    return { level: first, text };
  });
};

/**
 * Pass a vat's console output, errors and notes to the observers of the run.
 *
 * @param {VatWatch} watch
 * @param {string} vatName
 * @param {readonly Shown[]} entries
 * @param {(note: CrankNote) => void} [noteCrank]  default: nobody asked for notes
 */
export const tellShown = ({ hooks }, vatName, entries, noteCrank = () => {}) => {
  for (const entry of entries)
    if ('note' in entry) noteCrank(entry.note);
    else if ('report' in entry) hooks.onVatError(vatName, entry.report);
    else if (entry.level === 'testLog') tellTestLog(hooks, vatName, entry.text);
    else hooks.onConsole(vatName, /** @type {any} */ (entry.level), entry.text);
};
