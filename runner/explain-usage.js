// What yargs says about wrong arguments, with what would have been right.

import { quote } from '#model';
import { findNearestName } from '#host';

/**
 * @param {string} message  yargs'
 * @param {any} parser  yargs', which tells its flags only by a method that its types leave out
 * @returns {string}
 */
export const explainUsage = (message, parser) => {
  const unknown = /^Unknown arguments?: (.+)$/s.exec(message)?.[1].split(', ');
  if (unknown === undefined) return `${message}; see swingset-runner --help`;
  const flags = knownFlags(parser);
  return unknown.map(name => explainUnknown(name, flags)).join('; ');
};

/**
 * @param {string} name  without dashes, whether it is a flag or not
 * @param {string[]} flags
 */
const explainUnknown = (name, flags) => {
  const isFlag = process.argv.some(arg => arg === `--${name}` || arg.startsWith(`--${name}=`));
  if (!isFlag && !process.argv.includes(`-${name}`)) {
    return `there is one directory at most, and ${quote(name)} is one more; arguments of the vats go behind "--"`;
  }
  const plain = name.replace(/^no-/, '');
  const nearest = findNearestName(plain, flags);
  const hint = nearest === undefined ? 'see swingset-runner --help' : `did you mean --${nearest}?`;
  return `there is no flag --${name} here; ${hint}`;
};

/** @param {any} parser */
const knownFlags = parser => {
  /** @type {Record<string, unknown>} */
  const options = parser?.getOptions?.().key ?? {};
  return Object.keys(options);
};
