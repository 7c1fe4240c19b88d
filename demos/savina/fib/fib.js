import { Reactor } from 'swingset-runner/reactor';
import { benchmark, bounds, insist, Runner } from '../common/benchmark.js';
import { Join } from '../common/join.js';

/** The n-th Fibonacci number, by two children that compute the two before it and are gone. */
class Fibonacci extends Reactor {
  n = this.input();
  value = this.output();
  one = this.transient(Fibonacci, ['value']);
  two = this.transient(Fibonacci, ['value']);

  split = this.reaction({ triggers: this.n, effects: [this.value, this.one, this.two] }, () => {
    const n = this.n.get();
    if (n <= 2) {
      this.value.set(1);
      return;
    }
    this.one.spawn(n - 1);
    this.two.spawn(n - 2);
  });

  add = this.reaction({ triggers: [this.one.value, this.two.value], effects: this.value }, () =>
    this.value.set(this.one.value.get() + this.two.value.get()),
  );
}

/** Computes the n-th number, or one that lies `before` it. */
class Branch extends Reactor {
  start = this.input();
  value = this.output();

  constructor(container, { n, before = 0 }) {
    super(container);
    const root = this.transient(Fibonacci, ['value']);
    this.reaction({ triggers: this.start, effects: root }, () => root.spawn(n - before));
    this.reaction({ triggers: root.value, effects: this.value }, () =>
      this.value.set(root.value.get()),
    );
  }
}

class Main extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const branch = new Branch(this, parameters);
    this.connect([runner.start, branch.value], [branch.start, runner.finished]);
  }
}

const check = (value, { n }) => {
  let [a, b] = [0, 1];
  for (let i = 1; i < n; i += 1) [a, b] = [b, a + b];
  insist(value === b, () => `fib(${n}) is ${b}, not ${value}`);
  return `fib(${n}) is ${value}`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { n: 25 },
  ofParts: { before: 0, branches: 2 },
  sizes: { n: { to: 40 }, before: bounds.fromZero, branches: bounds.members },
  misfit: ({ n, before }) =>
    before < n ? undefined : `"before" (${before}) is less than "n" (${n})`,
  check,
  main: Main,
  parts: { branch: Branch, join: Join },
});
