// Words for slips in a vat's sources that the engine lets pass in silence. They are notices: no vat sees them, and they
// change no run.

import { basename } from 'node:path';
import { quote } from '#model';
import { findTooEarly } from './early-uses.js';
import { noImport } from './without-import.js';

/** @import { Bundle } from '#config/bundle-format.js' */
/** @import { CompiledModule } from './compile-module.js' */

/**
 * @param {CompiledModule} compiled
 * @param {string} file  as shown
 * @returns {string[]}
 */
export const describeSlips = ({ unknownNames, unawaited, importCalls }, file) => [
  ...importCalls.map(line => `${file}:${line}: ${noImport}; the call is rejected`),
  ...unknownNames.map(
    ({ name, line, meant }) =>
      `${file}:${line}: nobody declares ${quote(name)}, so it is undefined in the vat${meant === undefined ? '' : `; did you mean ${quote(meant)}?`}`,
  ),
  ...unawaited.map(({ line, text, problem, isMethod }) =>
    isMethod
      ? `${file}:${line}: ${text} is not called, so nothing is sent; write ${text}(…), or E.get(…).NAME for a property of data`
      : `${file}:${line}: ${text} is a promise, and ${problem}; did you forget "await"?`,
  ),
];

/**
 * Describe an import that leaves out the end of a file's name; empty if it is whole.
 *
 * @param {string} place  file and line
 * @param {string} specifier  a relative path
 * @param {string} target  the real path of the file that was found
 * @returns {string[]}
 */
export const describeShortImport = (place, specifier, target) => {
  if (/\.[a-z]+$/i.test(specifier)) return [];
  const name = basename(target);
  const inFolder = /^index\./.test(name) && !/(?:^|\/)index$/.test(specifier);
  // A link may have another name than its file.
  if (!inFolder && !name.startsWith(`${basename(specifier)}.`)) return [];
  const whole = inFolder
    ? `${specifier.replace(/\/$/, '')}/${name}`
    : `${specifier}${name.slice(basename(specifier).length)}`;
  return [
    `${place}: ${quote(specifier)} is found as ${quote(whole)} by vats alone; Node and browsers need the whole name`,
  ];
};

/**
 * @param {Pick<Bundle, 'entry' | 'modules'>} bundle
 * @param {Record<string, CompiledModule>} compiled  by key, without JSON modules
 * @param {(key: string) => string} showModule  names a module's file
 * @returns {string[]}
 */
export const describeTooEarly = (bundle, compiled, showModule) =>
  findTooEarly(bundle, compiled).map(
    ({ key, target, line, name }) =>
      `${showModule(key)}:${line}: ${name} is undefined here: ${showModule(target)} declares it and runs later, since the two import each other; use it in a function, or move it to a file of its own`,
  );
