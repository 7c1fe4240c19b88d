import { Reactor } from 'swingset-runner/reactor';
import { benchmark, bounds, insist, Runner, slicesOf } from '../common/benchmark.js';

/** The term behind another one: rate * x * (1 - x). */
class RateComputer extends Reactor {
  term = this.input();
  result = this.output();

  constructor(container, { rate }) {
    super(container);
    this.reaction({ triggers: this.term, effects: this.result }, () => {
      const term = this.term.get();
      this.result.set(rate * term * (1 - term));
    });
  }
}

class Series extends Reactor {
  reset = this.input();
  next = this.input();
  end = this.input();
  term = this.output();

  constructor(container, { startRate, increment, first = 0 }) {
    super(container);
    const place = first + this.getBankIndex();
    const computer = new RateComputer(this, { rate: startRate + place * increment });
    let term = 0;

    this.reaction({ triggers: this.reset }, () => {
      term = place * increment;
    });

    this.reaction({ triggers: this.next, effects: computer.term }, () => computer.term.set(term));

    this.reaction({ triggers: computer.result }, () => {
      term = computer.result.get();
    });

    this.reaction({ triggers: this.end, effects: this.term }, () => this.term.set(term));
  }
}

/** Asks all series for a term at each microstep, and at the end for the last one. */
class Manager extends Reactor {
  start = this.input();
  finished = this.output();
  nextTerm = this.output();
  end = this.output();
  next = this.action();

  constructor(container, { series, terms }) {
    super(container);
    this.results = this.inputs(series);
    let asked = 0;

    this.reaction(
      { triggers: [this.start, this.next], effects: [this.nextTerm, this.end, this.next] },
      () => {
        if (this.start.isPresent()) asked = 0;
        if (asked === terms) {
          this.end.set(true);
          return;
        }
        asked += 1;
        this.nextTerm.set(true);
        this.next.schedule();
      },
    );

    this.reaction({ triggers: this.results, effects: this.finished }, () =>
      this.finished.set(this.results.values().reduce((sum, term) => sum + term, 0)),
    );
  }
}

class LogisticMap extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const manager = new Manager(this, parameters);
    const series = this.bank(parameters.series, Series, parameters);
    this.connect(runner.start, [manager.start, series.port('reset')], { repeat: true });
    this.connect(manager.finished, runner.finished);
    this.connect(manager.nextTerm, series.port('next'), { repeat: true });
    this.connect(manager.end, series.port('end'), { repeat: true });
    this.connect(series.port('term'), manager.results);
  }
}

const check = (sum, { series, terms, startRate, increment }) => {
  let expected = 0;
  for (let place = 0; place < series; place += 1) {
    const rate = startRate + place * increment;
    let term = place * increment;
    for (let i = 0; i < terms; i += 1) term = rate * term * (1 - term);
    expected += term;
  }
  insist(sum === expected, () => `the sum of the terms is ${sum}, not ${expected}`);
  return `a sum of terms of ${sum}`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { terms: 25_000, series: 10, startRate: 3.46, increment: 0.0025 },
  sizes: {
    series: bounds.members,
    startRate: { from: 0, to: 4, isReal: true },
    increment: bounds.real,
  },
  misfit: ({ startRate, increment, series }) => {
    const last = startRate + series * increment;
    return last >= 0 && last <= 4
      ? undefined
      : `the rates go from ${startRate} to ${last}; give ones from 0 to 4`;
  },
  check,
  main: LogisticMap,
  parts: { manager: Manager, series: slicesOf(Series, ({ series }) => series) },
});
