// Describes what a vat threw, as plain data. The value itself is read here and nowhere else, by data
// properties alone, in the same way whether anybody wants to know or not: so no vat can tell whether it is watched, and no
// observer keeps an object of a vat alive. Vats cannot see stacks; the host can. Which frames are a vat's is known exactly:
// every module that is evaluated in a vat notes its URL here.

import { types } from 'node:util';
import { findData, isErrorLike, readError, showInLine, UserError } from '#model';
import { tellEngineError } from '../engine-errors.js';
import { getStackFrames } from '../lockdown.js';
import { formatTitle, inspectValue } from './inspect-value.js';

const { isProxy } = types;

/** @typedef {{ functionName: string, url: string, line: number, column: number }} Frame  line and column from 1 */

/** More of an error's text is not shown. */
const longestText = 10_000;

/** @type {Set<string>} */
const vatUrls = new Set();

/** Modules of bundles without places, and the parts of bundles that other tools made. */
const vatUrlStart = 'vat:';

/** @param {string} url */
export const noteVatUrl = url => {
  vatUrls.add(url);
};

/**
 * Facts about errors that the errors themselves do not carry.
 *
 * @type {WeakMap<object, { circumstance: string | undefined, frame: Frame | undefined }>}
 */
const explanations = new WeakMap();

/**
 * Say what an error is about that was not made in a vat's source.
 *
 * @param {unknown} error
 * @param {string | undefined} circumstance  shown before the error, as `foo() returned X {}, which cannot be passed`; undefined
 *   where the error's own message says it
 * @param {Frame} [frame]  its place, where the stack has none
 */
export const explainError = (error, circumstance, frame) => {
  if (typeof error === 'object' && error !== null) explanations.set(error, { circumstance, frame });
};

/** @param {unknown} error */
const explanationOf = error =>
  typeof error === 'object' && error !== null ? explanations.get(error) : undefined;

/**
 * Longer lines of a stack are no frames: a function of a vat may have a name of any length and of many lines, and to match one
 * takes time by the square of its length.
 */
const longestLine = 1_000;

/** Longer stacks are not kept. */
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

/** @param {unknown} thrown @returns {string} its stack, if it can be kept */
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
   * @param {PlainReport} [made]  by another thread, of something that was thrown there
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
    /** The name of an error; undefined for anything else that was thrown. */
    this.name = read.name;
    /** The message of an error; for anything else its text. */
    this.message = read.message;
    /** The error that other vats get instead, if the engine made this one. */
    this.told = tellEngineError(thrown);
    this.#explanation = explanationOf(thrown);
    this.#stack = takeStack(thrown);
    // That a reaction failed is said by the scheduler, and where by what it threw.
    this.#causeStack = UserError.is(thrown) ? takeStack(findData(thrown, 'cause', isProxy)) : '';
    Object.freeze(this);
  }

  /** Its places in vats' sources, innermost first. */
  get frames() {
    if (this.#frames !== undefined) return this.#frames;
    const own = parseFrames(this.#stack);
    const frame = this.#explanation?.frame;
    this.#frames = own.length > 0 ? own : frame ? [frame] : parseFrames(this.#causeStack);
    return this.#frames;
  }

  /** Whether a place in a vat's source, or a circumstance, is known of it. */
  get isOfVat() {
    return this.#explanation !== undefined || this.frames.length > 0;
  }

  /** The circumstance of an error that no source made. */
  get circumstance() {
    return this.#explanation?.circumstance;
  }

  /** @returns {PlainReport} */
  toPlain() {
    const { name, message, told, frames, circumstance } = this;
    return { name, message, told, frames, circumstance };
  }

  /** As `TypeError: x is not a function`, with the circumstance in front, on one line. */
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
 * @param {unknown} thrown  anything, or a report already
 * @returns {ErrorReport}
 */
export const reportError = thrown => (ErrorReport.is(thrown) ? thrown : new ErrorReport(thrown));

/** @param {PlainReport} made  by another thread */
export const reviveReport = made => new ErrorReport(undefined, made);
