// `@agoric/assert` of 2020, with later additions. Its errors are those of the global `assert`, which keeps hidden
// details for privileged code; but their classes and texts are those of 2020, because a rejection carries them to other
// vats.

import * as errors from '@endo/errors';
import { delay, lazyQuote, resolveLazy, takeLazy } from './lazy-details.js';

const { Fail, annotateError, bare, details: todaysDetails, makeError, quote } = errors;

/** The end of every message with values in it. */
const notice = '\nSee console for error data.';

/**
 * Templates with the notice, by the program's template objects. Only frozen ones, since their strings cannot change.
 *
 * @type {WeakMap<readonly string[], readonly string[]>}
 */
const noticed = new WeakMap();

/**
 * @param {readonly string[]} template
 * @returns {readonly string[]}
 */
const withNotice = template => {
  const known = noticed.get(template);
  if (known !== undefined) return known;
  const made = Object.freeze([...template.slice(0, -1), `${template.at(-1)}${notice}`]);
  if (Object.isFrozen(template)) noticed.set(template, made);
  return made;
};

/**
 * A noun with its article: "an object", "a string".
 *
 * @param {string} noun
 */
export const an = noun => (/^[aeiou]/i.test(noun) ? `an ${noun}` : `a ${noun}`);
harden(an);

/** @typedef {ReturnType<typeof todaysDetails> | string} Details */

/** @typedef {(template: TemplateStringsArray | string[], ...args: unknown[]) => Details} MakeDetails */

/**
 * Template tag for a message in which unquoted values show only their type.
 *
 * @type {MakeDetails}
 */
export const details = (template, ...args) =>
  args.length === 0
    ? todaysDetails(template)
    : todaysDetails(/** @type {any} */ (withNotice(template)), ...args);

/** @param {string[]} template @param {unknown[]} args */
const revealDetails = (template, args) =>
  /** @type {any} */ (details(template, ...args.map(resolveLazy)));

/** @type {MakeDetails} */
const lazyDetails = (template, ...args) =>
  delay(revealDetails, /** @type {string[]} */ (template), args);

/**
 * @param {MakeDetails} details  a template tag
 * @param {typeof quote} q
 * @param {<T>(given: T) => T} adapt  makes functions of SES take those details and quotes
 */
const makeAssertShim = (details, q, adapt) => {
  const raise = adapt(makeError);

  /**
   * @param {Details} [optDetails]
   * @param {ErrorConstructor} [constructor]
   * @returns {never}
   */
  const fail = (optDetails = details`Assert failed`, constructor = Error) => {
    throw raise(optDetails, constructor);
  };

  /**
   * @param {unknown} flag
   * @param {Details} [optDetails]
   * @param {ErrorConstructor} [constructor]
   */
  const insist = (flag, optDetails, constructor) => {
    if (!flag) fail(optDetails === undefined ? details`Check failed` : optDetails, constructor);
  };

  /**
   * @param {unknown} actual
   * @param {unknown} expected
   * @param {Details} [optDetails]
   * @param {ErrorConstructor} [constructor]
   */
  const equal = (actual, expected, optDetails, constructor) => {
    if (Object.is(actual, expected)) return;
    fail(optDetails ?? details`Expected ${actual} is same as ${expected}`, constructor);
  };

  /**
   * @param {unknown} specimen
   * @param {string} typename
   * @param {Details} [optDetails]
   */
  const insistTypeof = (specimen, typename, optDetails) => {
    if (typeof typename !== 'string') fail(details`${q(typename)} must be a string`);
    if (typeof specimen === typename) return;
    fail(optDetails ?? details(['', ` must be ${an(typename)}`], specimen));
  };

  /** The function `assert` of 2020 with its members, and the members of today's `assert` that it lacked. */
  const assert2020 = Object.assign(
    (
      /** @type {unknown} */ flag,
      /** @type {Details | undefined} */ optDetails,
      /** @type {ErrorConstructor | undefined} */ constructor,
    ) => insist(flag, optDetails, constructor),
    adapt(globalThis.assert),
    { equal, fail, typeof: insistTypeof },
  );

  /**
   * The value, unless it is null or undefined.
   *
   * @template T
   * @param {T | null | undefined} value
   * @param {Details} [optDetails]
   * @returns {T}
   */
  const NonNullish = (value, optDetails) => {
    if (value !== null && value !== undefined) return value;
    return fail(optDetails === undefined ? `unexpected ${q(value)}` : optDetails);
  };

  return harden({
    assert: assert2020,
    details,
    q,
    an,
    // Not in 2020.
    X: adapt(todaysDetails),
    Fail: adapt(Fail),
    NonNullish,
    annotateError: adapt(annotateError),
    b: bare,
    bare,
    makeError: raise,
    openDetail: q,
    quote: q,
  });
};

export const assertShim = makeAssertShim(details, quote, given => given);

export const assert2020 = assertShim.assert;

/** @type {{ modules: Record<string, Record<string, unknown>>, assert: typeof globalThis.assert } | undefined} */
let lazy;

/**
 * Makes the stand-ins that vats under `2020-09` have for SES's `assert` and for the modules that rest on it.
 */
export const provideLazyAssert = () => {
  lazy ??= harden({
    assert: takeLazy(globalThis.assert),
    modules: {
      '@agoric/assert': makeAssertShim(lazyDetails, lazyQuote, takeLazy),
      '@endo/errors': takeLazy({ ...errors }),
    },
  });
  return lazy;
};
harden(provideLazyAssert);
