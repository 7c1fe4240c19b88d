// Finds the names of all parts of a reactor in one walk over its fields. `ReactorNode.pathOf` finds one at a time, by
// the same rules; for a bank of thousands that would be a walk for each member.

/** @import { Reactor } from './reactor.js' */

/**
 * Reads a field without running a getter: names of reactors are also needed outside of cranks, where no code of a vat
 * may run.
 *
 * @param {object} holder
 * @param {PropertyKey} key
 * @returns {any}
 */
export const readOwn = (holder, key) => Object.getOwnPropertyDescriptor(holder, key)?.value;

/** Depth of nested lists, at most, since a list may contain itself. */
const deepest = 8;

/**
 * Names the parts in a reactor's fields, and in lists and banks there, by the field: `stages[2]`. A part with several
 * names gets the first.
 *
 * @param {Reactor} reactor
 * @returns {Map<object, string>}
 */
export const namesIn = reactor => {
  /** @type {Map<object, string>} */
  const names = new Map();
  for (const name of Object.keys(reactor)) addNames(names, name, readOwn(reactor, name), 0);
  return names;
};

/**
 * @param {Map<object, string>} names
 * @param {string} name
 * @param {any} value
 * @param {number} depth
 */
const addNames = (names, name, value, depth) => {
  if (value === null || typeof value !== 'object') return;
  const list = Array.isArray(value) ? value : readOwn(value, 'members');
  if (!Array.isArray(list)) {
    if (!names.has(value)) names.set(value, name);
  } else if (depth < deepest) {
    for (let i = 0; i < list.length; i += 1)
      addNames(names, `${name}[${i}]`, readOwn(list, i), depth + 1);
  }
};
