// Checks the arguments of devices' methods, which come from vats.

/**
 * @param {unknown} value
 * @param {string} what
 */
export const insistText = (value, what) => {
  if (typeof value !== 'string') throw TypeError(`${what} must be a text, got ${typeof value}`);
  return value;
};

/**
 * A whole number; vats of today may give a bigint.
 *
 * @param {unknown} value
 * @param {string} what
 */
export const insistCount = (value, what) => {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0) {
    const got = typeof value === 'number' ? value : typeof value;
    throw TypeError(`${what} must be a whole number from 0, got ${got}`);
  }
  return number;
};

/**
 * Format a value as JSON for the host; undefined stays undefined.
 *
 * @param {unknown} value  data of a vat
 * @param {string} what
 * @returns {string | undefined}
 */
export const formatForHost = (value, what) => {
  try {
    return JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? `${inner}` : inner));
  } catch {
    throw TypeError(`${what} must be data that JSON can hold`);
  }
};
