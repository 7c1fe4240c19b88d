import { Reactor } from 'swingset-runner/reactor';
import { benchmark, bounds, insist, rangesOf, Runner } from '../common/benchmark.js';
import { PseudoRandom } from '../common/pseudo-random.js';

/** Sends random values, one a microstep. */
class Source extends Reactor {
  start = this.input();
  value = this.output();
  next = this.action();

  constructor(container, { values, seed, bits }) {
    super(container);
    const limit = 2 ** bits;
    let random = new PseudoRandom(seed);
    let sent = 0;

    this.reaction({ triggers: this.start, effects: this.next }, () => {
      random = new PseudoRandom(seed);
      sent = 0;
      this.next.schedule();
    });

    this.reaction({ triggers: this.next, effects: [this.value, this.next] }, () => {
      this.value.set(random.next() % limit);
      sent += 1;
      if (sent < values) this.next.schedule();
    });
  }
}

/** Passes on values that have a bit not set, and when all have come, those that have it set. */
class Sorter extends Reactor {
  reset = this.input();
  value = this.input();
  sorted = this.output();
  flush = this.action();

  constructor(container, { values, first = 0 }) {
    super(container);
    const weight = 2 ** (first + this.getBankIndex());
    /** Whether any value can have the bit: a plain number has 31 of them as an integer. */
    const isSmall = weight < 2 ** 31;
    const hasBit = value =>
      isSmall && value < 2 ** 31
        ? (value & weight) !== 0
        : value >= weight && Math.floor(value / weight) % 2 === 1;
    const kept = new Array(values).fill(0);
    let keptCount = 0;
    let come = 0;
    let sent = 0;

    this.reaction({ triggers: this.reset }, () => {
      keptCount = 0;
      come = 0;
      sent = 0;
    });

    this.reaction({ triggers: this.value, effects: [this.sorted, this.flush] }, () => {
      const value = this.value.get();
      come += 1;
      if (hasBit(value)) {
        kept[keptCount] = value;
        keptCount += 1;
      } else {
        this.sorted.set(value);
      }
      if (come === values && keptCount > 0) this.flush.schedule();
    });

    this.reaction({ triggers: this.flush, effects: [this.sorted, this.flush] }, () => {
      this.sorted.set(kept[sent]);
      sent += 1;
      if (sent < keptCount) this.flush.schedule();
    });
  }
}

/** Looks whether values come in ascending order, and adds them. */
class Validation extends Reactor {
  value = this.input();
  finished = this.output();

  constructor(container, { values }) {
    super(container);
    let come = 0;
    let sum = 0;
    let last = 0;

    this.reaction({ triggers: this.value, effects: this.finished }, () => {
      const value = this.value.get();
      insist(value >= last, () => `${value} comes behind ${last}`);
      last = value;
      sum += value;
      come += 1;
      if (come < values) return;
      this.finished.set(sum);
      come = 0;
      sum = 0;
      last = 0;
    });
  }
}

/** Sorters one behind the other. */
class Segment extends Reactor {
  reset = this.input();
  value = this.input();
  sorted = this.output();

  constructor(container, { count, ...parameters }) {
    super(container);
    const sorters = this.bank(count, Sorter, parameters);
    this.connect(this.reset, sorters.port('reset'), { repeat: true });
    this.connect([this.value, ...sorters.port('sorted')], [...sorters.port('value'), this.sorted]);
  }
}

class RadixSort extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const source = new Source(this, parameters);
    const sorters = this.bank(parameters.bits, Sorter, parameters);
    const validation = new Validation(this, parameters);
    this.connect(runner.start, [source.start, sorters.port('reset')], { repeat: true });
    this.connect(validation.finished, runner.finished);
    this.connect(
      [source.value, ...sorters.port('sorted')],
      [...sorters.port('value'), validation.value],
    );
  }
}

const check = (sum, { values, seed, bits }) => {
  const random = new PseudoRandom(seed);
  let expected = 0;
  for (let i = 0; i < values; i += 1) expected += random.next() % 2 ** bits;
  insist(sum === expected, () => `the values sum up to ${sum}, not ${expected}`);
  return `${values} values in order, ${sum} in all`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { values: 100_000, bits: 60, seed: 2_048 },
  sizes: { values: bounds.values, bits: bounds.bits, seed: bounds.seed },
  check,
  main: RadixSort,
  parts: { source: Source, segment: rangesOf(Segment, ({ bits }) => bits), validation: Validation },
});
