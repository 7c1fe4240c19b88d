import { Reactor } from 'swingset-runner/reactor';
import { benchmark, bounds, insist, Runner, slicesOf } from '../common/benchmark.js';

/** The function whose area is approximated. */
const height = x => {
  const sine = Math.sin(x * x * x - 1);
  const root = Math.sqrt(1 + Math.exp(Math.sqrt(2 * x)));
  return (sine / (x + 1)) * root;
};

/** The area from `left` to `right`, by trapezoids of this width. */
const areaOf = (left, right, width) => {
  const count = Math.trunc((right - left) / width);
  let area = 0;
  for (let i = 0; i < count; i += 1) {
    const start = i * width + left;
    area += 0.5 * (height(start) + height(start + width)) * width;
  }
  return area;
};

const rangeOf = ({ left, right, workers }, place) => {
  const range = (right - left) / workers;
  const start = range * place + left;
  return [start, start + range];
};

/** Gives each worker a range, and adds the areas in the order of workers. */
class Manager extends Reactor {
  start = this.input();
  finished = this.output();
  send = this.action();

  constructor(container, parameters) {
    super(container);
    const { workers } = parameters;
    this.left = this.outputs(workers);
    this.right = this.outputs(workers);
    this.area = this.inputs(workers);

    this.reaction({ triggers: this.start, effects: this.send }, () => this.send.schedule());

    this.reaction({ triggers: this.send, effects: [this.left, this.right] }, () => {
      for (let i = 0; i < workers; i += 1) {
        const [left, right] = rangeOf(parameters, i);
        this.left.set(i, left);
        this.right.set(i, right);
      }
    });

    this.reaction({ triggers: this.area, effects: this.finished }, () =>
      this.finished.set(this.area.values().reduce((sum, area) => sum + area, 0)),
    );
  }
}

class Worker extends Reactor {
  left = this.input();
  right = this.input();
  area = this.output();

  constructor(container, { left, right, pieces }) {
    super(container);
    const width = (right - left) / pieces;
    this.reaction({ triggers: [this.left, this.right], effects: this.area }, () =>
      this.area.set(areaOf(this.left.get(), this.right.get(), width)),
    );
  }
}

class Trapezoidal extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const manager = new Manager(this, parameters);
    const workers = this.bank(parameters.workers, Worker, parameters);
    this.connect([runner.start, manager.finished], [manager.start, runner.finished]);
    this.connect(manager.left, workers.port('left'));
    this.connect(manager.right, workers.port('right'));
    this.connect(workers.port('area'), manager.area);
  }
}

/** The area with the defaults. With other numbers of pieces the area is near it. */
const known = 0.2710807519529576;

const check = (area, parameters) => {
  const isDefault = Object.entries(defaults).every(([name, value]) => parameters[name] === value);
  const { left, right, pieces } = parameters;
  if (isDefault) insist(area === known, () => `the area is ${area}, not ${known}`);
  // The sine goes up and down 20 times between 1 and 5: a thousand pieces are near the area, more are nearer.
  else if (left === 1 && right === 5 && pieces >= 1_000)
    insist(Math.abs(area - known) < 100 / pieces, () => `the area is ${area}, far from ${known}`);
  return `an area of ${area}`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { pieces: 10_000_000, workers: 100, left: 1, right: 5 },
  sizes: {
    workers: bounds.members,
    left: { ...bounds.real, from: 0, to: 100 },
    right: { ...bounds.real, from: 0, to: 100 },
  },
  misfit: ({ pieces, workers }) =>
    pieces >= workers
      ? undefined
      : `"pieces" (${pieces}) are at least as many as "workers" (${workers})`,
  check,
  main: Trapezoidal,
  parts: { manager: Manager, worker: slicesOf(Worker, ({ workers }) => workers) },
});
