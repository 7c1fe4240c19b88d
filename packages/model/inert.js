// Reading what untrusted code made, without running any of it: data properties by descriptor, never a getter, and for a
// caller that can tell proxies (`isOpaque`) no trap either. Everything here is total: what cannot be read is undefined, and
// nothing throws. Without `isOpaque` a proxy's traps run, so such a caller must be the vat's own side, where whatever they
// do is part of the crank.

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;

/** Longer chains of prototypes are nobody's. */
const maxChain = 100;

/** @typedef {(value: object) => boolean} IsOpaque  whether looking at an object could run code, as for a proxy */

/** @type {IsOpaque} */
const nothingIsOpaque = () => false;

/**
 * @param {unknown} value
 * @returns {value is object}
 */
const isObject = value =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/**
 * Reads a property without running code. After lockdown, properties of shared prototypes are accessors whose getter carries
 * the value.
 *
 * @param {PropertyDescriptor} found
 * @param {IsOpaque} isOpaque
 */
const dataOf = (found, isOpaque) => {
  if ('value' in found) return found.value;
  const { get } = found;
  if (get === undefined || isOpaque(get)) return undefined;
  return getOwnPropertyDescriptor(get, 'originalValue')?.value;
};

/**
 * The value of a data property, own or inherited.
 *
 * @param {unknown} value  anything
 * @param {PropertyKey} key
 * @param {IsOpaque} [isOpaque]
 * @returns {unknown}
 */
export const findData = (value, key, isOpaque = nothingIsOpaque) => {
  try {
    let holder = value;
    for (let depth = 0; depth < maxChain && isObject(holder) && !isOpaque(holder); depth += 1) {
      const found = getOwnPropertyDescriptor(holder, key);
      if (found !== undefined) return dataOf(found, isOpaque);
      holder = getPrototypeOf(holder);
    }
  } catch {
    // A trap, or a module that is not initialised.
  }
  return undefined;
};

/**
 * As `instanceof`, but that no class is asked.
 *
 * @param {unknown} value  anything
 * @param {object} prototype
 * @param {IsOpaque} [isOpaque]
 * @returns {boolean}
 */
export const inheritsFrom = (value, prototype, isOpaque = nothingIsOpaque) => {
  try {
    let holder = value;
    for (let depth = 0; depth < maxChain && isObject(holder) && !isOpaque(holder); depth += 1) {
      holder = getPrototypeOf(holder);
      if (holder === prototype) return true;
    }
  } catch {
    // A trap.
  }
  return false;
};

/**
 * @param {unknown} value  anything
 * @param {IsOpaque} [isOpaque]
 * @returns {value is Error}
 */
export const isErrorLike = (value, isOpaque) => inheritsFrom(value, Error.prototype, isOpaque);

/** Stands in for a name or a message that is not plain data. */
const unreadable = 'not readable';

/**
 * A primitive as text.
 *
 * @param {unknown} value
 * @param {string} otherwise
 */
const textOf = (value, otherwise) =>
  typeof value === 'string' ? value : isObject(value) ? otherwise : String(value);

/**
 * Name and message of an error, or of what has the looks of one.
 *
 * @param {unknown} error  anything
 * @param {IsOpaque} [isOpaque]
 * @returns {{ name: string, message: string }}
 */
export const readError = (error, isOpaque) => {
  const name = findData(error, 'name', isOpaque);
  const message = findData(error, 'message', isOpaque);
  return {
    name: name === undefined ? 'Error' : textOf(name, 'Error'),
    message: message === undefined ? unreadable : textOf(message, unreadable),
  };
};

/**
 * Describes what was thrown, as the end of a sentence: the message of an error, or the value if it is a primitive.
 *
 * @param {unknown} thrown  anything
 * @param {IsOpaque} [isOpaque]
 * @returns {string}
 */
export const tellThrown = (thrown, isOpaque) => {
  if (!isObject(thrown)) return String(thrown);
  const message = findData(thrown, 'message', isOpaque);
  return message === undefined ? 'what was thrown is no error' : textOf(message, unreadable);
};
