import { Reactor } from 'swingset-runner/reactor';
import { benchmark, bounds, insist, Runner, slicesOf } from '../common/benchmark.js';

/** Sends each message to all workers, and then asks them how many have come. */
class Producer extends Reactor {
  start = this.input();
  finished = this.output();
  message = this.output();
  end = this.output();
  next = this.action();

  constructor(container, { messages, workers }) {
    super(container);
    this.counts = this.inputs(workers);
    let sent = 0;

    this.reaction({ triggers: this.start, effects: this.next }, () => {
      sent = 0;
      this.next.schedule();
    });

    this.reaction({ triggers: this.next, effects: [this.message, this.end, this.next] }, () => {
      if (sent === messages) {
        this.end.set(true);
        return;
      }
      sent += 1;
      this.message.set(true);
      this.next.schedule();
    });

    this.reaction({ triggers: this.counts, effects: this.finished }, () => {
      this.finished.set(this.counts.values());
    });
  }
}

class Worker extends Reactor {
  message = this.input();
  end = this.input();
  count = this.output();
  done = 0;

  work = this.reaction({ triggers: this.message }, () => {
    const sine = Math.sin(37.2);
    if (sine * sine > 0) this.done += 1;
  });

  tell = this.reaction({ triggers: this.end, effects: this.count }, () => {
    this.count.set(this.done);
    this.done = 0;
  });
}

class Throughput extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const producer = new Producer(this, parameters);
    const workers = this.bank(parameters.workers, Worker);
    this.connect([runner.start, producer.finished], [producer.start, runner.finished]);
    this.connect(producer.message, workers.port('message'), { repeat: true });
    this.connect(producer.end, workers.port('end'), { repeat: true });
    this.connect(workers.port('count'), producer.counts);
  }
}

const check = (counts, { messages, workers }) => {
  insist(counts.length === workers, () => `${counts.length} of ${workers} workers answered`);
  insist(
    counts.every(count => count === messages),
    () => `workers counted ${counts.join(', ')}, not ${messages} each`,
  );
  return `${messages} messages to each of ${workers} workers`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { messages: 10_000, workers: 60 },
  sizes: { workers: bounds.members },
  check,
  main: Throughput,
  parts: { producer: Producer, worker: slicesOf(Worker, ({ workers }) => workers) },
});
