// Levels of reactions are the longest paths to them, and a program is refused if and only if there is no longest one:
// for random programs against brute force, when they start and after a mutation.

import test from 'ava';
import fc from 'fast-check';
import { Program, Reactor } from '../index.js';
import { settleLevels } from '../late-levels.js';

const inputs = 3;
const outputs = 2;

/** @typedef {{ reads: number[], writes: number[] }} ReactionShape */
/** @typedef {{ from: number, out: number, to: number, in: number, after: boolean }} Wire */
/** @typedef {{ nodes: ReactionShape[][], wires: Wire[], changes: Wire[] }} Shape */

/** @type {fc.Arbitrary<Shape>} */
const arbShape = fc.integer({ min: 1, max: 5 }).chain(count => {
  const arbWire = fc.record({
    from: fc.nat(count - 1),
    out: fc.nat(outputs - 1),
    to: fc.nat(count - 1),
    in: fc.nat(inputs - 1),
    after: fc.integer({ min: 0, max: 4 }).map(n => n === 0),
  });
  return fc.record({
    nodes: fc.array(
      fc.array(
        fc.record({
          reads: fc.uniqueArray(fc.nat(inputs - 1), { maxLength: 2 }),
          writes: fc.uniqueArray(fc.nat(outputs - 1), { maxLength: 1 }),
        }),
        { minLength: 1, maxLength: 4 },
      ),
      { minLength: count, maxLength: count },
    ),
    wires: fc.uniqueArray(arbWire, { maxLength: 6, selector: wire => `${wire.to} ${wire.in}` }),
    changes: fc.uniqueArray(arbWire, { maxLength: 3, selector: wire => `${wire.to} ${wire.in}` }),
  });
});

/**
 * Depths by brute force, or undefined for a cycle.
 *
 * @param {Shape} shape
 * @param {Wire[]} wires
 */
const longestPaths = ({ nodes }, wires) => {
  /** @type {number[][]} node and place of each reaction */
  const reactions = nodes.flatMap((list, node) => list.map((_, place) => [node, place]));
  /** @type {[number, number][]} */
  const edges = [];
  reactions.forEach(([node, place], i) => {
    reactions.forEach(([other, otherPlace], j) => {
      const follows = other === node && otherPlace === place + 1;
      const hears = wires.some(
        ({ from, out, to, in: input, after }) =>
          !after &&
          from === node &&
          to === other &&
          nodes[node][place].writes.includes(out) &&
          nodes[other][otherPlace].reads.includes(input),
      );
      if (follows || hears) edges.push([i, j]);
    });
  });
  const depths = reactions.map(() => 0);
  for (let round = 0; round <= reactions.length; round += 1) {
    let changed = false;
    for (const [from, to] of edges) {
      if (depths[to] > depths[from]) continue;
      depths[to] = depths[from] + 1;
      changed = true;
    }
    if (!changed) return depths;
  }
  return undefined;
};

class Node extends Reactor {
  in = this.inputs(inputs);
  out = this.outputs(outputs);
  constructor(/** @type {any} */ main, /** @type {ReactionShape[]} */ reactions) {
    super(main);
    for (const { reads, writes } of reactions) {
      this.reaction(
        {
          triggers: reads.map(i => this.in.channel(i)),
          effects: writes.map(i => this.out.channel(i)),
        },
        () => {},
      );
    }
  }
}

/** @param {Shape} shape @param {boolean} mutates */
const makeMain = ({ nodes, wires, changes }, mutates) => {
  class Main extends Reactor {
    nodes = nodes.map(reactions => new Node(this, reactions));
    constructor() {
      super();
      for (const wire of wires) this.wire(wire);
      if (!mutates) return;
      this.mutation({ triggers: this.startup }, () => {
        for (const change of changes) {
          const known = wires.find(({ to, in: input }) => to === change.to && input === change.in);
          if (known) {
            this.disconnect(
              this.nodes[known.from].out.channel(known.out),
              this.nodes[known.to].in.channel(known.in),
            );
          }
        }
        for (const change of changes) this.wire(change);
      });
    }
    /** @param {Wire} wire */
    wire({ from, out, to, in: input, after }) {
      this.connect(
        this.nodes[from].out.channel(out),
        this.nodes[to].in.channel(input),
        after ? { after: 1 } : {},
      );
    }
  }
  return new Main();
};

/** @param {Reactor} main */
const depthsOf = main =>
  main.node.children.flatMap(({ reactions }) => reactions.map(({ depth }) => depth));

test('levels are the longest paths, and a cycle is refused', t => {
  let cycles = 0;
  fc.assert(
    fc.property(arbShape, shape => {
      const expected = longestPaths(shape, shape.wires);
      const main = makeMain(shape, false);
      if (expected === undefined) {
        cycles += 1;
        t.throws(() => new Program(main), { message: /^zero-delay cycle: / });
        return;
      }
      new Program(main);
      t.deepEqual(depthsOf(main), expected);
    }),
    { numRuns: 400, seed: 1 },
  );
  t.true(cycles > 20, 'both kinds were tried');
});

test('a mutation that changes connections leaves levels as a fresh program has them', t => {
  fc.assert(
    fc.property(arbShape, shape => {
      if (longestPaths(shape, shape.wires) === undefined) return;
      const changed = [
        ...shape.wires.filter(
          wire => !shape.changes.some(change => change.to === wire.to && change.in === wire.in),
        ),
        ...shape.changes,
      ];
      const expected = longestPaths(shape, changed);
      const main = makeMain(shape, true);
      const program = new Program(main, { fast: true });
      if (expected === undefined) {
        t.throws(() => program.runFast(), { message: /zero-delay cycle: / });
        return;
      }
      program.step();
      settleLevels(program.scheduler.region);
      // The mutation comes before everything.
      t.deepEqual(
        depthsOf(main),
        expected.map(depth => depth + 1),
      );
    }),
    { numRuns: 400 },
  );
});
