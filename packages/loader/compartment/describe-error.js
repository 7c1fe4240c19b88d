// Describes an error of a vat for its author: the vat's name, the error, and the places in the author's files.

import { showInLine } from '#model';
import { showUrl } from '#config';
import { findHint } from './error-hints.js';
import { reportError } from './error-report.js';

/** @import { ErrorReport, Frame } from './error-report.js' */

/** Bound on names that a vat chooses: of functions and of the vats that it makes. */
const longestName = 200;

/**
 * The place of a frame. Line 1 has no column, since the compiled module begins with text of the compiler
 * (compile-module.js).
 *
 * @param {Frame} frame
 */
const showPlace = ({ url, line, column }) => {
  const file = showInLine(showUrl(url));
  return line === 1 ? `${file}:1` : `${file}:${line}:${column}`;
};

/** A library that the vat imports throws for a mistake of the vat's author. */
const packagePart = '/node_modules/';

/** Libraries that check what others send: with no other frame, the place says nothing of the mistake. */
const checkingPackage = /\/node_modules\/@(?:agoric|endo)\//;

/**
 * The place where an error was made, as `vat-alice.js:12:7`; undefined if it was not in an author's source.
 *
 * @param {unknown} error  the error or its report
 * @returns {string | undefined}
 */
export const findErrorPlace = error => {
  const { frames } = reportError(error);
  const frame =
    frames.find(({ url }) => !url.includes(packagePart)) ??
    frames.find(({ url }) => !checkingPackage.test(url));
  return frame && showPlace(frame);
};

/** A method that every remotable has; it would only distract in a list of methods. */
const everyonesMethod = /"__getMethodNames__",?/;

/** @param {ErrorReport} report  @returns {string} the error, with a hint if there is one */
const showReport = report => {
  const hint = findHint(report);
  const text = `${report}`.replace(everyonesMethod, '');
  return hint === undefined ? text : showInLine(`${text}; ${hint}`, Infinity);
};

/**
 * Advice for the author of an error's vat; undefined if there is none.
 *
 * @param {ErrorReport} report
 */
export const findErrorHint = report => findHint(report);

/** Equal frames of a recursion that are shown, one after the other. */
const mostEqual = 2;

/** Fold the frames of a recursion. @param {string[]} lines @returns {string[]} */
const foldEqual = lines => {
  /** @type {string[]} */
  const folded = [];
  let count = 0;
  lines.forEach((line, i) => {
    count = line === lines[i - 1] ? count + 1 : 1;
    if (count <= mostEqual) folded.push(line);
    if (count > mostEqual && line !== lines[i + 1])
      folded.push(`    … and ${count - mostEqual} more like it`);
  });
  return folded;
};

/**
 * The error on the first line (`vat alice: TypeError: x is not a function`), then its frames, one a line.
 *
 * @param {string} vatName
 * @param {unknown} error
 * @returns {string}
 */
export const describeVatError = (vatName, error) => {
  const report = reportError(error);
  const title = `vat ${showInLine(vatName, longestName)}: ${showReport(report)}`;
  const frames = report.frames.map(frame => {
    const functionName = showInLine(frame.functionName, longestName);
    const place = showPlace(frame);
    return functionName === '' ? `    at ${place}` : `    at ${functionName} (${place})`;
  });
  return [title, ...foldEqual(frames)].join('\n');
};

/** @param {ErrorReport} report @param {string} text */
const placeBefore = (report, text) => {
  const place = findErrorPlace(report);
  return place === undefined ? text : `${place}: ${text}`;
};

/**
 * Describe an error with its place and a hint on one line, for messages to people: `vat-alice.js:12:7: TypeError: x is
 * not a function`.
 *
 * @param {unknown} error
 */
export const describeErrorBriefly = error => {
  const report = reportError(error);
  return placeBefore(report, showReport(report));
};

/**
 * Describe an error with its place on one line, without a hint, for messages that vats may get. These are part of a
 * run; hints are not, so that they may change.
 *
 * @param {unknown} error
 */
export const describeErrorForRun = error => {
  const report = reportError(error);
  return placeBefore(report, `${report}`);
};
