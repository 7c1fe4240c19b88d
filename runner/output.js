// Writes a command's output. The result goes to standard output: as text, or with --json as a
// single value of JSON. All else goes to standard error; with --quiet only problems do.

import { showLines, showText, UserError } from '#model';
import { makePaint } from './color.js';

/** @import { Flags } from './cli.js' */
/** @import { Paint } from './color.js' */

/** Numbers that JSON cannot express become null, such as the change of a figure that was 0. @param {string} _key @param {unknown} value */
const replacer = (_key, value) => {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' && !Number.isFinite(value) ? null : value;
};

/** @param {unknown} value @returns {string} JSON with a newline at its end */
export const formatJson = value => `${JSON.stringify(value, replacer, 2)}\n`;

/**
 * @param {Flags} flags
 * @param {object} [streams]
 * @param {Pick<NodeJS.WriteStream, 'write' | 'isTTY'>} [streams.stdout]
 * @param {Pick<NodeJS.WriteStream, 'write' | 'isTTY'>} [streams.stderr]
 */
export const makeOutput = (
  { json = false, quiet = false },
  { stdout = process.stdout, stderr = process.stderr } = {},
) => {
  const isJson = Boolean(json);
  const isQuiet = Boolean(quiet);
  const paint = makePaint(stdout);

  /** @param {string} line  a problem, or a possible one */
  const tell = line => {
    stderr.write(`${showLines(line)}\n`);
  };

  return Object.freeze({
    isJson,
    isQuiet,
    paint,

    /**
     * Write a part of a long text.
     *
     * @param {string} text  safe for a terminal
     * @returns {Promise<void>} settles when a closed pipe would have been noticed, which ends the
     *   process
     */
    async write(text) {
      stdout.write(text);
      await new Promise(resolve => setImmediate(resolve));
    },

    /**
     * Give the command's result.
     *
     * @param {unknown} value  plain data for --json
     * @param {string | ((paint: Paint) => string)} text  the text for people; a function returns
     *   text with colours, which must be safe for a terminal
     */
    give(value, text) {
      if (isJson) stdout.write(showText(formatJson(value)));
      else stdout.write(typeof text === 'string' ? showText(text) : text(paint));
    },

    /**
     * Give a result that makes the command fail.
     *
     * @param {unknown} value
     * @param {string} message  for people
     * @throws {UserError} with the message, unless --json prints it; exit code 1
     */
    fail(value, message) {
      if (!isJson) throw new UserError(message, { exitCode: 1 });
      stdout.write(showText(formatJson(value)));
      process.exitCode = 1;
    },

    /** @param {string} text  not printed with --json */
    print(text) {
      if (!isJson) stdout.write(showText(text));
    },

    tell,

    /** @param {string} line  a note, not printed with --quiet */
    note(line) {
      if (!isQuiet) tell(line);
    },
  });
};

/** @typedef {ReturnType<typeof makeOutput>} Output */
