// Bounds on what a device keeps and hands out. A device often uses what vats gave it as a key or a name. A store takes no other
// keys than these, and would refuse them only when the block is written.

import { findTextProblem } from '#kernel';

/** @import { Kernel } from '#kernel' */

/** @typedef {ReturnType<Kernel['devicePowers']>} DevicePowers */

/**
 * @param {unknown} text
 * @param {'key' | 'value'} what
 */
const insistText = (text, what) => {
  if (typeof text !== 'string')
    throw TypeError(`a ${what} of a device's store must be a string, got ${typeof text}`);
  const problem = findTextProblem(text, what);
  if (problem !== undefined)
    throw TypeError(problem.replace("the vat's store", "a device's store"));
};

/**
 * Powers whose user learns at once that a key, a value or what is handed out cannot be kept.
 *
 * @param {DevicePowers} powers
 * @returns {DevicePowers}
 */
export const boundPowers = powers =>
  Object.freeze({
    ...powers,
    set(key, value) {
      insistText(key, 'key');
      insistText(value, 'value');
      powers.set(key, value);
    },
    delete(key) {
      insistText(key, 'key');
      powers.delete(key);
    },
    handOut(data) {
      if (typeof data !== 'string')
        throw TypeError(`a device hands out strings, got ${typeof data}`);
      powers.handOut(data);
    },
    outside(deed) {
      if (deed[0] !== 'send') insistText(deed[1], 'key');
      if (deed[0] === 'set') insistText(deed[2], 'value');
      powers.outside(deed);
    },
  });
