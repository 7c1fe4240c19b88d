import { Reactor } from 'swingset-runner/reactor';
import { benchmark, bounds, insist, Runner, slicesOf } from '../common/benchmark.js';
import { Matrix } from '../common/matrix.js';

/** Where a product of blocks is: C's block at (row, column) gets A's at (row, inner) times B's at (inner, column). */
const whole = n => ({ row: 0, column: 0, inner: 0, size: n });

/** The eight products of a quarter of the size that it consists of. */
const split = ({ row, column, inner, size }) => {
  const half = size / 2;
  const halves = [0, half];
  return halves.flatMap(down =>
    halves.flatMap(right =>
      halves.map(along => ({
        row: row + down,
        column: column + right,
        inner: inner + along,
        size: half,
      })),
    ),
  );
};

/** Has the matrices, gives each worker a product, and adds what comes back. */
class Manager extends Reactor {
  start = this.input();
  finished = this.output();
  next = this.action();
  data = this.output();

  constructor(container, { workers, n, isApart }) {
    super(container);
    this.work = this.outputs(workers);
    this.more = this.inputs(workers);
    this.block = this.inputs(workers);
    const hand = isApart ? matrix => matrix.pack() : matrix => matrix;
    const data = {
      a: hand(new Matrix(n, n, row => row)),
      b: hand(new Matrix(n, n, (_, column) => column)),
    };
    let c = new Matrix(n, n);
    let queue = [];
    let sent = [];

    this.reaction({ triggers: this.start, effects: [this.data, this.next] }, () => {
      c = new Matrix(n, n);
      queue = [whole(n)];
      this.data.set(data);
      this.next.schedule();
    });

    this.reaction({ triggers: this.next, effects: [this.next, this.work, this.finished] }, () => {
      if (queue.length === 0) {
        const wrong = findWrong(c, n);
        this.finished.set({ n, ...(wrong && { wrong }) });
        return;
      }
      sent = queue.splice(0, workers);
      sent.forEach((work, i) => this.work.set(i, work));
      this.next.schedule();
    });

    this.reaction({ triggers: this.more }, () =>
      this.more.forEachPresent(more => queue.push(...more)),
    );

    this.reaction({ triggers: this.block }, () =>
      this.block.forEachPresent((block, worker) => {
        const { row, column, size } = sent[worker];
        const { numbers } = Matrix.from(block);
        for (let i = 0; i < size; i += 1) {
          const at = (row + i) * n + column;
          for (let j = 0; j < size; j += 1) c.numbers[at + j] += numbers[i * size + j];
        }
      }),
    );
  }
}

/** A product of row * n * column has no other value, whatever the order of adding. */
const findWrong = (c, n) => {
  for (let row = 0; row < n; row += 1) {
    for (let column = 0; column < n; column += 1) {
      const value = c.at(row, column);
      if (value !== n * row * column) return { row, column, value };
    }
  }
  return undefined;
};

class Worker extends Reactor {
  data = this.input();
  work = this.input();
  more = this.output();
  block = this.output();

  constructor(container, { threshold, isApart }) {
    super(container);
    const hand = isApart ? matrix => matrix.pack() : matrix => matrix;
    let a = new Matrix(0, 0);
    let b = new Matrix(0, 0);

    this.reaction({ triggers: this.data }, () => {
      const data = this.data.get();
      a = Matrix.from(data.a);
      b = Matrix.from(data.b);
    });

    this.reaction({ triggers: this.work, effects: [this.more, this.block] }, () => {
      const work = this.work.get();
      if (work.size ** 2 > threshold) this.more.set(split(work));
      else this.block.set(hand(multiply(a, b, work)));
    });
  }
}

const multiply = (a, b, { row, column, inner, size }) => {
  const n = a.columns;
  const left = a.numbers;
  const right = b.numbers;
  const product = new Matrix(size, size);
  const { numbers } = product;
  for (let i = 0; i < size; i += 1) {
    for (let k = 0; k < size; k += 1) {
      const factor = left[(row + i) * n + inner + k];
      const from = (inner + k) * n + column;
      const to = i * size;
      for (let j = 0; j < size; j += 1) numbers[to + j] += factor * right[from + j];
    }
  }
  return product;
};

class MatrixMultiplication extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const manager = new Manager(this, parameters);
    const workers = this.bank(parameters.workers, Worker, parameters);
    this.connect([runner.start, manager.finished], [manager.start, runner.finished]);
    this.connect(manager.data, workers.port('data'), { repeat: true });
    this.connect(manager.work, workers.port('work'));
    this.connect(workers.port('more'), manager.more);
    this.connect(workers.port('block'), manager.block);
  }
}

const check = ({ n, wrong }) => {
  insist(wrong === undefined, () => `C[${wrong.row}][${wrong.column}] is ${wrong.value}`);
  return `a product of ${n} x ${n}`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { workers: 20, n: 1_024, threshold: 16_384 },
  ofParts: { isApart: false },
  sizes: { workers: bounds.members, n: { to: 10_000 } },
  misfit: ({ n, threshold }) => {
    let size = n;
    while (size % 2 === 0 && size ** 2 > threshold) size /= 2;
    return size ** 2 <= threshold
      ? undefined
      : `"n" (${n}), halved until its square is at most "threshold" (${threshold}), is a whole number`;
  },
  check,
  main: MatrixMultiplication,
  parts: { manager: Manager, worker: slicesOf(Worker, ({ workers }) => workers, [], ['data']) },
});
