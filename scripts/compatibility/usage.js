// The command lines of the programs of this folder. Wrong arguments: one line, and exit code 2.

import { resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

/** @param {string} text @returns {never} */
export const fail = text => {
  console.error(text);
  process.exit(2);
};

/**
 * @param {string} name  of a flag
 * @param {string} text  its value
 * @returns {number} a whole number from 1; with anything else the program ends
 */
export const readCount = (name, text) => {
  const count = Number(text);
  return Number.isSafeInteger(count) && count > 0
    ? count
    : fail(`--${name} must be a whole number from 1, got ${text}`);
};

/**
 * Reads the command line of a comparison of random programs with today's SwingSet: `--sdk DIR`, counts, and flags of its own.
 * With `--help`, or a wrong argument, the program ends.
 *
 * @template {string} Name
 * @param {string} folder  of the command
 * @param {Record<Name, number>} counts  with their defaults
 * @param {Record<string, { takes?: string }>} [flags]  `takes` names a value
 * @returns {{ sdk: string, counts: Record<Name, number>, flags: Record<string, any> }}
 */
export const readCommandLine = (folder, counts, flags = {}) => {
  const names = /** @type {Name[]} */ (Object.keys(counts));
  const parts = [
    `usage: node scripts/compatibility/${folder}/main.js --sdk DIR`,
    ...names.map(name => `[--${name} ${name === 'first' ? 'SEED' : 'N'}]`),
    ...Object.entries(flags).map(([name, { takes }]) => `[--${name}${takes ? ` ${takes}` : ''}]`),
  ];
  const usage = parts.join(' ');
  const options = Object.fromEntries([
    ['sdk', { type: 'string' }],
    ['help', { type: 'boolean' }],
    ...names.map(name => [name, { type: 'string', default: String(counts[name]) }]),
    ...Object.entries(flags).map(([name, { takes }]) => [
      name,
      { type: takes === undefined ? 'boolean' : 'string' },
    ]),
  ]);
  const values = parseOrFail(options, usage);
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  return {
    sdk: resolve(values.sdk ?? fail(usage)),
    counts: /** @type {Record<Name, number>} */ (
      Object.fromEntries(names.map(name => [name, readCount(name, values[name])]))
    ),
    flags: values,
  };
};

/** @param {import('node:util').ParseArgsConfig['options']} options @param {string} usage @returns {Record<string, any>} */
const parseOrFail = (options, usage) => {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return fail(`${/** @type {Error} */ (error).message}\n${usage}`);
  }
};
