// Tells plain records from other values: JSON objects, options bags and fields of untrusted data.

/**
 * Whether a value is an object and neither null nor an array. It reads no property, so it runs no code of the value.
 *
 * @param {unknown} value
 * @returns {value is Record<string, any>}
 */
export const isRecord = value =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
