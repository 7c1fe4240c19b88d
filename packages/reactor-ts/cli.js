// The command line of generated programs: their options, for the packages `command-line-args` and
// `command-line-usage`, which are dependencies of the program.

import { Log } from './log.js';
import { TimeUnit, TimeValue } from './time.js';

/** @import { CommandLineOptionSpec } from './types.js' */

/**
 * Reads the value of `--logging`.
 *
 * @param {string} text
 * @returns  the level; null if the text names none
 */
export const loggingCLAType = text =>
  Object.hasOwn(Log.LogLevel, text)
    ? Log.LogLevel[/** @type {keyof typeof Log.LogLevel} */ (text)]
    : null;

/**
 * Parses a number and a unit, singular or plural, with a space between: `10 msec`.
 *
 * @param {string} text
 * @returns {TimeValue | null}
 */
export const unitBasedTimeValueCLAType = text => {
  const [, count, unit] = /^(\d+)\s+([a-z]+)$/.exec(text) ?? [];
  if (unit === undefined) return null;
  const name = [unit, unit.replace(/s$/, '')].find(each => Object.hasOwn(TimeUnit, each));
  if (name === undefined) return null;
  return TimeValue.withUnits(Number(count), TimeUnit[/** @type {keyof typeof TimeUnit} */ (name)]);
};

/**
 * Reads a flag that is true or false.
 *
 * @param {string} text
 * @returns {boolean | null} null for any other text
 */
export const booleanCLAType = text => (text === 'true' ? true : text === 'false' ? false : null);

/** Reads a flag that may be any text. @param {string} text @returns {string} */
export const stringCLAType = text => text;

/** The flags of every program. @type {CommandLineOptionSpec} */
export const CommandLineOptionDefs = [
  {
    name: 'keepalive',
    alias: 'k',
    type: booleanCLAType,
    typeLabel: '{underline [true | false]}',
    description:
      'Whether the program goes on when no event is pending, until its timeout or until it is killed. ' +
      'The default is false. Programs with physical actions mostly want true.',
  },
  {
    name: 'fast',
    alias: 'f',
    type: booleanCLAType,
    typeLabel: '{underline [true | false]}',
    description:
      'Whether logical time goes on without waiting for physical time. The default is false.',
  },
  {
    name: 'logging',
    alias: 'l',
    type: loggingCLAType,
    typeLabel: '{underline [ERROR | WARN | INFO | LOG | DEBUG]}',
    description: 'Which messages of the runtime are printed: those at least as severe as this.',
  },
  {
    name: 'timeout',
    alias: 'o',
    type: unitBasedTimeValueCLAType,
    typeLabel: "{underline '<duration> <units>'}",
    description:
      "The logical time at which the program ends, with a unit: nsec, usec, msec, sec, minute, hour, day or week, as in '5 sec', in quotes.",
  },
  {
    name: 'id',
    alias: 'i',
    type: stringCLAType,
    typeLabel: "{underline '<string>'}",
    description: 'The federation that a federated program joins.',
  },
  {
    name: 'help',
    alias: 'h',
    type: /** @type {any} */ (Boolean),
    description: 'Print this and do not run the program.',
  },
];

/** The sections of `--help`. @type {{ header: string, content?: string, optionList?: CommandLineOptionSpec }[]} */
export const CommandLineUsageDefs = [
  {
    header: 'Options of this program',
    content:
      'An option has a long form and a short one, and wins over what the program itself says.',
  },
  { header: 'Options', optionList: CommandLineOptionDefs },
];
