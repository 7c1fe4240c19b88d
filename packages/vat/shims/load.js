// Loads the provided modules that a vat needs: all but the usual ones need libraries that take time to load.

import { makeUsualShims } from './usual.js';

/** @typedef {Record<string, Record<string, unknown>>} VatShims  hardened exports by module name */

/** @type {VatShims | undefined} */
let usual;

/** @type {Promise<VatShims> | undefined} */
let all;

const loadAll = async () => {
  const { makeVatShims } = await import('./index.js');
  return makeVatShims();
};

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
