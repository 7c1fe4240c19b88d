import { Reactor } from 'swingset-runner/reactor';
import { benchmark, insist, Runner } from '../common/benchmark.js';

/** Sends so many messages, one a microstep, and then asks how many have come. */
class Producer extends Reactor {
  start = this.input();
  finished = this.output();
  reset = this.output();
  increment = this.output();
  retrieve = this.output();
  result = this.input();
  count = this.action();

  constructor(container, { messages }) {
    super(container);
    let sent = 0;

    this.reaction({ triggers: this.start, effects: [this.count, this.reset] }, () => {
      sent = 0;
      this.reset.set(true);
      this.count.schedule();
    });

    this.reaction(
      { triggers: this.count, effects: [this.increment, this.retrieve, this.count] },
      () => {
        if (sent < messages) {
          sent += 1;
          this.increment.set(true);
          this.count.schedule();
        } else {
          this.retrieve.set(true);
        }
      },
    );

    this.reaction({ triggers: this.result, effects: this.finished }, () =>
      this.finished.set(this.result.get()),
    );
  }
}

class Counter extends Reactor {
  reset = this.input();
  increment = this.input();
  retrieve = this.input();
  result = this.output();
  count = 0;

  begin = this.reaction({ triggers: this.reset }, () => {
    this.count = 0;
  });

  add = this.reaction({ triggers: this.increment }, () => {
    this.count += 1;
  });

  tell = this.reaction({ triggers: this.retrieve, effects: this.result }, () =>
    this.result.set(this.count),
  );
}

class Counting extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const producer = new Producer(this, parameters);
    const counter = new Counter(this);
    this.connect([runner.start, producer.finished], [producer.start, runner.finished]);
    this.connect(
      [producer.reset, producer.increment, producer.retrieve],
      [counter.reset, counter.increment, counter.retrieve],
    );
    this.connect(counter.result, producer.result);
  }
}

const check = (count, { messages }) => {
  insist(count === messages, () => `${count} of ${messages} messages came`);
  return `${count} messages`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { messages: 1_000_000 },
  check,
  main: Counting,
  parts: { producer: Producer, counter: Counter },
});
