import { Reactor } from 'swingset-runner/reactor';
import { benchmark, bounds, insist, Runner } from '../common/benchmark.js';
import { PseudoRandom } from '../common/pseudo-random.js';

const drawValues = ({ values, seed, bits }) => {
  const random = new PseudoRandom(seed);
  return Array.from({ length: values }, () => random.next() % 2 ** bits);
};

/** Puts two values in order, ascending or descending. */
class CompareExchange extends Reactor {
  one = this.input();
  other = this.input();
  first = this.output();
  second = this.output();

  constructor(container, isUp) {
    super(container);
    this.reaction({ triggers: [this.one, this.other], effects: [this.first, this.second] }, () => {
      const one = this.one.get();
      const other = this.other.get();
      const isInOrder = one <= other === isUp;
      this.first.set(isInOrder ? one : other);
      this.second.set(isInOrder ? other : one);
    });
  }
}

/** Sorts what ascends and then descends: exchanges between its halves, and then sorts each half. */
class Merge extends Reactor {
  constructor(container, width, isUp) {
    super(container);
    this.in = this.inputs(width);
    this.out = this.outputs(width);
    const half = width / 2;
    const pairs = this.bank(half, CompareExchange, isUp);
    this.connect(this.in, [pairs.port('one'), pairs.port('other')]);
    const between = [pairs.port('first'), pairs.port('second')];
    if (half === 1) {
      this.connect(between, this.out);
      return;
    }
    const left = new Merge(this, half, isUp);
    const right = new Merge(this, half, isUp);
    this.connect(between, [left.in, right.in]);
    this.connect([left.out, right.out], this.out);
  }
}

/** Sorts one half up and the other down, and merges them. */
class Sort extends Reactor {
  constructor(container, width, isUp) {
    super(container);
    this.in = this.inputs(width);
    this.out = this.outputs(width);
    const merge = new Merge(this, width, isUp);
    this.connect(merge.out, this.out);
    if (width === 2) {
      this.connect(this.in, merge.in);
      return;
    }
    const left = new Sort(this, width / 2, true);
    const right = new Sort(this, width / 2, false);
    this.connect(this.in, [left.in, right.in]);
    this.connect([left.out, right.out], merge.in);
  }
}

class Source extends Reactor {
  start = this.input();

  constructor(container, parameters) {
    super(container);
    this.out = this.outputs(parameters.values);
    this.reaction({ triggers: this.start, effects: this.out }, () =>
      drawValues(parameters).forEach((value, i) => this.out.set(i, value)),
    );
  }
}

/** The half of the network that sorts upwards, or the one that sorts downwards. */
class Sorter extends Reactor {
  constructor(container, { values, half }) {
    super(container);
    const width = values / 2;
    this.in = this.inputs(width);
    this.out = this.outputs(width);
    const sort = new Sort(this, width, half === 'up');
    this.connect([this.in, sort.out], [sort.in, this.out]);
  }
}

class Merger extends Reactor {
  constructor(container, { values }) {
    super(container);
    this.in = this.inputs(values);
    this.out = this.outputs(values);
    const merge = new Merge(this, values, true);
    this.connect([this.in, merge.out], [merge.in, this.out]);
  }
}

class Validation extends Reactor {
  finished = this.output();

  constructor(container, { values }) {
    super(container);
    this.in = this.inputs(values);
    this.reaction({ triggers: this.in, effects: this.finished }, () =>
      this.finished.set(this.in.values()),
    );
  }
}

class BitonicSort extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const source = new Source(this, parameters);
    const sort = new Sort(this, parameters.values, true);
    const validation = new Validation(this, parameters);
    this.connect([runner.start, validation.finished], [source.start, runner.finished]);
    this.connect([source.out, sort.out], [sort.in, validation.in]);
  }
}

const check = (sorted, parameters) => {
  const expected = drawValues(parameters).sort((a, b) => a - b);
  insist(sorted.length === expected.length, () => `${sorted.length} values came`);
  expected.forEach((value, i) => {
    insist(sorted[i] === value, () => `value ${i} is ${sorted[i]}, not ${value}`);
  });
  return `${sorted.length} values in order, ${sorted.reduce((sum, value) => sum + value, 0)} in all`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { values: 4_096, bits: 60, seed: 2_048 },
  ofParts: { half: 'up' },
  sizes: {
    values: { from: 2, to: 2 ** 20 },
    bits: bounds.bits,
    seed: bounds.seed,
    half: { oneOf: ['up', 'down'] },
  },
  misfit: ({ values }) =>
    Number.isInteger(Math.log2(values)) ? undefined : `"values" is a power of two, got ${values}`,
  check,
  main: BitonicSort,
  parts: { source: Source, sorter: Sorter, merger: Merger, validation: Validation },
});
