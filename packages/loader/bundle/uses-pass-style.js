// Finds out whether a vat has code of @endo/pass-style, which examines the form of presences. Programs of 2020 do not.

import { shimPrefix } from '#config';

/** @import { Bundle } from '#config/bundle-format.js' */

/** Part of the names of packages, provided modules and files in `node_modules`. */
const scope = '@endo/';

/** Provided modules that do not examine presences. */
const harmless = new Set(
  ['errors', 'eventual-send', 'far', 'harden', 'nat', 'promise-kit'].map(
    name => `${shimPrefix}${scope}${name}`,
  ),
);

/** @param {string} name */
const isSuspect = name => name.includes(scope) && !harmless.has(name);

/**
 * @param {Bundle} bundle
 * @returns {boolean}  whether a module is Endo's, or imports one that may examine presences
 */
export const usesPassStyle = ({ modules, foreign }) =>
  // A packed bundle cannot be searched.
  foreign !== undefined
    ? !/\s/.test(foreign.source) || foreign.source.includes(scope)
    : Object.entries(modules).some(
        ([key, { imports }]) => isSuspect(key) || Object.values(imports).some(isSuspect),
      );
