// Flattens lists of ports, triggers and the like, which authors may nest.

/**
 * @param {any} list  an item, or a list of items and lists
 * @returns {any[]}
 */
export const flat = list => (list === undefined ? [] : flatten(list));

/**
 * @param {any} list
 * @returns {any[]}
 */
export const flatten = list => {
  /** @type {any[]} */
  const items = [];
  addFlat(list, items);
  return items;
};

/** @param {any} list @param {any[]} items */
const addFlat = (list, items) => {
  if (!Array.isArray(list)) items.push(list);
  // Holes are passed over.
  else list.forEach(item => addFlat(item, items));
};
