// Recognises a program for the SwingSet of 2020 by features that were removed soon after.

import { quote } from '#model';
import { mayHaveTildot } from '../tildot.js';
import { lineOf } from '#config';

/** @import { Bundle } from '#config/bundle-format.js' */

/** Packages that no program of today imports: most moved to Endo under other names. */
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

/** Matches `~.`, which is not JavaScript outside of strings and comments. */
const send = /[\w)\]]~\.[\w([]/;

/**
 * @param {Bundle} bundle
 * @returns {string | undefined}  the feature and its place, for a person
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
