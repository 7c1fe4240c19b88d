// The names of all that a reactor holds, found in one walk over its fields. `ReactorNode.pathOf` finds one at a time, by
// the same rules; for a bank of thousands that would be a walk for each member.

/** @import { Reactor } from './reactor.js' */

/** Lists in lists: a field may hold a list that holds itself. */
const deepest = 8;

/**
 * What lies in a reactor's fields, and in lists and banks there, by the name of the field: `stages[2]`. Of several names
 * the first counts.
 *
 * @param {Reactor} reactor
 * @returns {Map<object, string>}
 */
export const namesIn = reactor => {
  /** @type {Map<object, string>} */
  const names = new Map();
  for (const [name, value] of Object.entries(reactor)) addNames(names, name, value, 0);
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
  const list = Array.isArray(value) ? value : value.members;
  if (!Array.isArray(list)) {
    if (!names.has(value)) names.set(value, name);
  } else if (depth < deepest) {
    list.forEach((item, i) => addNames(names, `${name}[${i}]`, item, depth + 1));
  }
};
