// `@agoric/assert` of 2020, with later additions. Its errors are those of the global `assert`, which keeps hidden
// details for privileged code; but their classes and texts are those of 2020, because a rejection carries them to other
// vats.

import {
  Fail,
  annotateError,
  bare,
  details as todaysDetails,
  makeError,
  quote,
} from '@endo/errors';

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
 * Template tag for a message in which unquoted values show only their type.
 *
 * @param {TemplateStringsArray | string[]} template
 * @param {unknown[]} args
 */
export const details = (template, ...args) =>
  args.length === 0
    ? todaysDetails(template)
    : todaysDetails(/** @type {any} */ (withNotice(template)), ...args);
harden(details);

/**
 * A noun with its article: "an object", "a string".
 *
 * @param {string} noun
 */
export const an = noun => (/^[aeiou]/i.test(noun) ? `an ${noun}` : `a ${noun}`);
harden(an);

/** @typedef {ReturnType<typeof todaysDetails> | string} Details */

/**
 * @param {Details} [optDetails]
 * @param {ErrorConstructor} [constructor]
 * @returns {never}
 */
const fail = (optDetails = details`Assert failed`, constructor = Error) => {
  throw makeError(optDetails, constructor);
};

/**
 * @param {unknown} flag
 * @param {Details} [optDetails]
 * @param {ErrorConstructor} [constructor]
 */
const insist = (flag, optDetails = details`Check failed`, constructor = Error) => {
  if (!flag) fail(optDetails, constructor);
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
  if (typeof typename !== 'string') fail(details`${quote(typename)} must be a string`);
  equal(
    typeof specimen,
    typename,
    optDetails ?? details(['', ` must be ${an(typename)}`], specimen),
  );
};

/**
 * The function `assert` of 2020 with its members, and the members of today's `assert` that it lacked.
 */
export const assert2020 = harden(
  Object.assign(
    (
      /** @type {unknown} */ flag,
      /** @type {Details | undefined} */ optDetails,
      /** @type {ErrorConstructor | undefined} */ constructor,
    ) => insist(flag, optDetails, constructor),
    globalThis.assert,
    { equal, fail, typeof: insistTypeof },
  ),
);

/**
 * The value, unless it is null or undefined.
 *
 * @template T
 * @param {T | null | undefined} value
 * @param {Details} [optDetails]
 * @returns {T}
 */
const NonNullish = (value, optDetails = `unexpected ${quote(value)}`) => {
  if (value === null || value === undefined) return fail(optDetails);
  return value;
};

export const assertShim = {
  assert: assert2020,
  details,
  q: quote,
  an,
  // Not in 2020.
  X: todaysDetails,
  Fail,
  NonNullish,
  annotateError,
  b: bare,
  bare,
  makeError,
  openDetail: quote,
  quote,
};
