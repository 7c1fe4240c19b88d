// Levels of a precedence graph: the level of a node is the length of the longest path to it, so everything that a node
// depends on has a lower level. The graph is never built: `successors` and `predecessors` walk it, so a million
// channels cost no more than the arrays that connect them.

/**
 * @template N
 * @typedef {object} Graph
 * @property {(node: N, visit: (successor: N) => void) => void} successors  an edge may be visited more than once, if
 *   `predecessors` visits it as often
 * @property {(node: N, visit: (predecessor: N) => void) => void} predecessors
 * @property {(node: N) => number} levelOf
 * @property {(node: N, level: number) => void} setLevel
 */

/**
 * All nodes that can be reached from some nodes, including these, in the order in which they are found.
 *
 * @template N
 * @param {Iterable<N>} from
 * @param {Graph<N>['successors']} successors
 */
const reach = (from, successors) => {
  /** @type {Set<N>} */
  const found = new Set(from);
  // Iteration of a Set includes elements added meanwhile.
  for (const node of found) successors(node, next => void found.add(next));
  return found;
};

/**
 * Gives the nodes `changed`, and all that depend on them, the level of the longest path. The other nodes keep their
 * levels, which must be right; so only nodes that the change can reach are visited.
 *
 * @template N
 * @param {Iterable<N>} changed  nodes that are new or have other predecessors than before
 * @param {Graph<N>} graph
 * @returns {N[] | undefined} a cycle, each node before its successor and the last before the first; undefined if there
 *   is none
 */
export const updateLevels = (changed, { successors, predecessors, levelOf, setLevel }) => {
  const affected = reach(changed, successors);
  /** @type {Map<N, number>} predecessors that have no level yet */
  const waiting = new Map();
  /** @type {Map<N, number>} */
  const levels = new Map();
  /** @type {N[]} */
  const ready = [];
  for (const node of affected) {
    let count = 0;
    let level = 0;
    predecessors(node, before => {
      if (affected.has(before)) count += 1;
      else level = Math.max(level, levelOf(before) + 1);
    });
    levels.set(node, level);
    waiting.set(node, count);
    if (count === 0) ready.push(node);
  }
  let done = 0;
  for (; done < ready.length; done += 1) {
    const node = ready[done];
    const level = /** @type {number} */ (levels.get(node));
    setLevel(node, level);
    successors(node, next => {
      const left = /** @type {number} */ (waiting.get(next)) - 1;
      waiting.set(next, left);
      if (/** @type {number} */ (levels.get(next)) <= level) levels.set(next, level + 1);
      if (left === 0) ready.push(next);
    });
  }
  if (done === affected.size) return undefined;
  const stuck = new Set();
  for (const [node, count] of waiting) if (count > 0) stuck.add(node);
  return findCycle(stuck, predecessors);
};

/**
 * Finds a cycle among nodes that each wait for another of them.
 *
 * @template N
 * @param {Set<N>} stuck
 * @param {Graph<N>['predecessors']} predecessors
 */
const findCycle = (stuck, predecessors) => {
  // Each stuck node waits for a stuck node, so following predecessors from any of them ends in a cycle.
  /** @type {Map<N, number>} node → its index on the path */
  const places = new Map();
  /** @type {N[]} */
  const way = [];
  let [node] = stuck;
  while (!places.has(node)) {
    places.set(node, way.length);
    way.push(node);
    /** @type {N | undefined} */
    let before;
    predecessors(node, candidate => {
      if (before === undefined && stuck.has(candidate)) before = candidate;
    });
    node = /** @type {N} */ (before);
  }
  return way.slice(places.get(node)).reverse();
};
