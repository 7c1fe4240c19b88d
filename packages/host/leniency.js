// Chooses whether objects of methods that nobody declared `Far` pass by reference. The choice is made with a state and kept with
// it, so that a resumed or repeated run passes what it passed before.

import { UserError } from '#model';
import { readProgram } from './new-state.js';

/** @import { HostValues } from './new-state.js' */

/** @typedef {{ lenient?: boolean }} LeniencyOptions */

/**
 * For a new state. Lenient is what a state of profile 2020-09 always is; of others what the option says, or the config.
 *
 * @param {{ lenient?: boolean } | undefined} config
 * @param {LeniencyOptions} options
 * @param {'current' | '2020-09'} profile
 * @returns {boolean}
 * @throws {UserError} profile 2020-09 is asked to be strict
 */
export const chooseLenient = (config, { lenient }, profile) => {
  if (profile !== '2020-09') return lenient ?? config?.lenient ?? false;
  if (lenient !== false) return true;
  throw new UserError(
    'profile 2020-09 always passes objects that nobody declared Far(), as SwingSet did then; leave --no-lenient (the option "lenient") out, or take profile current',
  );
};

/**
 * For a resumed state.
 *
 * @param {HostValues} kernel
 * @param {LeniencyOptions} options
 * @throws {UserError} the option asks for another rule than the state was made with
 */
export const insistSameLeniency = (kernel, { lenient }) => {
  const wasLenient = readProgram(kernel).strict !== true;
  if (lenient === undefined || lenient === wasLenient) return;
  const [made, asked] = wasLenient ? ['lenient', '--no-lenient'] : ['strict', '--lenient'];
  throw new UserError(
    `the state was made ${made}, and stays so; leave ${asked} (the option "lenient") out to resume it, or start anew with --init`,
  );
};
