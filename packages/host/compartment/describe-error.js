// An error of a vat as its author should see it: the vat's name, the error, and the places in the author's own
// files. Vats cannot see stacks; the host can. Which frames are a vat's is known exactly: every module that is
// evaluated in a vat notes its URL here.

import { getStackFrames } from '../lockdown.js';
import { showUrl } from '../bundle/source-path.js';
import { formatError, inspectValue } from './inspect-value.js';

/** @typedef {{ functionName: string, url: string, line: number, column: number }} Frame  line and column from 1 */

/** @type {Set<string>} */
const vatUrls = new Set();

/** @param {string} url */
export const noteVatUrl = url => {
  vatUrls.add(url);
};

const framePattern = /^\s*at (?:(.*?) \()?([^()]*):(\d+):(\d+)\)?$/;

/**
 * The frames of an error's stack that are in vats' sources, innermost first.
 *
 * @param {unknown} error
 * @returns {Frame[]}
 */
export const getVatFrames = error => {
  /** @type {Frame[]} */
  const frames = [];
  for (const line of getStackFrames(error).split('\n')) {
    const found = framePattern.exec(line);
    if (!found) continue;
    const [, functionName = '', rawUrl, lineText, columnText] = found;
    const url = rawUrl.replace(/^async /, '');
    if (vatUrls.has(url)) {
      frames.push({ functionName, url, line: Number(lineText), column: Number(columnText) });
    }
  }
  return frames;
};

/** @param {unknown} error  anything that can be thrown */
const describeThrown = error => {
  try {
    return error instanceof Error ? formatError(error) : inspectValue(error);
  } catch {
    return 'an error that cannot be shown';
  }
};

/**
 * The place where an error was made, as `vat-alice.js:12:7`, if it was in a vat's source.
 *
 * @param {unknown} error
 * @returns {string | undefined}
 */
export const findErrorPlace = error => {
  const [frame] = getVatFrames(error);
  return frame && `${showUrl(frame.url)}:${frame.line}:${frame.column}`;
};

/**
 * The error and its frames, one a line, `vat alice: TypeError: x is not a function` first.
 *
 * @param {string} vatName
 * @param {unknown} error
 * @returns {string}
 */
export const describeVatError = (vatName, error) => {
  const lines = [`vat ${vatName}: ${describeThrown(error)}`];
  for (const { functionName, url, line, column } of getVatFrames(error)) {
    const place = `${showUrl(url)}:${line}:${column}`;
    lines.push(functionName === '' ? `    at ${place}` : `    at ${functionName} (${place})`);
  }
  return lines.join('\n');
};

/**
 * The same on one line, for messages that name one place: `vat-alice.js:12:7: TypeError: x is not a function`.
 *
 * @param {unknown} error
 */
export const describeErrorBriefly = error => {
  const place = findErrorPlace(error);
  return place === undefined ? describeThrown(error) : `${place}: ${describeThrown(error)}`;
};
