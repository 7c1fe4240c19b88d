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

/** Up to so many changed nodes are settled one after the other; more are numbered together with all that they reach. */
const fewNodes = 8;

/**
 * Gives the nodes `changed`, and all that depend on them, the level of the longest path. The other nodes must have the
 * levels that follow from those of their predecessors. If few nodes changed, only nodes whose level changes are visited,
 * and their successors.
 *
 * @template N
 * @param {Iterable<N>} changed  nodes that are new or have other predecessors than before
 * @param {Graph<N>} graph
 * @returns {N[] | undefined} a cycle, each node before its successor and the last before the first; undefined if there
 *   is none
 */
export const updateLevels = (changed, graph) => {
  const nodes = [...changed];
  if (nodes.length > fewNodes) return numberAll(nodes, graph);
  // In the order of their levels, so that what follows several of them is mostly moved once.
  nodes.sort((a, b) => graph.levelOf(a) - graph.levelOf(b));
  const open = new Set(nodes);
  for (const node of nodes) {
    open.delete(node);
    // Only a cycle leads back to a node; the search for it begins anew.
    if (!settle(node, open, graph)) return numberAll(nodes, graph);
  }
  return undefined;
};

/**
 * Gives a node its level, and moves what depends on it as far as levels change, in the order of the levels so far: it
 * is right for all edges but those to the node itself.
 *
 * @template N
 * @param {N} first
 * @param {ReadonlySet<N>} open  changed nodes whose turn comes later; until then they stay where they are
 * @param {Graph<N>} graph
 * @returns {boolean} false if a node comes after itself
 */
const settle = (first, open, { successors, predecessors, levelOf, setLevel }) => {
  /** Nodes to visit, by their level so far. @type {Map<number, N[]>} */
  const waiting = new Map([[levelOf(first), [first]]]);
  /** Levels with nodes to visit, the lowest last. */
  const levels = [levelOf(first)];
  /** @type {Set<N>} */
  const found = new Set([first]);
  let isAcyclic = true;
  for (let at = levels.pop(); at !== undefined && isAcyclic; at = levels.pop()) {
    const nodes = /** @type {N[]} */ (waiting.get(at));
    waiting.delete(at);
    for (const node of nodes) {
      let level = 0;
      predecessors(node, before => {
        level = Math.max(level, levelOf(before) + 1);
      });
      if (level === at) continue;
      setLevel(node, level);
      successors(node, next => {
        if (open.has(next)) return;
        const old = levelOf(next);
        // A node that was found may be found again until it is visited.
        if (old <= at || next === first) isAcyclic = false;
        if (found.has(next)) return;
        found.add(next);
        const others = waiting.get(old);
        if (others !== undefined) others.push(next);
        else {
          waiting.set(old, [next]);
          insertDescending(levels, old);
        }
      });
    }
  }
  return isAcyclic;
};

/** @param {number[]} list @param {number} value  not in the list */
const insertDescending = (list, value) => {
  let from = 0;
  let to = list.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (list[middle] > value) from = middle + 1;
    else to = middle;
  }
  list.splice(from, 0, value);
};

/**
 * Numbers the nodes, and all that they can reach, in one go.
 *
 * @template N
 * @param {readonly N[]} changed
 * @param {Graph<N>} graph
 */
const numberAll = (changed, { successors, predecessors, levelOf, setLevel }) => {
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
