// Freezes values between reactors. Readers of a port get the value itself, not a copy, and several may read it at the
// same tag: some of them would see a change, in an order that nothing declares. So an object is frozen when it is
// written, as far as it is plain data; a reader that wants to change it takes a copy. A number or a string costs
// nothing.

/** Objects that are frozen with all their contents. @type {WeakSet<object>} */
const frozen = new WeakSet();

const { getPrototypeOf, getOwnPropertyDescriptors, getOwnPropertySymbols, freeze } = Object;

/**
 * Whether a value is plain data: an array, or an object without a class of its own, unlike a socket or a Map.
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
 * Freezes plain data at any depth. Other objects and their contents stay as they are.
 *
 * @param {object} value
 * @throws {unknown} if an object refuses to be frozen, as a proxy may
 */
export const freezeValue = value => {
  if (frozen.has(value) || !isPlain(value)) return;
  /** @type {object[]} */
  const found = [value];
  frozen.add(value);
  try {
    for (let next = 0; next < found.length; next += 1) freezeOne(found[next], found);
  } catch (error) {
    // The next write of an object that holds one of these must try again.
    for (const each of found) frozen.delete(each);
    throw error;
  }
};

/**
 * @param {any} at  plain
 * @param {object[]} found  the plain data that it holds is added
 */
const freezeOne = (at, found) => {
  freeze(at);
  if (Array.isArray(at)) {
    // Elements only: to list an array's keys takes ten times as long.
    for (let i = 0; i < at.length; i += 1) noteHeld(at[i], found);
    return;
  }
  // By descriptors, so that no getter is called.
  const descriptors = getOwnPropertyDescriptors(at);
  for (const { value } of Object.values(descriptors)) noteHeld(value, found);
  for (const symbol of getOwnPropertySymbols(at)) {
    noteHeld(descriptors[/** @type {any} */ (symbol)].value, found);
  }
};

/** @param {unknown} inner @param {object[]} found */
const noteHeld = (inner, found) => {
  if (!isPlain(inner) || frozen.has(inner)) return;
  frozen.add(inner);
  found.push(inner);
};

/**
 * A mutable copy of plain data, at any depth; other objects are shared with the copy.
 *
 * @template T
 * @param {T} value
 * @returns {T}
 */
export const copyValue = value => {
  if (!isPlain(value)) return value;
  /** Copies by their originals: the copy keeps shared and circular references. @type {Map<object, any>} */
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
