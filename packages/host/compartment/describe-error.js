// An error of a vat as its author should see it: the vat's name, the error, and the places in the author's own
// files. Vats cannot see stacks; the host can. Which frames are a vat's is known exactly: every module that is
// evaluated in a vat notes its URL here.

import { UserError } from '#model';

import { getStackFrames } from '../lockdown.js';
import { showUrl } from '../bundle/source-path.js';
import { formatError, inspectValue } from './inspect-value.js';

/** @typedef {{ functionName: string, url: string, line: number, column: number }} Frame  line and column from 1 */

/** @type {Set<string>} */
const vatUrls = new Set();

/** Modules of bundles without places, and the parts of bundles that other tools made. */
const vatUrlStart = 'vat:';

/** @param {string} url */
export const noteVatUrl = url => {
  vatUrls.add(url);
};

/**
 * What is known of errors beside what they say themselves.
 *
 * @type {WeakMap<object, { circumstance: string, frame: Frame | undefined }>}
 */
const explanations = new WeakMap();

/**
 * Say what an error is about that was not made in a vat's source.
 *
 * @param {unknown} error
 * @param {string} circumstance  shown before the error, as `foo() returned X {}, which cannot be passed`
 * @param {Frame} [frame]  its place, where the stack has none
 */
export const explainError = (error, circumstance, frame) => {
  if (typeof error === 'object' && error !== null) explanations.set(error, { circumstance, frame });
};

/** @param {unknown} error */
const explanationOf = error =>
  typeof error === 'object' && error !== null ? explanations.get(error) : undefined;

/** Whether a place in a vat's source, or a circumstance, is known of an error. @param {unknown} error */
export const isErrorOfVat = error =>
  explanationOf(error) !== undefined || getVatFrames(error).length > 0;

/** A URL can hold parentheses, but no space before one. */
const framePattern = /^\s*at (?:(.*?) \()?(.+):(\d+):(\d+)\)?$/;

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
    if (vatUrls.has(url) || url.startsWith(vatUrlStart)) {
      frames.push({ functionName, url, line: Number(lineText), column: Number(columnText) });
    }
  }
  if (frames.length > 0) return frames;
  const frame = explanationOf(error)?.frame;
  if (frame) return [frame];
  // That a reaction failed is said by the scheduler, and where by what it threw.
  return error instanceof UserError && error.cause !== undefined
    ? getVatFrames(error.cause)
    : frames;
};

/** @param {unknown} error  anything that can be thrown */
const describeThrown = error => {
  try {
    const text = error instanceof Error ? formatError(error) : inspectValue(error);
    const { circumstance } = explanationOf(error) ?? {};
    return circumstance === undefined ? text : `${circumstance}: ${text}`;
  } catch {
    return 'an error that cannot be shown';
  }
};

/**
 * The first line has no column: what a module is compiled to begins with more than the author wrote (compile-module.js).
 *
 * @param {Frame} frame
 */
const showPlace = ({ url, line, column }) =>
  line === 1 ? `${showUrl(url)}:1` : `${showUrl(url)}:${line}:${column}`;

/**
 * The place where an error was made, as `vat-alice.js:12:7`, if it was in a vat's source.
 *
 * @param {unknown} error
 * @returns {string | undefined}
 */
export const findErrorPlace = error => {
  const [frame] = getVatFrames(error);
  return frame && showPlace(frame);
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
  for (const frame of getVatFrames(error)) {
    const { functionName } = frame;
    const place = showPlace(frame);
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
