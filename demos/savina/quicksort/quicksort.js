import { Reactor } from 'swingset-runner/reactor';
import { benchmark, bounds, insist, Runner } from '../common/benchmark.js';
import { PseudoRandom } from '../common/pseudo-random.js';
import { Numbers } from './numbers.js';

const drawNumbers = ({ values, seed, bits }) => {
  const random = new PseudoRandom(seed);
  return Numbers.of(values, () => random.next() % 2 ** bits);
};

/** Sorts few numbers by itself, and of many the smaller and the larger ones by a child each. */
class QuickSort extends Reactor {
  numbers = this.input();
  threshold = this.input();
  sorted = this.output();
  left = this.transient(QuickSort, ['sorted']);
  right = this.transient(QuickSort, ['sorted']);
  equal = this.state(() => ({ numbers: Numbers.of(0) }));

  split = this.reaction(
    {
      triggers: this.numbers,
      sources: this.threshold,
      effects: [this.sorted, this.left, this.right],
    },
    () => {
      const numbers = this.numbers.get();
      const threshold = this.threshold.get();
      if (numbers.length < threshold) {
        this.sorted.set(numbers.sorted());
        return;
      }
      const { less, equal, more } = numbers.split();
      this.equal.get().numbers = equal;
      this.left.spawn(less, threshold);
      this.right.spawn(more, threshold);
    },
  );

  join = this.reaction(
    { triggers: [this.left.sorted, this.right.sorted], effects: this.sorted },
    () => {
      const { numbers } = this.equal.get();
      this.sorted.set(Numbers.join([this.left.sorted.get(), numbers, this.right.sorted.get()]));
    },
  );
}

/** Draws the numbers, and says whether they come back sorted. */
class Sorter extends Reactor {
  start = this.input();
  finished = this.output();

  constructor(container, parameters) {
    super(container);
    const root = this.transient(QuickSort, ['sorted']);
    this.reaction({ triggers: this.start, effects: root }, () =>
      root.spawn(drawNumbers(parameters), parameters.threshold),
    );
    this.reaction({ triggers: root.sorted, effects: this.finished }, () =>
      this.finished.set(root.sorted.get().describe()),
    );
  }
}

class Main extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const sorter = new Sorter(this, parameters);
    this.connect([runner.start, sorter.finished], [sorter.start, runner.finished]);
  }
}

const check = ({ length, isSorted, sum }, parameters) => {
  const expected = drawNumbers(parameters).describe();
  insist(length === expected.length, () => `${length} of ${expected.length} numbers came`);
  insist(isSorted, () => 'the numbers are not sorted');
  insist(sum === expected.sum, () => `the numbers sum up to ${sum}, not ${expected.sum}`);
  return `${length} numbers in order, ${sum} in all`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { values: 1_000_000, bits: 60, threshold: 2_048, seed: 1_024 },
  sizes: { values: bounds.values, bits: bounds.bits, seed: bounds.seed },
  check,
  main: Main,
  parts: { sorter: Sorter },
});
