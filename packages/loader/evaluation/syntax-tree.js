// Walks a syntax tree of Babel's, and bounds its depth.

/** @typedef {{ type: string, start: number, end: number, [field: string]: any }} Node */

/** Whether a field may have nodes. @param {string} field */
const mayHaveNodes = field => !field.endsWith('omments') && field !== 'loc' && field !== 'tokens';

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
    if (typeof value === 'object' && mayHaveNodes(field)) walk(value, visit, found);
  }
};

/**
 * Levels of nested nodes and parentheses that a module may have. No program of 7,800 files of npm has more than 220. What
 * reads a deeper one, ours, Babel or the engine, may run out of stack, which depends on the thread and on what the engine
 * has compiled; a module would be taken in one run and refused in another.
 */
export const mostLevels = 250;

/**
 * The parentheses around a node, or more if comments between them have some.
 *
 * @param {Node} node
 * @param {string} text
 */
const countParentheses = ({ start, extra }, text) =>
  extra?.parenthesized ? text.slice(extra.parenStart, start).split('(').length - 1 : 0;

/**
 * Whether a tree has more levels than `mostLevels`. It takes no more of the stack for a deep tree.
 *
 * @param {Node} program
 * @param {string} text
 */
export const isTooDeep = (program, text) => {
  const nodes = [program];
  const depths = [1];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    const depth = /** @type {number} */ (depths.pop()) + countParentheses(node, text);
    if (depth > mostLevels) return true;
    for (const [field, value] of Object.entries(node)) {
      if (typeof value !== 'object' || value === null || !mayHaveNodes(field)) continue;
      for (const inner of Array.isArray(value) ? value : [value]) {
        if (typeof inner?.type !== 'string') continue;
        nodes.push(inner);
        depths.push(depth + 1);
      }
    }
  }
  return false;
};
