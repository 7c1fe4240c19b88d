// Finds the strongly connected components of a graph by Tarjan's algorithm (Depth-First Search and Linear Graph
// Algorithms, 1972), without recursion, since a graph may be a long chain.

/**
 * @param {readonly string[]} nodes
 * @param {(node: string) => Iterable<string>} edgesOf  successors of a node; those not in `nodes` are ignored
 * @returns {string[][]}  groups of at least two nodes; groups and their nodes are in the order of `nodes`
 */
export const findGroups = (nodes, edgesOf) => {
  const order = new Map(nodes.map((node, i) => [node, i]));
  /** @type {Map<string, number>} */
  const found = new Map();
  /** @type {Map<string, number>} */
  const lowest = new Map();
  /** @type {string[]} */
  const stack = [];
  const onStack = new Set();
  /** @type {string[][]} */
  const groups = [];

  /** @param {string} node */
  const enter = node => {
    found.set(node, found.size);
    lowest.set(node, found.size - 1);
    stack.push(node);
    onStack.add(node);
    return { node, edges: edgesOf(node)[Symbol.iterator]() };
  };
  const lower = (/** @type {string} */ node, /** @type {number} */ value) =>
    lowest.set(node, Math.min(/** @type {number} */ (lowest.get(node)), value));

  for (const start of nodes) {
    if (found.has(start)) continue;
    const path = [enter(start)];
    while (path.length > 0) {
      const { node, edges } = path[path.length - 1];
      const { done, value: next } = edges.next();
      if (!done) {
        if (!order.has(next)) continue;
        if (!found.has(next)) path.push(enter(next));
        else if (onStack.has(next)) lower(node, /** @type {number} */ (found.get(next)));
        continue;
      }
      path.pop();
      const low = /** @type {number} */ (lowest.get(node));
      if (path.length > 0) lower(path[path.length - 1].node, low);
      if (low !== found.get(node)) continue;
      const group = stack.splice(stack.indexOf(node));
      for (const each of group) onStack.delete(each);
      if (group.length > 1) groups.push(group);
    }
  }
  const place = (/** @type {string} */ node) => /** @type {number} */ (order.get(node));
  for (const group of groups) group.sort((left, right) => place(left) - place(right));
  return groups.sort(([left], [right]) => place(left) - place(right));
};
