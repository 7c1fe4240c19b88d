// Finds out whether a program was written for the SwingSet of 2020: by features that were gone soon after.

import { quote } from '#model';
import { mayHaveTildot } from '../tildot.js';
import { lineOf } from '#config';

/** @import { Bundle } from '#config/bundle-format.js' */

/** Packages that nothing of today imports: most were given to Endo under other names. */
const packages = new Set([
  '@agoric/eventual-send',
  '@agoric/harden',
  '@agoric/install-metering-and-ses',
  '@agoric/install-ses',
  '@agoric/marshal',
  '@agoric/nat',
  '@agoric/produce-promise',
  '@agoric/promise-kit',
  '@agoric/same-structure',
]);

/** Outside of strings and comments it is no syntax of the language. */
const send = /[\w)\]]~\.[\w([]/;

/**
 * @param {Bundle} bundle
 * @returns {string | undefined}  what it is and where, for a person
 */
export const findSignOf2020 = ({ modules }) => {
  for (const [key, { source, imports }] of Object.entries(modules)) {
    const specifier = Object.keys(imports).find(name => packages.has(name));
    if (specifier !== undefined) return `${key} imports ${quote(specifier)}`;
    const found = mayHaveTildot(source) ? send.exec(source) : null;
    if (found) return `${key}:${lineOf(source, found.index)} sends by "~."`;
  }
  return undefined;
};
