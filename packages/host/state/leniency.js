// Chooses whether objects with methods pass by reference without `Far`. The choice is stored in the state, so that a
// resumed or repeated run behaves as before.

import { UserError } from '#model';
import { readProgram } from './new-state.js';

/** @import { HostValues } from './new-state.js' */

/** @typedef {{ lenient?: boolean }} LeniencyOptions */

/**
 * Choose for a new state. A state of profile 2020-09 is always lenient; for others the option decides, or else the
 * config.
 *
 * @param {{ lenient?: boolean } | undefined} config
 * @param {LeniencyOptions} options
 * @param {'current' | '2020-09'} profile
 * @returns {boolean}
 * @throws {UserError} if profile 2020-09 is to be strict
 */
export const chooseLenient = (config, { lenient }, profile) => {
  if (profile !== '2020-09') return lenient ?? config?.lenient ?? false;
  if (lenient !== false) return true;
  throw new UserError(
    'profile 2020-09 always passes objects that nobody declared Far(), as SwingSet did then; leave --no-lenient (the option "lenient") out, or take profile current',
  );
};

/**
 * Check the option for a resumed state.
 *
 * @param {HostValues} kernel
 * @param {LeniencyOptions} options
 * @throws {UserError} if the option differs from the state's
 */
export const insistSameLeniency = (kernel, { lenient }) => {
  const wasLenient = readProgram(kernel).strict !== true;
  if (lenient === undefined || lenient === wasLenient) return;
  const [made, asked] = wasLenient ? ['lenient', '--no-lenient'] : ['strict', '--lenient'];
  throw new UserError(
    `the state was made ${made}, and stays so; leave ${asked} (the option "lenient") out to resume it, or start anew with --init`,
  );
};
