// Finds out whether a vat has code of @endo/pass-style, which examines how presences are made. Programs of 2020 have none of it.

import { shimPrefix } from '#config';

/** @import { Bundle } from '#config/bundle-format.js' */

/** In names of packages, of provided modules, of files in `node_modules`. */
const scope = '@endo/';

/** Provided modules that examine nothing, or nothing that was made here. */
const harmless = new Set(
  ['errors', 'eventual-send', 'far', 'harden', 'nat', 'promise-kit'].map(
    name => `${shimPrefix}${scope}${name}`,
  ),
);

/** @param {string} name */
const isSuspect = name => name.includes(scope) && !harmless.has(name);

/**
 * @param {Bundle} bundle
 * @returns {boolean}  whether any module is one of Endo's, or imports one that may examine presences
 */
export const usesPassStyle = ({ modules, foreign }) =>
  // A packed bundle cannot be looked into.
  foreign !== undefined
    ? !/\s/.test(foreign.source) || foreign.source.includes(scope)
    : Object.entries(modules).some(
        ([key, { imports }]) => isSuspect(key) || Object.values(imports).some(isSuspect),
      );
