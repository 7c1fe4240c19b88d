// Rows of a state may be anything, whoever wrote them: what cannot be read is told in one line. Checksums of the store find
// damage before, but not what another program wrote there.

import { isRecord, quote, UserError } from '#model';

const usualAdvice = 'restore a copy, or start afresh';

/**
 * Read a part of a state, all of it.
 *
 * @template T
 * @param {string} what  with its verb: `the state is`
 * @param {() => T} read
 * @param {string} [advice]
 * @returns {T}
 * @throws {UserError} if reading throws
 */
export const readWhole = (what, read, advice = usualAdvice) => {
  try {
    return read();
  } catch (error) {
    if (error instanceof UserError) throw error;
    const { message } = /** @type {Error} */ (error);
    throw new UserError(`${what} damaged: ${message}; ${advice}`, { exitCode: 1, cause: error });
  }
};

/**
 * Parse a row of the host's that holds a JSON object.
 *
 * @param {string} key
 * @param {string | undefined} text  undefined: there is no such row
 * @returns {any}
 * @throws {UserError} if it holds anything else
 */
export const readObjectRow = (key, text) =>
  readWhole(`the state's ${quote(key.slice(0, 200))} is`, () => {
    if (text === undefined) throw Error('it is missing');
    const value = JSON.parse(text);
    if (!isRecord(value)) throw Error('it must hold an object');
    return value;
  });
