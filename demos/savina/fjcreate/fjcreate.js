import { Reactor } from 'swingset-runner/reactor';
import { benchmark, bounds, insist, Runner } from '../common/benchmark.js';
import { Join } from '../common/join.js';

/** Lives for one message. */
class Worker extends Reactor {
  message = this.input();
  result = this.output();

  work = this.reaction({ triggers: this.message, effects: this.result }, () => {
    const sine = Math.sin(37.2);
    this.result.set(sine * sine);
  });
}

/** Makes workers, one a microstep, and counts what they answer. */
class Producer extends Reactor {
  start = this.input();
  finished = this.output();
  create = this.action();
  worker = this.transient(Worker, ['result']);

  constructor(container, { workers, shares }) {
    super(container);
    const own = workers / shares;
    let made = 0;
    let answers = 0;

    this.reaction({ triggers: this.start, effects: this.create }, () => {
      made = 0;
      answers = 0;
      this.create.schedule();
    });

    this.reaction({ triggers: this.create, effects: [this.create, this.worker] }, () => {
      made += 1;
      this.worker.spawn(true);
      if (made < own) this.create.schedule();
    });

    this.reaction({ triggers: this.worker.result, effects: this.finished }, () => {
      if (this.worker.result.get() > 0) answers += 1;
      if (made === own) this.finished.set(answers);
    });
  }
}

class ForkJoin extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const producer = new Producer(this, parameters);
    this.connect([runner.start, producer.finished], [producer.start, runner.finished]);
  }
}

const check = (answers, { workers }) => {
  insist(answers === workers, () => `${answers} of ${workers} workers answered`);
  return `${answers} workers`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { workers: 40_000 },
  ofParts: { shares: 1, branches: 2 },
  sizes: { workers: bounds.members, branches: bounds.members },
  misfit: ({ workers, shares }) =>
    workers % shares === 0
      ? undefined
      : `"workers" (${workers}) is a multiple of "shares" (${shares})`,
  check,
  main: ForkJoin,
  parts: { producer: Producer, join: Join },
});
