import { Reactor } from 'swingset-runner/reactor';
import { benchmark, bounds, insist, Runner, slicesOf } from '../common/benchmark.js';
import { PseudoRandom } from '../common/pseudo-random.js';

/** Waits for all workers, and for the dictionary to tell its size. */
class Manager extends Reactor {
  start = this.input();
  finished = this.output();
  work = this.output();
  end = this.output();
  size = this.input();

  constructor(container, { workers }) {
    super(container);
    this.ended = this.inputs(workers);
    let ended = 0;
    let replies = 0;

    this.reaction({ triggers: this.start, effects: this.work }, () => {
      ended = 0;
      replies = 0;
      this.work.set(true);
    });

    this.reaction({ triggers: this.ended, effects: this.end }, () => {
      this.ended.forEachPresent(count => {
        ended += 1;
        replies += count;
      });
      if (ended === workers) this.end.set(true);
    });

    this.reaction({ triggers: this.size, effects: this.finished }, () =>
      this.finished.set({ replies, size: this.size.get() }),
    );
  }
}

/** Takes the requests of a tag in the order of workers, and answers them all a microstep later. */
class Dictionary extends Reactor {
  reset = this.input();
  end = this.input();
  size = this.output();
  send = this.action();

  constructor(container, { workers }) {
    super(container);
    this.key = this.inputs(workers);
    this.value = this.inputs(workers);
    this.answer = this.outputs(workers);
    const map = new Map();
    /** -1 for a worker that has asked nothing */
    const answers = new Array(workers).fill(-1);

    this.reaction({ triggers: this.reset }, () => map.clear());

    this.reaction({ triggers: this.send, effects: this.answer }, () => {
      for (let i = 0; i < workers; i += 1) {
        if (answers[i] < 0) continue;
        this.answer.set(i, answers[i]);
        answers[i] = -1;
      }
    });

    this.reaction({ triggers: this.key, sources: this.value, effects: this.send }, () => {
      this.key.forEachPresent((key, i) => {
        if (this.value.isPresent(i)) map.set(key, this.value.get(i));
        answers[i] = map.get(key) ?? 0;
      });
      this.send.schedule();
    });

    this.reaction({ triggers: this.end, effects: this.size }, () => this.size.set(map.size));
  }
}

/** Sends a request when the last one was answered: a key to read, or a key and a value to write. */
class Worker extends Reactor {
  work = this.input();
  answer = this.input();
  ended = this.output();
  key = this.output();
  value = this.output();

  constructor(container, { messages, writePercent, first = 0 }) {
    super(container);
    const place = first + this.getBankIndex();
    let random = new PseudoRandom();
    let sent = 0;

    this.reaction(
      { triggers: [this.work, this.answer], effects: [this.key, this.value, this.ended] },
      () => {
        if (this.work.isPresent()) {
          random = new PseudoRandom(place + messages + writePercent);
          sent = 0;
        }
        if (sent === messages) {
          this.ended.set(sent);
          return;
        }
        sent += 1;
        const isWrite = random.nextBelow(100) < writePercent;
        this.key.set(random.next());
        if (isWrite) this.value.set(random.next());
      },
    );
  }
}

class ConcurrentDictionary extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const manager = new Manager(this, parameters);
    const dictionary = new Dictionary(this, parameters);
    const workers = this.bank(parameters.workers, Worker, parameters);
    this.connect([runner.start, manager.finished], [manager.start, runner.finished]);
    this.connect(manager.work, [dictionary.reset, workers.port('work')], { repeat: true });
    this.connect([manager.end, dictionary.size], [dictionary.end, manager.size]);
    this.connect(workers.port('ended'), manager.ended);
    this.connect(workers.port('key'), dictionary.key);
    this.connect(workers.port('value'), dictionary.value);
    this.connect(dictionary.answer, workers.port('answer'));
  }
}

const check = ({ replies, size }, { workers, messages, writePercent }) => {
  const keys = new Set();
  for (let place = 0; place < workers; place += 1) {
    const random = new PseudoRandom(place + messages + writePercent);
    for (let i = 0; i < messages; i += 1) {
      const isWrite = random.nextBelow(100) < writePercent;
      const key = random.next();
      if (!isWrite) continue;
      keys.add(key);
      random.next();
    }
  }
  insist(replies === workers * messages, () => `${replies} of ${workers * messages} replies came`);
  insist(size === keys.size, () => `the dictionary has ${size} keys, not ${keys.size}`);
  return `${replies} replies, ${size} keys`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { workers: 20, messages: 10_000, writePercent: 10 },
  sizes: { workers: bounds.members, writePercent: bounds.percent },
  check,
  main: ConcurrentDictionary,
  parts: {
    manager: Manager,
    dictionary: Dictionary,
    worker: slicesOf(Worker, ({ workers }) => workers),
  },
});
