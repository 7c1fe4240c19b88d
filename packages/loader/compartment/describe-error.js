// An error of a vat as its author should see it: the vat's name, the error, and the places in the author's own files.

import { showInLine } from '#model';
import { showUrl } from '#config';
import { findHint } from './error-hints.js';
import { reportError } from './error-report.js';

/** @import { ErrorReport, Frame } from './error-report.js' */

/** A vat chooses names of functions, and of the vats that it makes. */
const longestName = 200;

/**
 * The first line has no column: what a module is compiled to begins with more than the author wrote (compile-module.js).
 *
 * @param {Frame} frame
 */
const showPlace = ({ url, line, column }) => {
  const file = showInLine(showUrl(url));
  return line === 1 ? `${file}:1` : `${file}:${line}:${column}`;
};

/**
 * The place where an error was made, as `vat-alice.js:12:7`, if it was in a vat's source.
 *
 * @param {unknown} error  a report of one, or the error itself
 * @returns {string | undefined}
 */
export const findErrorPlace = error => {
  const [frame] = reportError(error).frames;
  return frame && showPlace(frame);
};

/** A method that every remotable has, and nobody means. */
const everyonesMethod = /"__getMethodNames__",?/;

/** @param {ErrorReport} report  @returns {string} the error, and what may be done about it */
const showReport = report => {
  const hint = findHint(report);
  const text = `${report}`.replace(everyonesMethod, '');
  return hint === undefined ? text : showInLine(`${text}; ${hint}`, Infinity);
};

/**
 * The error and its frames, one a line, `vat alice: TypeError: x is not a function` first.
 *
 * @param {string} vatName
 * @param {unknown} error
 * @returns {string}
 */
export const describeVatError = (vatName, error) => {
  const report = reportError(error);
  const lines = [`vat ${showInLine(vatName, longestName)}: ${showReport(report)}`];
  for (const frame of report.frames) {
    const functionName = showInLine(frame.functionName, longestName);
    const place = showPlace(frame);
    lines.push(functionName === '' ? `    at ${place}` : `    at ${functionName} (${place})`);
  }
  return lines.join('\n');
};

/** @param {ErrorReport} report @param {string} text */
const placeBefore = (report, text) => {
  const place = findErrorPlace(report);
  return place === undefined ? text : `${place}: ${text}`;
};

/**
 * Describes an error on one line, for messages to people that name one place: `vat-alice.js:12:7: TypeError: x is not a
 * function`, and what may be done about it.
 *
 * @param {unknown} error
 */
export const describeErrorBriefly = error => {
  const report = reportError(error);
  return placeBefore(report, showReport(report));
};

/**
 * Describes an error on one line without a hint, for messages that vats may be told: those are part of a run, and hints are
 * not.
 *
 * @param {unknown} error
 */
export const describeErrorForRun = error => {
  const report = reportError(error);
  return placeBefore(report, `${report}`);
};
