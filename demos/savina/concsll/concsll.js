import { Reactor } from 'swingset-runner/reactor';
import { benchmark, bounds, insist, Runner, slicesOf } from '../common/benchmark.js';
import { PseudoRandom } from '../common/pseudo-random.js';
import { SortedList } from './sorted-list.js';

/** Waits for all workers, and for the list to tell its size. */
class Manager extends Reactor {
  start = this.input();
  finished = this.output();
  work = this.output();
  end = this.output();
  result = this.input();

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

    this.reaction({ triggers: this.result, effects: this.finished }, () =>
      this.finished.set({ replies, ...this.result.get() }),
    );
  }
}

/** Takes the requests of a tag in the order of workers, and answers them all a microstep later. */
class List extends Reactor {
  reset = this.input();
  end = this.input();
  result = this.output();
  send = this.action();

  constructor(container, { workers }) {
    super(container);
    this.write = this.inputs(workers);
    this.read = this.inputs(workers);
    this.count = this.inputs(workers);
    this.answer = this.outputs(workers);
    const list = new SortedList();
    /** -1 for a worker that has asked nothing */
    const answers = new Array(workers).fill(-1);

    this.reaction({ triggers: this.reset }, () => list.clear());

    this.reaction({ triggers: this.send, effects: this.answer }, () => {
      for (let i = 0; i < workers; i += 1) {
        if (answers[i] < 0) continue;
        this.answer.set(i, answers[i]);
        answers[i] = -1;
      }
    });

    this.reaction({ triggers: [this.write, this.read, this.count], effects: this.send }, () => {
      for (let i = 0; i < workers; i += 1) {
        if (this.write.isPresent(i)) {
          answers[i] = this.write.get(i);
          list.add(answers[i]);
        } else if (this.read.isPresent(i)) {
          answers[i] = Number(list.includes(this.read.get(i)));
        } else if (this.count.isPresent(i)) {
          answers[i] = list.size();
        }
      }
      this.send.schedule();
    });

    this.reaction({ triggers: this.end, effects: this.result }, () =>
      this.result.set({ size: list.size(), isSorted: list.isSorted() }),
    );
  }
}

/** Sends a request when the last one was answered. */
class Worker extends Reactor {
  work = this.input();
  answer = this.input();
  ended = this.output();
  write = this.output();
  read = this.output();
  count = this.output();

  constructor(container, { messages, writePercent, sizePercent, first = 0 }) {
    super(container);
    const place = first + this.getBankIndex();
    let random = new PseudoRandom();
    let sent = 0;

    this.reaction(
      {
        triggers: [this.work, this.answer],
        effects: [this.write, this.read, this.count, this.ended],
      },
      () => {
        if (this.work.isPresent()) {
          random = new PseudoRandom(place + messages + writePercent + sizePercent);
          sent = 0;
        }
        if (sent === messages) {
          this.ended.set(sent);
          return;
        }
        sent += 1;
        const drawn = random.nextBelow(100);
        if (drawn < sizePercent) this.count.set(true);
        else if (drawn < sizePercent + writePercent) this.write.set(random.next());
        else this.read.set(random.next());
      },
    );
  }
}

class ConcurrentSortedList extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const manager = new Manager(this, parameters);
    const list = new List(this, parameters);
    const workers = this.bank(parameters.workers, Worker, parameters);
    this.connect([runner.start, manager.finished], [manager.start, runner.finished]);
    this.connect(manager.work, [list.reset, workers.port('work')], { repeat: true });
    this.connect([manager.end, list.result], [list.end, manager.result]);
    this.connect(workers.port('ended'), manager.ended);
    this.connect(workers.port('write'), list.write);
    this.connect(workers.port('read'), list.read);
    this.connect(workers.port('count'), list.count);
    this.connect(list.answer, workers.port('answer'));
  }
}

/** Every write adds an item, so the size follows from what is drawn. */
const countWrites = ({ workers, messages, writePercent, sizePercent }) => {
  let writes = 0;
  for (let place = 0; place < workers; place += 1) {
    const random = new PseudoRandom(place + messages + writePercent + sizePercent);
    for (let i = 0; i < messages; i += 1) {
      const drawn = random.nextBelow(100);
      if (drawn >= sizePercent) random.next();
      if (drawn >= sizePercent && drawn < sizePercent + writePercent) writes += 1;
    }
  }
  return writes;
};

const check = ({ replies, size, isSorted }, parameters) => {
  const { workers, messages } = parameters;
  const writes = countWrites(parameters);
  insist(replies === workers * messages, () => `${replies} of ${workers * messages} replies came`);
  insist(size === writes, () => `the list has ${size} items after ${writes} writes`);
  insist(isSorted, () => 'the list is not sorted');
  return `${replies} replies, a list of ${size}`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { workers: 20, messages: 8_000, writePercent: 10, sizePercent: 1 },
  sizes: {
    workers: bounds.members,
    writePercent: bounds.percent,
    sizePercent: bounds.percent,
  },
  check,
  main: ConcurrentSortedList,
  parts: { manager: Manager, list: List, worker: slicesOf(Worker, ({ workers }) => workers) },
});
