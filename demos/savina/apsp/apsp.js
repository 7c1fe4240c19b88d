import { Reactor, interleaved } from 'swingset-runner/reactor';
import { benchmark, insist, Runner, slicesOf } from '../common/benchmark.js';
import { Matrix } from '../common/matrix.js';
import { PseudoRandom } from '../common/pseudo-random.js';

/** The weights of a complete graph without direction. */
const drawGraph = ({ nodes, maxWeight }) => {
  const random = new PseudoRandom(nodes);
  const graph = new Matrix(nodes, nodes);
  for (let i = 0; i < nodes; i += 1) {
    for (let j = i + 1; j < nodes; j += 1) {
      const weight = random.nextBelow(maxWeight) + 1;
      graph.set(i, j, weight);
      graph.set(j, i, weight);
    }
  }
  return graph;
};

/** One block of the matrix of distances: at each microstep it takes the next node as one to go by. */
class Block extends Reactor {
  start = this.input();
  out = this.output();
  done = this.output();
  notify = this.action();

  constructor(container, { row, nodes, size, maxWeight, isApart }) {
    super(container);
    const dimension = nodes / size;
    const column = this.getBankIndex();
    this.fromRow = this.inputs(dimension);
    this.fromColumn = this.inputs(dimension);
    const [firstRow, firstColumn] = [row * size, column * size];
    const hand = isApart ? matrix => matrix.pack() : matrix => matrix;
    let own = new Matrix(size, size);
    let by = 0;

    this.reaction({ triggers: this.start, effects: this.notify }, () => {
      const graph = drawGraph({ nodes, maxWeight });
      own = new Matrix(size, size, (i, j) => graph.at(firstRow + i, firstColumn + j));
      by = 0;
      this.notify.schedule(0, hand(own));
    });

    this.reaction({ triggers: this.notify, effects: this.out }, () =>
      this.out.set(this.notify.get()),
    );

    this.reaction(
      { triggers: [this.fromRow, this.fromColumn], effects: [this.notify, this.done] },
      () => {
        if (by === nodes) return;
        const place = Math.floor(by / size);
        const local = by % size;
        // Distances from the rows of this block to the node, and from the node to its columns.
        const to = Matrix.from(this.fromRow.get(place)).numbers;
        const from = Matrix.from(this.fromColumn.get(place)).numbers;
        const before = own.numbers;
        const next = new Matrix(size, size);
        const { numbers } = next;
        for (let i = 0; i < size; i += 1) {
          const first = to[i * size + local];
          for (let j = 0; j < size; j += 1) {
            const at = i * size + j;
            numbers[at] = Math.min(before[at], first + from[local * size + j]);
          }
        }
        own = next;
        by += 1;
        if (by < nodes) {
          this.notify.schedule(0, hand(own));
        } else {
          this.done.set([...own.numbers]);
        }
      },
    );
  }
}

/** A row of blocks: each tells all of its row, and all of its column, what it has. */
class Row extends Reactor {
  start = this.input();

  constructor(container, { first = 0, ...parameters }) {
    super(container);
    const dimension = parameters.nodes / parameters.size;
    const row = first + this.getBankIndex();
    this.fromColumn = this.inputs(dimension ** 2);
    this.toColumn = this.outputs(dimension);
    this.done = this.outputs(dimension);
    const blocks = this.bank(dimension, Block, { ...parameters, row });
    this.connect(blocks.port('out'), blocks.port('fromRow'), { repeat: true });
    this.connect(blocks.port('out'), this.toColumn);
    this.connect(this.fromColumn, interleaved(blocks.port('fromColumn')));
    this.connect(this.start, blocks.port('start'), { repeat: true });
    this.connect(blocks.port('done'), this.done);
  }
}

/** Puts the blocks together. */
class Collector extends Reactor {
  finished = this.output();

  constructor(container, { nodes, size }) {
    super(container);
    const dimension = nodes / size;
    this.blocks = this.inputs(dimension ** 2);
    this.reaction({ triggers: this.blocks, effects: this.finished }, () =>
      this.finished.set(this.blocks.values()),
    );
  }
}

class AllPairs extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const rows = this.bank(parameters.nodes / parameters.size, Row, parameters);
    const collector = new Collector(this, parameters);
    this.connect(runner.start, rows.port('start'), { repeat: true });
    this.connect(rows.port('toColumn'), rows.port('fromColumn'), { repeat: true });
    this.connect(rows.port('done'), collector.blocks);
    this.connect(collector.finished, runner.finished);
  }
}

/** Floyd's and Warshall's algorithm, on the matrix as a whole. */
const distancesOf = parameters => {
  const { nodes } = parameters;
  const { numbers } = drawGraph(parameters);
  for (let k = 0; k < nodes; k += 1) {
    for (let i = 0; i < nodes; i += 1) {
      const first = numbers[i * nodes + k];
      for (let j = 0; j < nodes; j += 1) {
        const way = first + numbers[k * nodes + j];
        if (way < numbers[i * nodes + j]) numbers[i * nodes + j] = way;
      }
    }
  }
  return numbers;
};

const check = (blocks, parameters) => {
  const { nodes, size } = parameters;
  const expected = distancesOf(parameters);
  let sum = 0;
  blocks.forEach((block, place) => {
    const firstRow = Math.floor(place / (nodes / size)) * size;
    const firstColumn = (place % (nodes / size)) * size;
    block.forEach((distance, at) => {
      const row = firstRow + Math.floor(at / size);
      const column = firstColumn + (at % size);
      const right = expected[row * nodes + column];
      insist(distance === right, () => `from ${row} to ${column} it is ${distance}, not ${right}`);
      sum += distance;
    });
  });
  return `distances of ${nodes} nodes, ${sum} in all`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { nodes: 300, size: 50, maxWeight: 100 },
  ofParts: { isApart: false },
  sizes: { nodes: { to: 10_000 }, size: { to: 10_000 } },
  misfit: ({ nodes, size }) =>
    nodes % size !== 0
      ? `"nodes" (${nodes}) is a multiple of "size" (${size})`
      : nodes / size > 1_000
        ? `"nodes" (${nodes}) is at most 1000 times "size" (${size})`
        : undefined,
  check,
  main: AllPairs,
  parts: { row: slicesOf(Row, ({ nodes, size }) => nodes / size), collector: Collector },
});
