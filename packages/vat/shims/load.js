// Loads the provided modules that a vat needs: all but the usual ones need libraries that take time to load.

import { makeUsualShims } from './usual.js';

/** @typedef {Record<string, Record<string, unknown>>} VatShims  hardened exports by module name */

/** @type {VatShims | undefined} */
let usual;

/** @type {Promise<VatShims> | undefined} */
let all;

/** @type {typeof import('./index.js').provideLazyAssert | undefined} */
let provideLazyAssert;

const loadAll = async () => {
  const { makeVatShims, ...others } = await import('./index.js');
  provideLazyAssert = others.provideLazyAssert;
  return makeVatShims();
};

/**
 * Finds the stand-ins of a vat under `2020-09` for SES's `assert` and for the modules that rest on it. Programs of that year
 * make details for every check, and there they cost little.
 *
 * @param {VatShims} shims  of the vat
 * @returns {ReturnType<NonNullable<typeof provideLazyAssert>> | undefined} undefined for a vat that has no such details
 */
export const findLazyAssert = shims =>
  Object.hasOwn(shims, '@agoric/assert') ? provideLazyAssert?.() : undefined;

/**
 * @param {Iterable<string>} specifiers  what a vat imports
 * @returns {Promise<VatShims>}  at least those of them that exist
 */
export const loadVatShims = async specifiers => {
  usual ??= harden(makeUsualShims());
  for (const specifier of specifiers) {
    if (!Object.hasOwn(usual, specifier)) {
      all ??= loadAll();
      return all;
    }
  }
  return usual;
};
