// Reports values that vats throw, as plain data. Only this file reads such a value, by its data properties, and always
// in the same way: so no vat can detect an observer, and no observer keeps a vat's object alive. Vats cannot see
// stacks; the host can. A frame belongs to a vat if its URL was noted here when the module was evaluated.

import { types } from 'node:util';
import { findData, isErrorLike, readError, showInLine, UserError } from '#model';
import { tellEngineError } from '../engine-errors.js';
import { getStackFrames } from '../lockdown.js';
import { formatTitle, inspectValue } from './inspect-value.js';

const { isProxy } = types;

/** @typedef {{ functionName: string, url: string, line: number, column: number }} Frame  line and column from 1 */

/** Bound on the shown text of an error. */
const longestText = 10_000;

/** @type {Set<string>} */
const vatUrls = new Set();

/** Prefix of URLs for modules without a file, and for bundles of other tools. */
const vatUrlStart = 'vat:';

/** @param {string} url */
export const noteVatUrl = url => {
  vatUrls.add(url);
};

/**
 * Facts about errors that the errors do not hold themselves.
 *
 * @type {WeakMap<object, { circumstance: string | undefined, frame: Frame | undefined }>}
 */
const explanations = new WeakMap();

/**
 * Note the circumstance of an error that was not made in a vat's source.
 *
 * @param {unknown} error
 * @param {string | undefined} circumstance  shown before the error, as `foo() returned X {}, which cannot be passed`;
 *   undefined if the error's message has it
 * @param {Frame} [frame]  its place, if the stack has none
 */
export const explainError = (error, circumstance, frame) => {
  if (typeof error === 'object' && error !== null) explanations.set(error, { circumstance, frame });
};

/** @param {unknown} error */
const explanationOf = error =>
  typeof error === 'object' && error !== null ? explanations.get(error) : undefined;

/**
 * Bound on a line of a stack. A function of a vat may have a name of any length and of many lines, and matching takes
 * quadratic time.
 */
const longestLine = 1_000;

/** Longer stacks are dropped. */
const longestStack = 100_000;

/** A URL can hold parentheses, but no space before one. */
const framePattern = /^\s*at (?:(.*?) \()?(.+):(\d+):(\d+)\)?$/;

/** @param {string} stack @returns {Frame[]} */
const parseFrames = stack => {
  /** @type {Frame[]} */
  const frames = [];
  for (const line of stack.split('\n')) {
    if (line.length > longestLine) continue;
    const found = framePattern.exec(line);
    if (!found) continue;
    const [, functionName = '', rawUrl, lineText, columnText] = found;
    const url = rawUrl.replace(/^async /, '');
    if (vatUrls.has(url) || url.startsWith(vatUrlStart)) {
      frames.push({ functionName, url, line: Number(lineText), column: Number(columnText) });
    }
  }
  return frames;
};

/** @param {unknown} thrown @returns {string} its stack, empty if it has none or a longer one */
const takeStack = thrown => {
  const stack = getStackFrames(thrown);
  return stack.length <= longestStack ? stack : '';
};

/**
 * A report as data that can go to another thread.
 *
 * @typedef {{ name: string | undefined, message: string, told: { name: string, message: string } | undefined,
 *   frames: Frame[], circumstance: string | undefined }} PlainReport
 */

export class ErrorReport {
  #stack;

  #causeStack;

  #explanation;

  /** @type {Frame[] | undefined} */
  #frames;

  /**
   * @param {unknown} thrown  anything
   * @param {PlainReport} [made]  the report of another thread
   */
  constructor(thrown, made) {
    if (made !== undefined) {
      this.name = made.name;
      this.message = made.message;
      this.told = made.told;
      const { circumstance } = made;
      this.#explanation =
        circumstance === undefined ? undefined : { circumstance, frame: undefined };
      this.#stack = '';
      this.#causeStack = '';
      this.#frames = made.frames;
      Object.freeze(this);
      return;
    }
    const read = isErrorLike(thrown, isProxy)
      ? readError(thrown, isProxy)
      : { name: undefined, message: inspectValue(thrown) };
    /** The name of an error; undefined for any other value. */
    this.name = read.name;
    /** The message of an error; any other value in the console's notation. */
    this.message = read.message;
    /** The error that other vats get instead of an error of the engine. */
    this.told = tellEngineError(thrown);
    this.#explanation = explanationOf(thrown);
    this.#stack = takeStack(thrown);
    // The scheduler reports the failure of a reaction; the place is in the stack of its cause.
    this.#causeStack = UserError.is(thrown) ? takeStack(findData(thrown, 'cause', isProxy)) : '';
    Object.freeze(this);
  }

  /** The frames in vats' sources, innermost first. */
  get frames() {
    if (this.#frames !== undefined) return this.#frames;
    const own = parseFrames(this.#stack);
    const frame = this.#explanation?.frame;
    this.#frames = own.length > 0 ? own : frame ? [frame] : parseFrames(this.#causeStack);
    return this.#frames;
  }

  /** Whether it has a frame in a vat's source, or a circumstance. */
  get isOfVat() {
    return this.#explanation !== undefined || this.frames.length > 0;
  }

  /** The circumstance, for an error that was not made in a vat's source. */
  get circumstance() {
    return this.#explanation?.circumstance;
  }

  /** @returns {PlainReport} */
  toPlain() {
    const { name, message, told, frames, circumstance } = this;
    return { name, message, told, frames, circumstance };
  }

  /** One line: the circumstance, if any, then the error, as `TypeError: x is not a function`. */
  toString() {
    const { name, message, circumstance } = this;
    const text = name === undefined ? message : formatTitle(name, message);
    return showInLine(circumstance === undefined ? text : `${circumstance}: ${text}`, longestText);
  }

  /** @param {unknown} value @returns {value is ErrorReport} */
  static is(value) {
    return typeof value === 'object' && value !== null && #stack in value;
  }
}

/**
 * @param {unknown} thrown  any value, or its report
 * @returns {ErrorReport}
 */
export const reportError = thrown => (ErrorReport.is(thrown) ? thrown : new ErrorReport(thrown));

/** @param {PlainReport} made  by another thread */
export const reviveReport = made => new ErrorReport(undefined, made);
