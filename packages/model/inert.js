// Reads values of untrusted code without running any of it: data properties by descriptor, never a getter, and no trap
// either if the caller can recognise proxies (`isOpaque`). Everything here is total: unreadable parts are undefined,
// and nothing throws. Without `isOpaque` a proxy's traps run, so such a caller must be on the vat's own side, where
// their effects are part of the crank.

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;

/** Prototypes that are followed, at most. */
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
 * Reads a property without running code. Lockdown makes properties of shared prototypes accessors, whose getter carries
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
    // Thrown by a trap, or by a module that is not initialised.
  }
  return undefined;
};

/**
 * Like `instanceof`, but without calling a class's own method.
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
    // Thrown by a trap.
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
 * Name and message of an error, or of an object that looks like one.
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
