// Checks the arguments of the host's parts of devices.

import { quote, UserError } from '#model';

/**
 * @param {unknown} value
 * @param {string} what
 * @returns {bigint} a whole number from 0
 * @throws {RangeError}
 */
export const insistCount = (value, what) => {
  const isWhole =
    typeof value === 'bigint' ? value >= 0n : Number.isSafeInteger(value) && Number(value) >= 0;
  if (isWhole) return BigInt(/** @type {number | bigint} */ (value));
  throw new RangeError(`${what}: expected a whole number from 0, got ${typeof value}`);
};

/**
 * Insist on the function that the device gives its host when it is built.
 *
 * @template {Function} F
 * @param {F | undefined} callback
 * @param {string} device
 * @returns {F}
 * @throws {UserError} if there is no device yet
 */
export const insistCallback = (callback, device) => {
  if (callback !== undefined) return callback;
  throw new UserError(
    `the ${quote(device)} device is not there yet: its endowments go to makeSwingsetController(kernelStorage, { ${device}: endowments })`,
  );
};

/** Copy data by JSON, bigints as strings. @param {unknown} value */
export const copyJson = value =>
  value === undefined
    ? undefined
    : JSON.parse(
        JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? `${part}` : part)),
      );
