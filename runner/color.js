// Colours for terminals; files and pipes get none. FORCE_COLOR and NO_COLOR override this, as
// https://force-color.org and https://no-color.org specify.

import { styleText } from 'node:util';

/** @typedef {Parameters<typeof styleText>[0]} Format  a format of `node:util` */

/** @typedef {(format: Format, text: string) => string} Paint  the text must already be safe for a terminal */

/**
 * Whether a stream is a terminal that understands control sequences.
 *
 * @param {{ isTTY?: boolean }} stream
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {boolean}
 */
export const isScreen = (stream, { TERM: terminal } = process.env) =>
  terminal !== 'dumb' && stream.isTTY === true;

/**
 * Whether output to a stream gets colours.
 *
 * @param {{ isTTY?: boolean }} stream
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {boolean}
 */
export const hasColors = (stream, env = process.env) => {
  const { FORCE_COLOR: forced, NO_COLOR: none } = env;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (none !== undefined && none !== '') return false;
  return isScreen(stream, env);
};

/**
 * @param {{ isTTY?: boolean }} stream
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Paint}
 */
export const makePaint = (stream, env) => {
  if (!hasColors(stream, env)) return (_format, text) => text;
  // `hasColors` has tested the stream, by the same rule on every Node.
  return (format, text) => styleText(format, text, { validateStream: false });
};

/** Lines of a report that get a colour, by the beginning of the line. @type {[RegExp, Format][]} */
const reportLines = [
  [/^-[- ]*$/, 'dim'],
  [/^(bootstrap: (rejected|still pending)|rounds: .*(rejected|did not finish))/, 'red'],
  [/^(bootstrap|rounds): /, 'green'],
  [/^activity hash: /, 'cyan'],
];

/**
 * Colours a report for the screen: heads of tables, successes and failures.
 *
 * @param {string} text  safe for a terminal
 * @param {Paint} paint
 * @returns {string}
 */
export const paintReport = (text, paint) => {
  const lines = text.split('\n');
  return lines
    .map((line, i) => {
      const isHead = line !== '' && /^-[- ]*$/.test(lines[i + 1] ?? '');
      const format = isHead ? 'bold' : reportLines.find(([pattern]) => pattern.test(line))?.[1];
      return format === undefined ? line : paint(format, line);
    })
    .join('\n');
};
