// Rewrites yargs's errors about wrong arguments so that they say what would be right.

import { existsSync } from 'node:fs';
import { findNearestName, quote, UserError } from '#model';
import { flagNames, flagsWithValue, toggleNames } from './flags.js';

/**
 * @param {string} message of yargs
 * @param {object} given
 * @param {string} [given.first]  the word at the place of the command, if it is not a command
 * @param {string[]} given.commands
 * @returns {string}
 */
export const explainUsage = (message, { first, commands }) => {
  const unknown = /^Unknown arguments?: (.+)$/s.exec(message)?.[1].split(', ');
  if (unknown === undefined) return explainOther(message);
  const flags = unknown.filter(isGivenFlag);
  const words = unknown.filter(name => !isGivenFlag(name));
  if (first !== undefined && !existsSync(first)) {
    const meant = findNearestName(first, commands);
    // Words behind a directory may be for vats; those behind a plain word follow a command.
    if (meant !== undefined || (words.length > 0 && /^\w+$/.test(first)))
      return nameCommand(first, commands);
  }
  return [...flags.map(explainFlag), ...(words.length > 0 ? [explainWords(words)] : [])].join('; ');
};

/** Whether an unknown name was given as a flag. @param {string} name  without dashes */
const isGivenFlag = name =>
  process.argv.includes(`-${name}`) ||
  process.argv.some(arg => /^--(no-)?([^=]*)/.exec(arg)?.[2] === name);

/** @param {string} word  neither a directory nor a command @param {string[]} commands */
const nameCommand = (word, commands) => {
  const nearest = findNearestName(word, commands);
  const hint =
    nearest === undefined
      ? `the commands are ${commands.join(', ')}; see swingset-runner --help`
      : `did you mean ${quote(nearest)}?`;
  return `there is no directory and no command ${quote(word)}; ${hint}`;
};

/** The arguments that a command needs beside flags. @type {Record<string, string>} */
const needs = {
  graph:
    'graph needs a kind and a stats file: graph time swingset-out/NAME/stats-NAME.tsv -o time.png',
  diagram:
    'diagram needs a module that exports a reactor, or the directory of vats: diagram program.js -o program.svg',
  bench: 'bench needs to know which benchmark: bench snapshot, bench ipc or bench savina',
  dump: 'dump needs a database, the output directory of a run, or the directory of what was run',
  audit: 'audit needs a database, the output directory of a run, or the directory of what was run',
  compare:
    'compare needs two runs: compare one two, each a database, the output directory of a run, or the directory of what was run',
  replay:
    'replay needs a database, the output directory of a run, or the directory of what was run',
  move: 'move needs a vat and a host: move VAT HOST --cluster URL --run NAME',
  slog: 'slog needs a file that a run wrote with --slog FILE: slog run.slog',
  export: 'export needs the file to write, and may name the run: export run.state my-vats',
  import: 'import needs a file that export wrote: import run.state',
  completion: 'completion needs the name of a shell: completion bash, zsh or fish',
  report:
    'report needs a JSON report, the output directory of a run, or the directory of what was run; with --growth, a stats file or a database, too',
};

/** The arguments of commands that are given no directory. @type {Record<string, string>} */
const takes = {
  bench: 'the name of one benchmark',
  completion: 'the name of one shell',
  compare: 'two runs or files',
  move: 'a vat and a host',
  slog: 'one file',
};

/** Beginnings of yargs's own messages, which do not say the remedy. */
const yargsMessage = /^(Not enough|Too many|Missing|Invalid|Arguments)/;

const notMetered = 'vats are not metered; --max-crank-time bounds a crank';

const noXs = 'vats run in this process, or on threads with --workers N; leave it out';
const alwaysCached = 'compiled sources are always kept in a cache; leave it out';

/** Flags of SwingSet's runner that do not exist here, and what to use instead. @type {Map<string, string>} */
const insteadOfFlags = new Map([
  ['sqlite', 'the state is kept in LMDB, or in memory with --memdb; leave it out'],
  ['filedb', 'the state is kept in LMDB, or in memory with --memdb; leave it out'],
  ['usexs', noXs],
  ['useXS', noXs],
  ['usebundlecache', alwaysCached],
  ['useBundleCache', alwaysCached],
  ['noinit', '--resume goes on from the state'],
  ['sbench', '--benchmark N sends rounds to the bootstrap vat, runBenchmarkRound()'],
  ['chain', 'a chain is not simulated; leave it out'],
  ['teleslog', '--slog FILE writes what each crank does, --trace FILE for Perfetto'],
  ['heap-sampling-interval', '--heap-profile-output FILE writes what is allocated'],
  ['meter', notMetered],
  ['globalmetering', notMetered],
]);

/** Flags and arguments that may be given several times. */
const lists = new Set(['_', '--', 'file', 'label', 'demo', 'rounds', 'only', 'threads']);

/**
 * Refuses arguments that yargs would misread: a word after one dash, which yargs reads as one flag
 * for each letter; an empty one (an unset shell variable gives one), which is read as this folder; a
 * flag that is given twice, of which yargs uses the last; a value for a flag that takes none, which
 * yargs reads as "off".
 *
 * @param {string[]} args
 */
export const insistArguments = args => {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i];
    if (arg === '--') break;
    if (arg === '')
      throw new UserError('an argument is ""; leave it out, or give the name that belongs there');
    const [, word] = /^-([^-=\d][^=]+)/s.exec(arg) ?? [];
    if (word !== undefined) throw new UserError(explainWord(word));
    const [, flag] = /^--?([\w-]+)/.exec(arg) ?? [];
    if (flag === undefined || !flagsWithValue.has(flag)) continue;
    if (!arg.includes('=')) i += 1;
    if (!lists.has(flag)) counts.set(flag, (counts.get(flag) ?? 0) + 1);
  }
  insistDashes(args);
  insistToggles(args);
  for (const [flag, count] of counts)
    if (count > 1)
      throw new UserError(
        `${flag.length === 1 ? '-' : '--'}${flag} is given ${count} times; give it once`,
      );
};

/** @param {string} word  after one dash */
const explainWord = word => {
  const meant = findNearestName(word, flagNames);
  if (meant !== undefined) return `there is no flag -${word}; did you mean --${meant}?`;
  if (flagsWithValue.has(word[0]))
    return `there is no flag -${word}; write -${word[0]} ${word.slice(1)}`;
  return `there is no flag -${word}; a file or directory of that name is ./-${word}`;
};

/** Refuses a long dash, which text processors write in the place of two. @param {string[]} args */
const insistDashes = args => {
  for (const arg of args) {
    if (arg === '--') return;
    const [, name] = /^[\u2010-\u2015\u2212]+-?(.+)$/s.exec(arg) ?? [];
    if (name !== undefined)
      throw new UserError(
        `there is no flag ${arg}: its dash is no hyphen; write ${name.length === 1 ? '-' : '--'}${name}`,
      );
  }
};

/**
 * Refuses `help` of what is no command.
 *
 * @param {string | undefined} name  undefined or a flag: help of all
 * @param {string[]} commands
 */
export const insistCommand = (name, commands) => {
  if (name === undefined || name.startsWith('-') || commands.includes(name)) return;
  const nearest = findNearestName(name, commands);
  const hint =
    nearest === undefined
      ? `the commands are ${commands.join(', ')}`
      : `did you mean ${quote(nearest)}?`;
  throw new UserError(`there is no command ${quote(name)}; ${hint}`);
};

/**
 * Refuses a value for a flag that takes none, and `--no-` before a flag that takes one.
 *
 * @param {string[]} args
 */
const insistToggles = args => {
  for (const arg of args) {
    if (arg === '--') return;
    const [, valued] = /^--no-([^=]+)/.exec(arg) ?? [];
    if (flagNames.includes(valued) && !toggleNames.has(valued))
      throw new UserError(
        `there is no flag --no-${valued}: --${valued} takes a value; leave it out, or give one`,
      );
    const [, alone, given] = /^--(help|version)=(.*)$/s.exec(arg) ?? [];
    if (alone !== undefined)
      throw new UserError(`--${alone} takes no value, got ${quote(given)}; write --${alone}`);
    const [, no = '', name, value] = /^--(no-)?([^=]+)=(.*)$/s.exec(arg) ?? [];
    if (!toggleNames.has(name) || value === 'true' || value === 'false') continue;
    throw new UserError(
      `--${no}${name} takes no value, got ${quote(value)}; write --${name} or --no-${name}`,
    );
  }
};

/**
 * Refuses flags with several values or an empty value (an unset shell variable gives one).
 *
 * @param {import('./cli.js').Flags} flags
 */
export const insistOnce = flags => {
  for (const [name, value] of Object.entries(flags)) {
    if ([value].flat().includes('') && flagNames.includes(name))
      throw new UserError(`--${name} needs a value, got ""; leave it out, or give one`);
    if (Array.isArray(value) && !lists.has(name)) {
      throw new UserError(`--${name} is given ${value.length} times; give it once`);
    }
  }
};

/** @param {string} message usually of several lines */
const explainOther = message => {
  const valueless = /^Not enough arguments following: (\S+)/.exec(message)?.[1];
  if (valueless !== undefined) return explainValueless(valueless);
  const invalid = /Argument: (\S+), Given: (.*), Choices: (.*)/.exec(message);
  if (invalid) return `--${invalid[1]} is one of ${invalid[3]}, got ${invalid[2]}`;
  if (message.startsWith('Not enough non-option arguments')) {
    const command = Object.keys(needs).find(name => process.argv.includes(name));
    if (command !== undefined) return needs[command];
  }
  const missing = /^Missing required arguments?: (.+)$/.exec(message)?.[1].split(', ');
  if (missing !== undefined) {
    const flags = missing.map(name => `--${name}`).join(' and ');
    return `${flags} must be given; see the command's --help`;
  }
  const line = message.replaceAll(/\s*\n\s*/g, ' ');
  return yargsMessage.test(line) ? `${line}; see swingset-runner --help` : line;
};

/** @param {string} name  of a flag without its value */
const explainValueless = name => {
  const flag = `${name.length === 1 ? '-' : '--'}${name}`;
  const next = process.argv[process.argv.indexOf(flag) + 1] ?? '';
  const isFlag = flagNames.includes(next.replace(/^--?(no-)?/, '').split('=')[0]);
  return next.startsWith('-') && next !== '--' && !isFlag
    ? `${flag} needs a value, and ${quote(next)} looks like a flag; write ${flag}=${next}`
    : `${flag} needs a value; see swingset-runner --help`;
};

/** @param {string[]} words  arguments that the command does not take */
const explainWords = words => {
  const taker = Object.keys(takes).find(command => process.argv[2] === command);
  const taken =
    taker === undefined ? 'there is one directory at most' : `${taker} takes ${takes[taker]}`;
  const more = words.length === 1 ? 'is one more' : 'are more';
  const remedy = taker === undefined ? '; arguments of the vats go behind "--"' : '';
  return `${taken}, and ${words.map(quote).join(', ')} ${more}${remedy}`;
};

/** @param {string} given  without dashes, and without the `no-` that yargs takes away */
const explainFlag = given => {
  const isLetter = process.argv.includes(`-${given}`);
  const isNegated = process.argv.some(arg => arg.split('=')[0] === `--no-${given}`);
  const name = isNegated ? `no-${given}` : given;
  const plain = name.replace(/^no-/, '');
  const dashes = isLetter ? '-' : '--';
  if (flagNames.includes(plain))
    return `${dashes}${plain} means nothing to this command; leave it out`;
  const instead = isLetter ? undefined : insteadOfFlags.get(plain);
  if (instead !== undefined)
    return `there is no flag --${name}, which SwingSet's runner has; ${instead}`;
  const meant = isLetter ? [] : findMeantFlags(name);
  const hint =
    meant.length === 0
      ? 'see swingset-runner --help'
      : `did you mean ${meant.map(each => `--${each}`).join(' or ')}?`;
  return `there is no flag ${dashes}${name}; ${hint}`;
};

/** The most flags that one beginning may suggest. */
const mostMeant = 3;

/** The flags that begin with this name, or the one that it is nearest to. @param {string} name */
const findMeantFlags = name => {
  const [, negated] = /^no-?(.+)$/.exec(name) ?? [];
  const toggles = negated === undefined ? [] : findNearFlags(negated, [...toggleNames]);
  if (toggles.length > 0) return toggles.map(each => `no-${each}`);
  return findNearFlags(name, [...flagNames, 'version', 'help']);
};

/** @param {string} name @param {string[]} names */
const findNearFlags = (name, names) => {
  const begun = names.filter(each => each.startsWith(name));
  if (begun.length > 0 && begun.length <= mostMeant) return begun;
  const nearest = findNearestName(name, names);
  return nearest === undefined ? [] : [nearest];
};

/**
 * Suggests a command for a word that is not a directory.
 *
 * @param {unknown} error
 * @param {object} given
 * @param {boolean} given.isNamed  whether a directory was named
 * @param {string[]} given.commands
 */
export const explainDirectory = (error, { isNamed, commands }) => {
  if (!(error instanceof UserError)) return error;
  if (!isNamed && /has neither "swingset\.json" nor "bootstrap\.js"/.test(error.message))
    return new UserError(`${error.message}; or run a demo: swingset-runner demos/pingpong`);
  const found = /^no directory "(\w+)"(.*)$/.exec(error.message);
  if (!found || found[2].includes('did you mean')) return error;
  return new UserError(nameCommand(found[1], commands));
};
