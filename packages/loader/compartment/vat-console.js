// The console of a vat: five methods, each of which formats its arguments as one string and gives it to the host. It
// has no other authority, and the format of a value depends on the value only.

import { formatLog } from './format-log.js';

/** @typedef {'debug' | 'log' | 'info' | 'warn' | 'error'} ConsoleLevel */

/**
 * @callback WriteConsole
 * @param {ConsoleLevel} level
 * @param {string} text  may hold line breaks of the vat
 * @returns {void}
 */

/** @type {ConsoleLevel[]} */
const levels = ['debug', 'log', 'info', 'warn', 'error'];

/**
 * @param {WriteConsole} write
 * @returns {Record<ConsoleLevel, (...args: unknown[]) => void>}
 */
export const makeVatConsole = write => {
  const methods = levels.map(level => {
    // A concise method has no `prototype` to harden, and carries its own name.
    const { [level]: method } = {
      /** @param {unknown[]} args */
      [level](...args) {
        write(level, formatLog(args));
      },
    };
    return /** @type {const} */ ([level, method]);
  });
  return harden(/** @type {any} */ (Object.fromEntries(methods)));
};
