import test from 'ava';
import fc from 'fast-check';
import { updateLevels } from '../index.js';

/** A graph that can be changed. @param {number} count */
const makeGraph = count => {
  /** @type {Set<string>} */
  const edges = new Set();
  /** @type {number[]} */
  const levels = new Array(count).fill(0);
  const pairs = () => [...edges].map(edge => edge.split(' ').map(Number));
  return {
    edges,
    levels,
    pairs,
    graph: {
      successors: (/** @type {number} */ node, /** @type {(n: number) => void} */ visit) => {
        for (const [from, to] of pairs()) if (from === node) visit(to);
      },
      predecessors: (/** @type {number} */ node, /** @type {(n: number) => void} */ visit) => {
        for (const [from, to] of pairs()) if (to === node) visit(from);
      },
      levelOf: (/** @type {number} */ node) => levels[node],
      setLevel: (/** @type {number} */ node, /** @type {number} */ level) => {
        levels[node] = level;
      },
    },
  };
};

/** @type {(count: number, pairs: number[][]) => number[]} */
const longestPaths = (count, pairs) => {
  const levels = new Array(count).fill(0);
  // As often as there are nodes, so that every path is followed.
  for (let round = 0; round < count; round += 1) {
    for (const [from, to] of pairs) levels[to] = Math.max(levels[to], levels[from] + 1);
  }
  return levels;
};

const arbEdge = fc
  .tuple(fc.nat(9), fc.nat(9))
  .filter(([a, b]) => a !== b)
  .map(([a, b]) => (a < b ? [a, b] : [b, a]));

test('levels are the longest paths, at first and after every change', t => {
  fc.assert(
    fc.property(
      fc.array(arbEdge, { maxLength: 25 }),
      fc.array(arbEdge, { maxLength: 15 }),
      (first, changes) => {
        const { edges, levels, graph, pairs } = makeGraph(10);
        for (const edge of first) edges.add(edge.join(' '));
        t.is(updateLevels([...levels.keys()], graph), undefined);
        t.deepEqual(levels, longestPaths(10, pairs()));
        for (const edge of changes) {
          const text = edge.join(' ');
          if (!edges.delete(text)) edges.add(text);
          t.is(updateLevels([edge[1]], graph), undefined);
          t.deepEqual(levels, longestPaths(10, pairs()));
        }
      },
    ),
    { numRuns: 200 },
  );
});

test('nodes that a change cannot reach are not visited', t => {
  const { edges, levels, graph } = makeGraph(6);
  for (const edge of ['0 1', '1 2', '3 4', '4 5']) edges.add(edge);
  updateLevels([0, 1, 2, 3, 4, 5], graph);
  /** @type {number[]} */
  const visited = [];
  edges.add('2 4');
  updateLevels([4], {
    ...graph,
    setLevel: (node, level) => {
      visited.push(node);
      graph.setLevel(node, level);
    },
  });
  t.deepEqual(visited.sort(), [4, 5]);
  t.deepEqual(levels, [0, 1, 2, 0, 3, 4]);
});

test('what follows a node whose level stays is not visited', t => {
  const { edges, levels, graph } = makeGraph(6);
  for (const edge of ['0 1', '1 2', '2 3', '3 4']) edges.add(edge);
  updateLevels([0, 1, 2, 3, 4, 5], graph);
  /** @type {number[]} */
  const looked = [];
  edges.add('5 2');
  updateLevels([2], {
    ...graph,
    predecessors: (node, visit) => {
      looked.push(node);
      graph.predecessors(node, visit);
    },
  });
  t.deepEqual(looked, [2]);
  t.deepEqual(levels, [0, 1, 2, 3, 4, 0]);
});

test('a cycle is given whole, in its own order', t => {
  fc.assert(
    fc.property(
      fc.array(arbEdge, { maxLength: 15 }),
      fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], { minLength: 2 }),
      (more, ring) => {
        const { edges, graph } = makeGraph(10);
        for (const edge of more) edges.add(edge.join(' '));
        ring.forEach((node, i) => edges.add(`${node} ${ring[(i + 1) % ring.length]}`));
        const cycle = updateLevels([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], graph);
        t.truthy(cycle);
        if (cycle === undefined) return;
        t.is(new Set(cycle).size, cycle.length);
        cycle.forEach((node, i) => t.true(edges.has(`${node} ${cycle[(i + 1) % cycle.length]}`)));
      },
    ),
    { numRuns: 200 },
  );
});
