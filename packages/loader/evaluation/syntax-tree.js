// Walks a syntax tree of Babel's.

/** @typedef {{ type: string, start: number, end: number, [field: string]: any }} Node */

/**
 * Visit every node of a syntax tree, parents first.
 *
 * @param {unknown} node
 * @param {(node: Node, parent: Node | undefined) => boolean | void} visit  `false` skips its children
 * @param {Node} [parent]
 */
export const walk = (node, visit, parent) => {
  if (Array.isArray(node)) {
    for (const item of node) walk(item, visit, parent);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const found = /** @type {Node} */ (node);
  if (typeof found.type !== 'string') return;
  if (visit(found, parent) === false) return;
  for (const [field, value] of Object.entries(found)) {
    if (
      typeof value === 'object' &&
      !field.endsWith('omments') &&
      field !== 'loc' &&
      field !== 'tokens'
    ) {
      walk(value, visit, found);
    }
  }
};
