// Precedence graphs of ports and reactions. Nodes have the order of reactor-ts, in which they were
// first named, and the topological sort uses it where it has a choice. So reactions without an
// order between them run in the same order as in reactor-ts.

/** A directed graph whose nodes keep the order in which they were first named. @template T */
export class PrecedenceGraph {
  /** Upstream neighbours of each node. @protected @type {Map<T, Set<T>>} */
  adjacencyMap = new Map();

  /** Downstream neighbours. @type {Map<T, Set<T>>} */
  #downstream = new Map();

  /** The position of each node in that order; a node that was removed and added again comes last. @type {Map<T, number>} */
  #places = new Map();

  #nextPlace = 0;

  #edges = 0;

  /** Add the nodes and edges of another graph. @param {PrecedenceGraph<T>} other */
  addAll(other) {
    for (const [node, upstream] of other.adjacencyMap) {
      this.addNode(node);
      for (const before of upstream) this.#link(before, node);
    }
  }

  /** Add a node if it does not exist. @param {T} node */
  addNode(node) {
    if (this.adjacencyMap.has(node)) return;
    this.adjacencyMap.set(node, new Set());
    this.#places.set(node, this.#nextPlace);
    this.#nextPlace += 1;
  }

  /**
   * Add an edge, and its nodes if they do not exist.
   *
   * @param {T} upstream
   * @param {T} downstream
   */
  addEdge(upstream, downstream) {
    this.addNode(downstream);
    this.#link(upstream, downstream);
    this.addNode(upstream);
  }

  /**
   * Remove an edge if it exists.
   *
   * @param {T} upstream
   * @param {T} downstream
   */
  removeEdge(upstream, downstream) {
    if (!this.adjacencyMap.get(downstream)?.delete(upstream)) return;
    this.#downstream.get(upstream)?.delete(downstream);
    this.#edges -= 1;
  }

  /** Remove a node with its edges if it exists. @param {T} node */
  removeNode(node) {
    const upstream = this.adjacencyMap.get(node);
    if (upstream === undefined) return;
    for (const before of [...upstream]) this.removeEdge(before, node);
    for (const after of [...(this.#downstream.get(node) ?? [])]) this.removeEdge(node, after);
    this.adjacencyMap.delete(node);
    this.#places.delete(node);
    this.#downstream.delete(node);
  }

  /**
   * The nodes that a node depends on.
   *
   * @param {T} node
   * @returns {Set<T>}
   */
  getUpstreamNeighbors(node) {
    return this.adjacencyMap.get(node) ?? new Set();
  }

  /**
   * @param {T} node
   * @returns {Set<T>} in the order of nodes
   */
  getDownstreamNeighbors(node) {
    const after = this.#downstream.get(node);
    if (after === undefined) return new Set();
    if (after.size < 2) return new Set(after);
    const place = this.#places;
    return new Set(
      [...after].sort(
        (a, b) => /** @type {number} */ (place.get(a)) - /** @type {number} */ (place.get(b)),
      ),
    );
  }

  /** Whether some node depends on itself, directly or through others. @returns {boolean} */
  hasCycle() {
    return this.findCycle() !== undefined;
  }

  /**
   * Find the nodes of one cycle, each before those that depend on it; undefined if there is none.
   *
   * @returns {T[] | undefined}
   */
  findCycle() {
    /** @type {Set<T>} */
    const done = new Set();
    for (const start of this.getNodes()) {
      if (done.has(start)) continue;
      /** @type {Map<T, number>} places on the way */
      const places = new Map([[start, 0]]);
      const way = [{ node: start, rest: this.getUpstreamNeighbors(start).values() }];
      while (way.length > 0) {
        const { node, rest } = way[way.length - 1];
        const { value, done: isEnd } = rest.next();
        if (isEnd) {
          done.add(node);
          places.delete(node);
          way.pop();
          continue;
        }
        const place = places.get(value);
        if (place !== undefined)
          return way
            .slice(place)
            .map(each => each.node)
            .reverse();
        if (done.has(value)) continue;
        places.set(value, way.length);
        way.push({ node: value, rest: this.getUpstreamNeighbors(value).values() });
      }
    }
    return undefined;
  }

  /** The numbers of nodes and edges. @returns {[nodes: number, edges: number]} */
  size() {
    return [this.adjacencyMap.size, this.#edges];
  }

  /** All nodes, in the order in which they were added. @returns {IterableIterator<T>} */
  getNodes() {
    return this.adjacencyMap.keys();
  }

  /** The nodes without upstream neighbours. @returns {Set<T>} */
  getSourceNodes() {
    return new Set([...this.getNodes()].filter(node => this.getUpstreamNeighbors(node).size === 0));
  }

  /** The nodes without downstream neighbours. @returns {Set<T>} */
  getSinkNodes() {
    return new Set(
      [...this.getNodes()].filter(node => (this.#downstream.get(node)?.size ?? 0) === 0),
    );
  }

  /** @type {() => string} */
  toString = () => this.toMermaidString();

  /**
   * @param {[T, T][]} [edgesWithIssue]  drawn with a cross
   * @returns {string}
   */
  toMermaidString(edgesWithIssue = []) {
    /** @type {Map<T, number>} */
    const numbers = new Map();
    const lines = ['graph'];
    for (const node of this.getNodes()) {
      lines.push(`${numbers.size}["${nameOf(node, String(numbers.size))}"]`);
      numbers.set(node, numbers.size);
    }
    for (const [node, upstream] of this.adjacencyMap) {
      for (const before of upstream) {
        const isIssue = edgesWithIssue.some(([from, to]) => from === before && to === node);
        lines.push(`${numbers.get(before)} ${isIssue ? '--x' : '-->'} ${numbers.get(node)}`);
      }
    }
    return lines.join('\n');
  }

  /** Chains of nodes, each from its last node to its first, for Graphviz. @returns {string} */
  toDotString() {
    /** @type {string[]} */
    const lines = [];
    /** @type {Set<T>} */
    const visited = new Set();
    /** @type {(node: T, chain: T[]) => void} */
    const draw = (node, chain) => {
      lines.push(
        [node, ...chain.splice(0).reverse()].map(each => `"${nameOf(each, '?')}"`).join('->'),
      );
    };
    /** @type {(node: T, chain: T[]) => void} */
    const follow = (node, chain) => {
      const after = this.getDownstreamNeighbors(node);
      if (after.size === 0) draw(node, chain);
      let links = chain;
      let isFirst = true;
      for (const next of after) {
        if (!isFirst || this.getUpstreamNeighbors(node).size === 0) links = [];
        isFirst = false;
        visited.add(node);
        links.push(node);
        if (visited.has(next)) draw(next, links);
        else follow(next, links);
      }
    };
    for (const node of this.getSourceNodes()) follow(node, []);
    return `digraph G {${lines.map(line => `\n${line};`).join('')}\n}`;
  }

  /**
   * @param {T} upstream
   * @param {T} downstream  named already
   */
  #link(upstream, downstream) {
    const before = /** @type {Set<T>} */ (this.adjacencyMap.get(downstream));
    if (before.has(upstream)) return;
    before.add(upstream);
    const after = this.#downstream.get(upstream);
    if (after === undefined) this.#downstream.set(upstream, new Set([downstream]));
    else after.add(downstream);
    this.#edges += 1;
  }
}

/**
 * @param {any} node
 * @param {string} otherwise
 */
const nameOf = (node, otherwise) =>
  node === null || node === undefined || node.toString === Object.prototype.toString
    ? otherwise
    : String(node);

/**
 * The index of a node among others, the lowest priority last: before the first one whose priority is not higher.
 *
 * @template {{ getPriority: () => number }} T
 * @param {readonly T[]} nodes
 * @param {T} node
 * @returns {number}
 */
export const placeIn = (nodes, node) => {
  let at = 0;
  for (let end = nodes.length; at < end;) {
    const middle = (at + end) >> 1;
    if (nodes[middle].getPriority() > node.getPriority()) at = middle + 1;
    else end = middle;
  }
  return at;
};

/**
 * A graph of nodes with priorities.
 *
 * @template {{ getPriority: () => number, setPriority: (priority: number) => void }} T
 * @extends {PrecedenceGraph<T>}
 */
export class SortablePrecedenceGraph extends PrecedenceGraph {
  /**
   * @param {new (...args: any[]) => T} [type]
   * @param {PrecedenceGraph<any>} [graph]  the source of the nodes of this type, and of an edge for
   *   each path between two of them that leads only through nodes of other types
   */
  constructor(type, graph) {
    super();
    if (graph === undefined || type === undefined) return;
    const starts = graph.getSourceNodes();
    const visited = new Set();
    for (const start of starts) {
      if (start instanceof type) {
        this.addNode(start);
        this.#collapse(type, graph, start, visited);
      } else {
        for (const next of graph.getDownstreamNeighbors(start))
          if (!visited.has(next)) starts.add(next);
      }
    }
  }

  /**
   * Number the nodes so that each comes after all that it depends on: 0, `spacing`, twice that …
   *
   * @param {boolean} [destructive]  whether the graph is empty afterwards
   * @param {number} [spacing]
   * @returns {boolean} false for a cycle
   */
  updatePriorities(destructive = false, spacing = 100) {
    const order = this.#sort();
    order.forEach((node, i) => node.setPriority(i * spacing));
    const isWhole = order.length === this.size()[0];
    if (destructive) for (const node of order) this.removeNode(node);
    return isWhole;
  }

  /**
   * Number the nodes anew, in an order as close to their present priorities as the edges allow: a node whose upstream
   * neighbours have higher priorities comes directly after the last of them.
   */
  mendPriorities() {
    /** @param {T} a @param {T} b */
    const byPriority = (a, b) => b.getPriority() - a.getPriority();
    const missing = new Map([...this.adjacencyMap].map(([node, { size }]) => [node, size]));
    /** Nodes without upstream neighbours before them, lowest priority last. */
    const ready = [...this.getSourceNodes()].sort(byPriority);
    /** @type {T[]} */
    const order = [];
    for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
      order.push(node);
      for (const after of this.getDownstreamNeighbors(node)) {
        const count = /** @type {number} */ (missing.get(after)) - 1;
        missing.set(after, count);
        if (count > 0) continue;
        ready.splice(placeIn(ready, after), 0, after);
      }
    }
    order.forEach((node, i) => node.setPriority(i));
  }

  /** The nodes in topological order, without nodes in or after a cycle. */
  #sort() {
    /** @type {Map<T, number>} */
    const missing = new Map();
    /** @type {T[]} */
    const order = [];
    for (const [node, upstream] of this.adjacencyMap) {
      if (upstream.size === 0) order.push(node);
      else missing.set(node, upstream.size);
    }
    for (let i = 0; i < order.length; i += 1) {
      for (const after of this.getDownstreamNeighbors(order[i])) {
        const count = /** @type {number} */ (missing.get(after)) - 1;
        missing.set(after, count);
        if (count === 0) order.push(after);
      }
    }
    return order;
  }

  /**
   * Follow edges depth first from a start, in the order of nodes.
   *
   * @param {new (...args: any[]) => T} type
   * @param {PrecedenceGraph<any>} graph
   * @param {T} start
   * @param {Set<any>} visited
   */
  #collapse(type, graph, start, visited) {
    /** @type {(upstream: T) => { upstream: T, seen: Set<any>, ways: Iterator<any>[] }} */
    const frameOf = upstream => ({
      upstream,
      seen: new Set(),
      ways: [graph.getDownstreamNeighbors(upstream).values()],
    });
    const frames = [frameOf(start)];
    while (frames.length > 0) {
      const { upstream, seen, ways } = frames[frames.length - 1];
      const { value, done } = ways[ways.length - 1].next();
      if (done) {
        ways.pop();
        if (ways.length === 0) frames.pop();
      } else if (value instanceof type) {
        this.addEdge(upstream, value);
        if (visited.has(value)) continue;
        visited.add(value);
        frames.push(frameOf(value));
      } else if (!seen.has(value)) {
        // Another path would find the same edges again.
        seen.add(value);
        ways.push(graph.getDownstreamNeighbors(value).values());
      }
    }
  }
}
