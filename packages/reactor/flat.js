// Lists of ports, triggers and the like as authors give them: nested as they please.

/**
 * @param {any} list  one, or a list of ones and lists
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
