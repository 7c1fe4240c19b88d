// Values between reactors. Whoever reads a port gets the value itself, not a copy, and others may read it at the same tag:
// a change would be seen by some of them, in an order that nothing declares. So an object is frozen when it is written, as
// far as it is plain data; whoever wants to change it takes a copy. A number or a string costs nothing.

/** Objects that are frozen, with all that is in them. @type {WeakSet<object>} */
const frozen = new WeakSet();

const { getPrototypeOf, getOwnPropertyDescriptors, freeze } = Object;

/**
 * Arrays, and objects without a class of their own. Anything else is somebody's: a socket, a Map, an instance of a class.
 *
 * @param {unknown} value
 * @returns {value is object}
 */
const isPlain = value => {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype = getPrototypeOf(value);
  return prototype === null || getPrototypeOf(prototype) === null;
};

/**
 * Freeze plain data at any depth. What is not plain data stays as it is, and what it holds.
 *
 * @param {object} value
 */
export const freezeValue = value => {
  if (frozen.has(value) || !isPlain(value)) return;
  /** @type {object[]} */
  const found = [value];
  frozen.add(value);
  for (let at = found.pop(); at !== undefined; at = found.pop()) {
    freeze(at);
    // Descriptors, so that no getter is called; in an array there are none.
    const held = Array.isArray(at) ? at : Object.values(getOwnPropertyDescriptors(at));
    for (let i = 0; i < held.length; i += 1) {
      const inner = held === at ? held[i] : held[i].value;
      if (isPlain(inner) && !frozen.has(inner)) {
        frozen.add(inner);
        found.push(inner);
      }
    }
  }
};

/**
 * A copy of plain data that may be changed, at any depth; what is not plain data is the same in the copy.
 *
 * @template T
 * @param {T} value
 * @returns {T}
 */
export const copyValue = value => {
  if (!isPlain(value)) return value;
  /** Copies by their originals: shared and circular references stay so in the copy. @type {Map<object, any>} */
  const copies = new Map();
  /** @type {object[]} */
  const waiting = [];
  const provideCopy = (/** @type {any} */ item) => {
    if (!isPlain(item)) return item;
    let copy = copies.get(item);
    if (copy === undefined) {
      copy = Array.isArray(item) ? new Array(item.length) : Object.create(getPrototypeOf(item));
      copies.set(item, copy);
      waiting.push(item);
    }
    return copy;
  };
  const result = provideCopy(value);
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    const copy = copies.get(item);
    const descriptors = /** @type {Record<PropertyKey, PropertyDescriptor>} */ (
      getOwnPropertyDescriptors(item)
    );
    for (const key of Reflect.ownKeys(descriptors)) {
      const { value: inner, get, set, enumerable } = descriptors[/** @type {string} */ (key)];
      if (key === 'length' && Array.isArray(item)) continue;
      Object.defineProperty(
        copy,
        key,
        get !== undefined || set !== undefined
          ? { get, set, enumerable, configurable: true }
          : { value: provideCopy(inner), enumerable, writable: true, configurable: true },
      );
    }
  }
  return result;
};
