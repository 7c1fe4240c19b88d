// What yargs says about wrong arguments, with what would have been right.

import { findNearestName, quote, UserError } from '#model';
import { flagNames } from './flags.js';

/**
 * @param {string} message  yargs'
 * @returns {string}
 */
export const explainUsage = message => {
  const unknown = /^Unknown arguments?: (.+)$/s.exec(message)?.[1].split(', ');
  if (unknown === undefined) return explainOther(message);
  return unknown.map(explainUnknown).join('; ');
};

/** What a command needs beside flags. @type {Record<string, string>} */
const needs = {
  graph:
    'graph needs a kind and a stats file: graph time swingset-out/NAME/stats-NAME.tsv -o time.png',
  diagram:
    'diagram needs a module that exports a reactor, and a file to write: diagram program.js -o program.svg',
  bench: 'bench needs to know which benchmark: bench snapshot',
  dump: 'dump needs a database, the output directory of a run, or the directory of what was run',
  audit: 'audit needs a database, the output directory of a run, or the directory of what was run',
  replay:
    'replay needs a database, the output directory of a run, or the directory of what was run',
  report:
    'report needs a file: a JSON report, or the directory that a run has written; with --growth, a stats file or a database',
};

/** The beginnings of messages that are not ours, and do not tell the remedy. */
const yargsMessage = /^(Not enough|Too many|Missing|Invalid|Arguments)/;

/** What may be given several times. */
const lists = new Set(['_', '--', 'file', 'label', 'demo', 'rounds']);

/** @param {import('./cli.js').Flags} flags */
export const insistOnce = flags => {
  for (const [name, value] of Object.entries(flags)) {
    if (Array.isArray(value) && !lists.has(name)) {
      throw new UserError(`--${name} is given ${value.length} times; give it once`);
    }
  }
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
  const line = message.replaceAll(/\s*\n\s*/g, ' ');
  return yargsMessage.test(line) ? `${line}; see swingset-runner --help` : line;
};

/** @param {string} name  without dashes, whether it is a flag or not */
const explainUnknown = name => {
  const isFlag = process.argv.some(arg => /^--(no-)?([^=]*)/.exec(arg)?.[2] === name);
  if (!isFlag && !process.argv.includes(`-${name}`)) {
    if (process.argv.includes('bench'))
      return `bench takes the name of one benchmark, and ${quote(name)} is one more`;
    return `there is one directory at most, and ${quote(name)} is one more; arguments of the vats go behind "--"`;
  }
  const plain = name.replace(/^no-/, '');
  if (flagNames.includes(plain)) return `--${plain} means nothing to this command; leave it out`;
  const nearest = findNearestName(plain, flagNames);
  const hint = nearest === undefined ? 'see swingset-runner --help' : `did you mean --${nearest}?`;
  return `there is no flag --${name}; ${hint}`;
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
