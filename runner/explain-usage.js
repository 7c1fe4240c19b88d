// What yargs says about wrong arguments, with what would have been right.

import { quote, UserError } from '#model';
import { findNearestName } from '#host';

/**
 * @param {string} message  yargs'
 * @param {any} parser  yargs', which tells its flags only by a method that its types leave out
 * @returns {string}
 */
export const explainUsage = (message, parser) => {
  const unknown = /^Unknown arguments?: (.+)$/s.exec(message)?.[1].split(', ');
  if (unknown === undefined) return explainOther(message);
  const flags = knownFlags(parser);
  return unknown.map(name => explainUnknown(name, flags)).join('; ');
};

/** What a command needs beside flags. @type {Record<string, string>} */
const needs = {
  graph:
    'graph needs a kind and a stats file: graph time swingset-out/NAME/stats-NAME.tsv -o time.png',
  report: 'report needs a file: a JSON report, or the directory that a run has written',
};

/** @param {string} message  of several lines, as a rule */
const explainOther = message => {
  const valueless = /^Not enough arguments following: (\S+)/.exec(message)?.[1];
  if (valueless !== undefined) {
    return `${valueless.length === 1 ? '-' : '--'}${valueless} needs a value; see swingset-runner --help`;
  }
  const invalid = /Argument: (\S+), Given: (.*), Choices: (.*)/.exec(message);
  if (invalid) return `--${invalid[1]} is one of ${invalid[3]}, got ${invalid[2]}`;
  if (message.startsWith('Not enough non-option arguments')) {
    const command = Object.keys(needs).find(name => process.argv.includes(name));
    if (command !== undefined) return needs[command];
  }
  return `${message.replaceAll(/\s*\n\s*/g, ' ')}; see swingset-runner --help`;
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

/**
 * A word that is no directory may have been meant as a command.
 *
 * @param {unknown} error
 * @param {string[]} commands
 */
export const explainDirectory = (error, commands) => {
  if (!(error instanceof UserError)) return error;
  const found = /^no directory "(\w+)"(.*)$/.exec(error.message);
  if (!found || found[2].includes('did you mean')) return error;
  const nearest = findNearestName(found[1], commands);
  const hint =
    nearest === undefined
      ? `the commands are ${commands.join(', ')}; swingset-runner --help tells of them`
      : `did you mean ${quote(nearest)}?`;
  return new UserError(`there is no directory and no command "${found[1]}"; ${hint}`);
};

/** @param {any} parser */
const knownFlags = parser => {
  /** @type {Record<string, unknown>} */
  const options = parser?.getOptions?.().key ?? {};
  return Object.keys(options);
};
