import { Reactor } from 'swingset-runner/reactor';
import { benchmark, bounds, insist, Runner, slicesOf } from '../common/benchmark.js';

/** Whether no two of the first `count` queens attack each other; `rows[column]` is where a queen stands. */
const isValid = (rows, count) => {
  for (let i = 0; i < count; i += 1) {
    for (let j = i + 1; j < count; j += 1) {
      const apart = rows[j] - rows[i];
      if (apart === 0 || apart === j - i || apart === i - j) return false;
    }
  }
  return true;
};

/** Solutions that begin with the first `count` queens. */
const countSolutions = (rows, count, size) => {
  if (count === size) return 1;
  let solutions = 0;
  for (let row = 0; row < size; row += 1) {
    rows[count] = row;
    if (isValid(rows, count + 1)) solutions += countSolutions(rows, count + 1, size);
  }
  return solutions;
};

/** Gives each worker a board, and takes back more boards, until none is left. */
class Manager extends Reactor {
  start = this.input();
  finished = this.output();
  next = this.action();

  constructor(container, { workers }) {
    super(container);
    this.board = this.outputs(workers);
    this.solutions = this.inputs(workers);
    this.boards = this.inputs(workers);
    let queue = [];
    let first = 0;
    let solutions = 0;

    this.reaction({ triggers: this.start, effects: this.next }, () => {
      queue = [[]];
      first = 0;
      solutions = 0;
      this.next.schedule();
    });

    this.reaction({ triggers: this.next, effects: [this.next, this.board, this.finished] }, () => {
      if (first === queue.length) {
        this.finished.set(solutions);
        return;
      }
      for (let i = 0; i < workers && first < queue.length; i += 1) {
        this.board.set(i, queue[first]);
        first += 1;
      }
      this.next.schedule();
    });

    this.reaction({ triggers: this.solutions }, () =>
      this.solutions.forEachPresent(count => {
        solutions += count;
      }),
    );

    this.reaction({ triggers: this.boards }, () =>
      this.boards.forEachPresent(boards => queue.push(...boards)),
    );
  }
}

/** Puts one queen more in all ways, or from a number of queens on counts the solutions. */
class Worker extends Reactor {
  board = this.input();
  solutions = this.output();
  boards = this.output();

  constructor(container, { size, threshold }) {
    super(container);
    this.reaction({ triggers: this.board, effects: [this.solutions, this.boards] }, () => {
      const board = this.board.get();
      if (board.length >= threshold || board.length === size) {
        const rows = [...board, ...new Array(size - board.length).fill(0)];
        const count = countSolutions(rows, board.length, size);
        if (count > 0) this.solutions.set(count);
        return;
      }
      const boards = Array.from({ length: size }, (_, row) => [...board, row]);
      const valid = boards.filter(rows => isValid(rows, rows.length));
      if (valid.length > 0) this.boards.set(valid);
    });
  }
}

class NQueens extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const manager = new Manager(this, parameters);
    const workers = this.bank(parameters.workers, Worker, parameters);
    this.connect([runner.start, manager.finished], [manager.start, runner.finished]);
    this.connect(manager.board, workers.port('board'));
    this.connect(workers.port('solutions'), manager.solutions);
    this.connect(workers.port('boards'), manager.boards);
  }
}

/** Known numbers of solutions, from a board of size 1. */
const known = [1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2_680, 14_200, 73_712, 365_596, 2_279_184];

const check = (solutions, { size }) => {
  const expected = known[size - 1];
  insist(solutions === expected, () => `${solutions} solutions were found, not ${expected}`);
  return `${solutions} solutions`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { workers: 20, size: 12, threshold: 4 },
  sizes: { workers: bounds.members, size: { to: known.length }, threshold: bounds.fromZero },
  check,
  main: NQueens,
  parts: { manager: Manager, worker: slicesOf(Worker, ({ workers }) => workers) },
});
