// The benchmark suites: one folder each, with a `suite.js` in it.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @import { Figure } from '#measure' */

/**
 * @typedef {object} Suite
 * @property {string} about  one line
 * @property {(options: { small: boolean }) => Promise<Results>} run  `small`: with the smallest
 *   sizes, to check that it works
 */

/**
 * @typedef {object} Results
 * @property {Figure[]} figures
 * @property {string} digest  of the computed results; the same on every machine
 */

const here = new URL('./', import.meta.url);

/**
 * The digest of the results of a suite.
 *
 * @param {...(string | Uint8Array)} parts
 */
export const digestOf = (...parts) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

/**
 * The digest of results computed in several ways, which must be equal.
 *
 * @param {Iterable<unknown>} computed  data for JSON
 * @param {string} what  the message if they differ
 * @throws {Error} if they differ
 */
export const digestOfSame = (computed, what) => {
  const known = new Set(computed);
  if (known.size !== 1) throw Error(what);
  return digestOf(JSON.stringify([...known]));
};

/** Names of all suites. */
export const suiteNames = () =>
  readdirSync(fileURLToPath(here))
    .filter(name => existsSync(new URL(`${name}/suite.js`, here)))
    .sort();

/**
 * @param {string} name
 * @returns {Promise<Suite>}
 */
export const loadSuite = async name => {
  const { default: suite } = await import(new URL(`${name}/suite.js`, here).href);
  return suite;
};
