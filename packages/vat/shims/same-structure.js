// `@agoric/same-structure`: comparison of data by its contents, and of references by identity.

import { assert2020, details } from './assert-2020.js';
import { passStyleOf2020, sameValueZero } from './marshal-2020.js';
import { quote } from '@endo/errors';

const { fromEntries, getOwnPropertyNames, hasOwn } = Object;

/**
 * A difference between two values.
 *
 * @typedef {object} Difference
 * @property {string} problem
 * @property {boolean} incomparable  whether a promise was met
 * @property {string[]} path  names of properties from the top
 * @property {unknown} left
 * @property {unknown} right
 */

/**
 * The first difference between two values, in the order of the left one's properties.
 *
 * @param {any} left
 * @param {any} right
 * @param {string[]} path
 * @returns {Difference | undefined}
 */
const findDifference = (left, right, path) => {
  /** @param {string} problem */
  const differ = (problem, incomparable = false) => ({ problem, incomparable, path, left, right });
  const style = passStyleOf2020(left);
  const rightStyle = passStyleOf2020(right);
  if (style === 'promise') return differ('Promise on left', true);
  if (rightStyle === 'promise') return differ('Promise on right', true);
  if (style !== rightStyle) return differ('different passing style');
  if (style === 'copyError') {
    if (left.name !== right.name) {
      return differ(`different error name: ${left.name} vs ${right.name}`);
    }
    if (left.message !== right.message) {
      return differ(`different error message: ${left.message} vs ${right.message}`);
    }
    return undefined;
  }
  if (style !== 'copyArray' && style !== 'copyRecord') {
    return sameValueZero(left, right) ? undefined : differ('different');
  }
  const names = getOwnPropertyNames(left);
  const count = getOwnPropertyNames(right).length;
  if (names.length !== count) return differ(`${names.length} vs ${count} own properties`);
  for (const name of names) {
    if (!hasOwn(right, name)) return differ(`${name} not found on right`);
    const found = findDifference(left[name], right[name], [...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** @param {string[]} path  as `top.amount[0]["two words"]` */
const formatPath = path =>
  `top${path
    .map(name => {
      if (/^[a-z]\w*$/i.test(name)) return `.${name}`;
      return String(Number(name)) === name ? `[${name}]` : `[${JSON.stringify(name)}]`;
    })
    .join('')}`;

/**
 * @param {unknown} left
 * @param {unknown} right
 * @returns {boolean}
 * @throws {Error} if a promise is met, whose value is unknown
 */
export const sameStructure = (left, right) => {
  const found = findDifference(left, right, []);
  if (found?.incomparable) {
    const promise = found.problem === 'Promise on left' ? found.left : found.right;
    assert2020.fail(details`Cannot structurally compare promises: ${promise}`);
  }
  return found === undefined;
};
harden(sameStructure);

/**
 * @param {unknown} left
 * @param {unknown} right
 * @param {unknown} message
 * @throws {Error} that begins with the message and names the place of the first difference
 */
export const mustBeSameStructure = (left, right, message) => {
  const found = findDifference(left, right, []);
  if (found === undefined) return;
  assert2020.fail(
    details`${quote(`${message}`)}: ${quote(found.problem)} at ${quote(formatPath(found.path))}: (${found.left}) vs (${found.right})`,
  );
};
harden(mustBeSameStructure);

/**
 * @param {unknown} value
 * @throws {Error} if `sameStructure` would throw
 */
export const mustBeComparable = value => mustBeSameStructure(value, value, 'not comparable');
harden(mustBeComparable);

/**
 * A promise for the data with its promises replaced by their values; the data itself if it can hold no promise.
 *
 * @param {any} value
 * @returns {any}
 */
export const allComparable = value => {
  switch (passStyleOf2020(value)) {
    case 'promise':
      return value.then(allComparable);
    case 'copyArray':
      return Promise.all(value.map((/** @type {any} */ part) => allComparable(part))).then(harden);
    case 'copyRecord': {
      const names = getOwnPropertyNames(value);
      return Promise.all(names.map(name => allComparable(value[name]))).then(parts =>
        harden(fromEntries(names.map((name, i) => [name, parts[i]]))),
      );
    }
    default:
      return value;
  }
};
harden(allComparable);

export const sameStructureShim = {
  allComparable,
  mustBeComparable,
  mustBeSameStructure,
  sameStructure,
};
