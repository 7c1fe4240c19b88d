import { Reactor } from 'swingset-runner/reactor';
import { benchmark, bounds, insist, Runner, slicesOf } from '../common/benchmark.js';
import { makeNumbers } from '../common/make-numbers.js';

/** Coefficients of the two filters of a channel. */
const firstCoefficient = (channel, column, { columns, channels }) =>
  column * columns + channel * channels + channel + column + channel + 1;
const secondCoefficient = (channel, column) =>
  column * channel + channel * channel + channel + column;

const maxValue = 1_000;

class Producer extends Reactor {
  start = this.input();
  next = this.output();
  end = this.output();
  send = this.action();

  constructor(container, { simulations }) {
    super(container);
    let sent = 0;

    this.reaction({ triggers: this.start, effects: this.send }, () => {
      sent = 0;
      this.send.schedule();
    });

    this.reaction({ triggers: this.send, effects: [this.send, this.next, this.end] }, () => {
      if (sent === simulations) {
        this.end.set(true);
        return;
      }
      sent += 1;
      this.next.set(true);
      this.send.schedule();
    });
  }
}

/** A saw-tooth. */
class Source extends Reactor {
  next = this.input();
  ended = this.input();
  value = this.output();
  end = this.output();
  current = 0;

  send = this.reaction({ triggers: this.next, effects: this.value }, () => {
    this.value.set(this.current);
    this.current = (this.current + 1) % maxValue;
  });

  stop = this.reaction({ triggers: this.ended, effects: this.end }, () => {
    this.current = 0;
    this.end.set(true);
  });
}

/** Passes a value on when so many others have come. */
class Delay extends Reactor {
  value = this.input();
  ended = this.input();
  out = this.output();
  end = this.output();

  constructor(container, length) {
    super(container);
    const held = makeNumbers(length);
    let at = 0;

    this.reaction({ triggers: this.value, effects: this.out }, () => {
      this.out.set(held[at]);
      held[at] = this.value.get();
      at = (at + 1) % length;
    });

    this.reaction({ triggers: this.ended, effects: this.end }, () => {
      held.fill(0);
      at = 0;
      this.end.set(true);
    });
  }
}

/** The sum of the last values times coefficients, when there are enough values. */
class FirFilter extends Reactor {
  value = this.input();
  ended = this.input();
  out = this.output();
  end = this.output();

  constructor(container, coefficients) {
    super(container);
    const { length } = coefficients;
    const held = makeNumbers(length);
    let at = 0;
    let isFull = false;

    this.reaction({ triggers: this.value, effects: this.out }, () => {
      held[at] = this.value.get();
      at += 1;
      if (at === length) {
        isFull = true;
        at = 0;
      }
      if (!isFull) return;
      let sum = 0;
      for (let i = 0; i < length; i += 1) sum += held[i] * coefficients[length - i - 1];
      this.out.set(sum);
    });

    this.reaction({ triggers: this.ended, effects: this.end }, () => {
      held.fill(0);
      at = 0;
      isFull = false;
      this.end.set(true);
    });
  }
}

/** Passes on each so-manieth value, and 0 for the others. */
class SampleFilter extends Reactor {
  value = this.input();
  ended = this.input();
  out = this.output();
  end = this.output();

  constructor(container, rate) {
    super(container);
    let come = 0;

    this.reaction({ triggers: this.value, effects: this.out }, () => {
      this.out.set(come === 0 ? this.value.get() : 0);
      come = (come + 1) % rate;
    });

    this.reaction({ triggers: this.ended, effects: this.end }, () => {
      come = 0;
      this.end.set(true);
    });
  }
}

/** One channel: five stages. */
class Bank extends Reactor {
  value = this.input();
  ended = this.input();
  out = this.output();
  end = this.output();

  constructor(container, parameters) {
    super(container);
    const { columns, first = 0 } = parameters;
    const channel = first + this.getBankIndex();
    const coefficients = coefficientOf => {
      const numbers = makeNumbers(columns);
      for (let i = 0; i < columns; i += 1) numbers[i] = coefficientOf(channel, i, parameters);
      return numbers;
    };
    const stages = [
      new Delay(this, columns - 1),
      new FirFilter(this, coefficients(firstCoefficient)),
      new SampleFilter(this, columns),
      new Delay(this, columns - 1),
      new FirFilter(this, coefficients(secondCoefficient)),
    ];
    this.connect(
      [this.value, ...stages.map(({ out }) => out)],
      [...stages.map(({ value }) => value), this.out],
    );
    this.connect(
      [this.ended, ...stages.map(({ end }) => end)],
      [...stages.map(({ ended }) => ended), this.end],
    );
  }
}

/** Adds what all channels give at a tag. */
class Combine extends Reactor {
  out = this.output();
  end = this.output();

  constructor(container, { channels }) {
    super(container);
    this.value = this.inputs(channels);
    this.ended = this.inputs(channels);
    let ended = 0;

    this.reaction({ triggers: this.value, effects: this.out }, () => {
      let sum = 0;
      for (let i = 0; i < channels; i += 1) sum += this.value.get(i);
      this.out.set(sum);
    });

    this.reaction({ triggers: this.ended, effects: this.end }, () => {
      ended += this.ended.present().length;
      if (ended < channels) return;
      ended = 0;
      this.end.set(true);
    });
  }
}

class Sink extends Reactor {
  value = this.input();
  ended = this.input();
  finished = this.output();
  count = 0;
  last = 0;

  take = this.reaction({ triggers: this.value }, () => {
    this.count += 1;
    this.last = this.value.get();
  });

  stop = this.reaction({ triggers: this.ended, effects: this.finished }, () => {
    this.finished.set({ count: this.count, last: this.last });
    this.count = 0;
    this.last = 0;
  });
}

class FilterBank extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const producer = new Producer(this, parameters);
    const source = new Source(this);
    const banks = this.bank(parameters.channels, Bank, parameters);
    const combine = new Combine(this, parameters);
    const sink = new Sink(this);
    this.connect([runner.start, sink.finished], [producer.start, runner.finished]);
    this.connect([producer.next, producer.end], [source.next, source.ended]);
    this.connect(source.value, banks.port('value'), { repeat: true });
    this.connect(source.end, banks.port('ended'), { repeat: true });
    this.connect(banks.port('out'), combine.value);
    this.connect(banks.port('end'), combine.ended);
    this.connect([combine.out, combine.end], [sink.value, sink.ended]);
  }
}

/**
 * The output of a filter after `count` values: its places are filled in turn, so they hold the last values, but not in the
 * order in which they came.
 */
const filtered = (count, length, valueAt, coefficientAt) => {
  let sum = 0;
  for (let i = 0; i < length; i += 1) {
    const last = count - 1 - ((count - 1 - i) % length);
    sum += valueAt(last) * coefficientAt(length - i - 1);
  }
  return sum;
};

/** The last value at the sink, channel by channel, from what the stages do to a whole signal. */
const expectedOf = parameters => {
  const { simulations, columns, channels } = parameters;
  const delay = columns - 1;
  const delayed = i => (i < delay ? 0 : (i - delay) % maxValue);
  let sum = 0;
  for (let channel = 0; channel < channels; channel += 1) {
    // The second filter multiplies mostly zeros: only each so-manieth value passes the sample filter.
    const sampled = i =>
      i < 0 || i % columns !== 0
        ? 0
        : filtered(i + columns, columns, delayed, at => firstCoefficient(channel, at, parameters));
    const atSecond = i => (i < delay ? 0 : sampled(i - delay));
    const count = simulations - delay;
    sum += filtered(count, columns, atSecond, at => secondCoefficient(channel, at));
  }
  return sum;
};

const check = ({ count, last }, parameters) => {
  const { simulations, columns } = parameters;
  const expected = Math.max(0, simulations - 2 * (columns - 1));
  insist(count === expected, () => `${count} of ${expected} values came to the sink`);
  if (count > 0) {
    const value = expectedOf(parameters);
    insist(
      Math.abs(last - value) <= 1e-9 * Math.abs(value),
      () => `the last value is ${last}, not ${value}`,
    );
  }
  return `${count} values, the last one ${last}`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { simulations: 34_816, columns: 16_384, channels: 8 },
  sizes: { columns: { from: 2, to: 2 ** 27 }, channels: bounds.members },
  check,
  main: FilterBank,
  parts: {
    producer: Producer,
    source: Source,
    bank: slicesOf(Bank, ({ channels }) => channels),
    combine: Combine,
    sink: Sink,
  },
});
