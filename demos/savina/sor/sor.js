import { Reactor } from 'swingset-runner/reactor';
import { benchmark, insist, rangesOf, Runner } from '../common/benchmark.js';
import { JavaRandom } from '../common/java-random.js';

const seed = 10_101_010;

/** Cells of a checkerboard; those of colour 1 send first. */
const colourOf = (row, column) => (row + column + 1) % 2;

const drawCells = size => {
  const random = new JavaRandom(seed);
  return Array.from({ length: size ** 2 }, () => random.nextDouble() * 1e-6);
};

/** The places of the cells beside one: right, below, left, above. */
const neighboursOf = (place, size) => {
  const row = Math.floor(place / size);
  const column = place % size;
  return [
    [row, column + 1],
    [row + 1, column],
    [row, column - 1],
    [row - 1, column],
  ]
    .filter(([i, j]) => i >= 0 && i < size && j >= 0 && j < size)
    .map(([i, j]) => i * size + j);
};

const relax = (value, sum, omega) => 0.25 * omega * sum + (1 - omega) * value;

/** One number of the grid. Cells of colour 0 answer at the same tag, those of colour 1 at the next microstep. */
class Cell extends Reactor {
  start = this.input();
  out = this.output();
  result = this.output();

  constructor(container, { size, turns, omega, first = 0 }) {
    super(container);
    const place = first + this.getBankIndex();
    const own = drawCells(size)[place];
    const isFirst = colourOf(Math.floor(place / size), place % size) === 1;
    const { length } = neighboursOf(place, size);
    this.in = this.inputs(length);
    let value = own;
    let turn = 0;

    const step = () => {
      let sum = 0;
      for (let i = 0; i < length; i += 1) sum += this.in.get(i);
      value = relax(value, sum, omega);
      turn += 1;
      if (turn === turns) this.result.set(value);
    };

    if (isFirst) {
      const send = this.action();
      this.reaction({ triggers: this.start, effects: send }, () => {
        value = own;
        turn = 1;
        send.schedule();
      });
      this.reaction({ triggers: send, effects: this.out }, () => this.out.set(value));
      this.reaction({ triggers: this.in, effects: [send, this.result] }, () => {
        if (turn === turns) return;
        step();
        send.schedule();
      });
    } else {
      this.reaction({ triggers: this.start }, () => {
        value = own;
        turn = 0;
      });
      this.reaction({ triggers: this.in, effects: [this.out, this.result] }, () => {
        if (turn === turns) return;
        step();
        this.out.set(value);
      });
    }
  }
}

class Collector extends Reactor {
  finished = this.output();

  constructor(container, { size }) {
    super(container);
    this.results = this.inputs(size ** 2);
    let values = new Map();
    this.reaction({ triggers: this.results, effects: this.finished }, () => {
      this.results.forEachPresent((value, place) => values.set(place, value));
      if (values.size < size ** 2) return;
      this.finished.set(Array.from({ length: size ** 2 }, (_, place) => values.get(place)));
      values = new Map();
    });
  }
}

/**
 * Some rows of the grid. Each cell is connected from those beside it; the cells of the next rows, if there are any, come
 * in by `above` and `below`.
 */
class Strip extends Reactor {
  start = this.input();

  constructor(container, parameters) {
    super(container);
    const { size, first: firstRow = 0, count: rows = size } = parameters;
    const first = firstRow * size;
    const cells = this.bank(rows * size, Cell, { ...parameters, first });
    this.above = this.inputs(firstRow > 0 ? size : 0);
    this.below = this.inputs(firstRow + rows < size ? size : 0);
    this.top = this.outputs(size);
    this.bottom = this.outputs(size);
    this.results = this.outputs(rows * size);
    const sourceOf = place => {
      if (place < first) return this.above.channel(place % size);
      if (place >= first + rows * size) return this.below.channel(place % size);
      return cells.get(place - first).out;
    };
    this.connect(this.start, cells.port('start'), { repeat: true });
    cells.all().forEach((cell, i) => {
      this.connect(neighboursOf(first + i, size).map(sourceOf), cell.in);
    });
    const outs = cells.port('out');
    this.connect(outs.slice(0, size), this.top);
    this.connect(outs.slice(-size), this.bottom);
    this.connect(cells.port('result'), this.results);
  }
}

class SuccessiveOverRelaxation extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const grid = new Strip(this, parameters);
    const collector = new Collector(this, parameters);
    this.connect(runner.start, grid.start);
    this.connect(grid.results, collector.results);
    this.connect(collector.finished, runner.finished);
  }
}

/** Sums that the benchmark's authors give for some sizes, of grids after 100 turns. */
const known = new Map([
  [20, 0.000003189420084871275],
  [80, 0.001846644602759566],
  [100, 0.0032099996270638005],
  [120, 0.0050869220175413146],
  [150, 0.008496328291240363],
  [200, 0.016479973604143234],
  [250, 0.026575660248076397],
]);

/** The relaxation on a plain array, colour by colour. */
const relaxed = ({ size, turns, omega }) => {
  const values = drawCells(size);
  const places = [0, 1].map(colour =>
    values.flatMap((_, place) =>
      colourOf(Math.floor(place / size), place % size) === colour ? [place] : [],
    ),
  );
  for (let turn = 0; turn < 2 * turns - 1; turn += 1) {
    for (const place of places[turn % 2]) {
      let sum = 0;
      for (const other of neighboursOf(place, size)) sum += values[other];
      values[place] = relax(values[place], sum, omega);
    }
  }
  return values;
};

const check = (values, parameters) => {
  const { size, turns } = parameters;
  const expected = relaxed(parameters);
  expected.forEach((value, place) => {
    insist(values[place] === value, () => `cell ${place} is ${values[place]}, not ${value}`);
  });
  const total = values.reduce((sum, value) => sum + value, 0);
  const right = known.get(size);
  if (turns === 100 && right !== undefined) {
    insist(Math.abs(total - right) < 1e-12, () => `the cells sum up to ${total}, not ${right}`);
  }
  return `${size} x ${size} cells, ${total} in all`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { size: 20, turns: 100, omega: 1.25 },
  sizes: {
    size: { from: 2, to: 1_000 },
    turns: { from: 2 },
    omega: { from: 0, to: 2, isReal: true },
  },
  check,
  main: SuccessiveOverRelaxation,
  parts: { strip: rangesOf(Strip, ({ size }) => size), collector: Collector },
});
