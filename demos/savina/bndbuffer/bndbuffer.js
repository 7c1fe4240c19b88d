import { Reactor } from 'swingset-runner/reactor';
import { benchmark, bounds, insist, Runner, slicesOf } from '../common/benchmark.js';
import { PseudoRandom } from '../common/pseudo-random.js';

/** Work on an item: a hundred logarithms for each unit of cost. */
const processItem = (item, cost) => {
  const random = new PseudoRandom(cost);
  const turns = cost > 0 ? cost * 100 : 1;
  let result = item;
  for (let i = 0; i < turns; i += 1) result += Math.log(Math.abs(random.nextDouble()) + 0.01);
  return result;
};

/** Hands items to consumers, and asks producers in turn for as many as the buffer has room for. */
class Manager extends Reactor {
  start = this.input();
  finished = this.output();

  constructor(container, { producers, consumers, buffer }) {
    super(container);
    this.produce = this.outputs(producers);
    this.produced = this.inputs(producers);
    this.ended = this.inputs(producers);
    this.available = this.inputs(consumers);
    this.item = this.outputs(consumers);
    let pending = [];
    /** Consumers that wait for an item, and producers that may be asked for one, first in, first out. */
    let idle = [];
    let ready = [];
    let making = 0;
    let ended = 0;
    let consumed = 0;

    const hand = () => {
      while (pending.length > 0 && idle.length > 0) {
        this.item.set(idle.shift(), pending.shift());
        consumed += 1;
      }
    };
    const ask = () => {
      while (ready.length > 0 && pending.length + making < buffer) {
        this.produce.set(ready.shift(), true);
        making += 1;
      }
    };

    this.reaction({ triggers: this.start, effects: this.produce }, () => {
      pending = [];
      idle = [];
      ready = Array.from({ length: producers }, (_, i) => i);
      making = 0;
      ended = 0;
      consumed = 0;
      ask();
    });

    this.reaction(
      { triggers: this.available, effects: [this.item, this.produce, this.finished] },
      () => {
        idle.push(...this.available.present());
        hand();
        ask();
        if (ended === producers && idle.length === consumers) this.finished.set(consumed);
      },
    );

    this.reaction({ triggers: this.produced, sources: this.ended, effects: this.item }, () => {
      this.produced.forEachPresent((item, producer) => {
        pending.push(item);
        making -= 1;
        if (this.ended.isPresent(producer)) ended += 1;
        else ready.push(producer);
      });
      insist(pending.length <= buffer, () => `${pending.length} items in a buffer of ${buffer}`);
      hand();
    });
  }
}

class Producer extends Reactor {
  reset = this.input();
  produce = this.input();
  produced = this.output();
  ended = this.output();

  constructor(container, { items, produceCost }) {
    super(container);
    let item = 0;
    let count = 0;

    this.reaction({ triggers: this.reset }, () => {
      item = 0;
      count = 0;
    });

    this.reaction({ triggers: this.produce, effects: [this.produced, this.ended] }, () => {
      item = processItem(item, produceCost);
      count += 1;
      this.produced.set(item);
      if (count === items) this.ended.set(true);
    });
  }
}

class Consumer extends Reactor {
  reset = this.input();
  item = this.input();
  available = this.output();
  ready = this.action();

  constructor(container, { consumeCost }) {
    super(container);
    let result = 0;

    this.reaction({ triggers: this.reset, effects: this.ready }, () => {
      result = 0;
      this.ready.schedule();
    });

    this.reaction({ triggers: this.ready, effects: this.available }, () =>
      this.available.set(true),
    );

    this.reaction({ triggers: this.item, effects: this.ready }, () => {
      result = processItem(result + this.item.get(), consumeCost);
      this.ready.schedule();
    });
  }
}

class BoundedBuffer extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const manager = new Manager(this, parameters);
    const producers = this.bank(parameters.producers, Producer, parameters);
    const consumers = this.bank(parameters.consumers, Consumer, parameters);
    const resets = [...producers.port('reset'), ...consumers.port('reset')];
    this.connect(runner.start, [manager.start, resets], { repeat: true });
    this.connect(manager.finished, runner.finished);
    this.connect(manager.produce, producers.port('produce'));
    this.connect(producers.port('produced'), manager.produced);
    this.connect(producers.port('ended'), manager.ended);
    this.connect(consumers.port('available'), manager.available);
    this.connect(manager.item, consumers.port('item'));
  }
}

const check = (consumed, { producers, items }) => {
  insist(consumed === producers * items, () => `${consumed} of ${producers * items} items came`);
  return `${consumed} items`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: {
    buffer: 50,
    producers: 40,
    consumers: 40,
    items: 1_000,
    produceCost: 25,
    consumeCost: 25,
  },
  sizes: {
    producers: bounds.members,
    consumers: bounds.members,
    produceCost: bounds.fromZero,
    consumeCost: bounds.fromZero,
  },
  check,
  main: BoundedBuffer,
  parts: {
    manager: Manager,
    producer: slicesOf(Producer, ({ producers }) => producers),
    consumer: slicesOf(Consumer, ({ consumers }) => consumers),
  },
});
