// Writes a command's output. A result goes to standard output: for people as text, with --json as one value of JSON that
// stands there alone. All else goes to standard error, and --quiet leaves out of it what is no problem.

import { showLines, showText, UserError } from '#model';
import { makePaint } from './color.js';

/** @import { Flags } from './cli.js' */
/** @import { Paint } from './color.js' */

/** Null stands for numbers that JSON does not have: what grew from nothing has no share. @param {string} _key @param {unknown} value */
const replacer = (_key, value) => {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' && !Number.isFinite(value) ? null : value;
};

/** @param {unknown} value @returns {string} JSON and the end of the line */
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

  /** @param {string} line  something that went wrong, or may have */
  const tell = line => {
    stderr.write(`${showLines(line)}\n`);
  };

  return Object.freeze({
    isJson,
    isQuiet,
    paint,

    /**
     * Write a part of a long text for people. A reader that closes the pipe (`| head`) ends the process: it has seen enough.
     *
     * @param {string} text  safe for a terminal
     * @returns {Promise<void>} once the reader has had a chance to say so
     */
    async write(text) {
      stdout.write(text, error => {
        if (/** @type {NodeJS.ErrnoException | null | undefined} */ (error)?.code === 'EPIPE')
          process.exit();
      });
      await new Promise(resolve => setImmediate(resolve));
    },

    /**
     * Give the command's result.
     *
     * @param {unknown} value  what --json tells; plain data
     * @param {string | ((paint: Paint) => string)} text  what people are told; a function makes text that is safe already, with
     *   colours
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
     * @throws {UserError} the message, unless JSON tells it; exit code 1
     */
    fail(value, message) {
      if (!isJson) throw new UserError(message, { exitCode: 1 });
      stdout.write(showText(formatJson(value)));
      process.exitCode = 1;
    },

    /** @param {string} text  for people: nothing of it with --json */
    print(text) {
      if (!isJson) stdout.write(showText(text));
    },

    tell,

    /** @param {string} line  what is good to know: nothing of it with --quiet */
    note(line) {
      if (!isQuiet) tell(line);
    },
  });
};

/** @typedef {ReturnType<typeof makeOutput>} Output */
