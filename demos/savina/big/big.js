import { Reactor, interleaved } from 'swingset-runner/reactor';
import { benchmark, insist, Runner, slicesOf } from '../common/benchmark.js';
import { PseudoRandom } from '../common/pseudo-random.js';

/** Waits for all workers. */
class Sink extends Reactor {
  start = this.input();
  finished = this.output();

  constructor(container, { workers }) {
    super(container);
    this.pongs = this.inputs(workers);
    let ended = 0;
    let sum = 0;

    this.reaction({ triggers: this.start }, () => {
      ended = 0;
      sum = 0;
    });

    this.reaction({ triggers: this.pongs, effects: this.finished }, () => {
      this.pongs.forEachPresent(pongs => {
        ended += 1;
        sum += pongs;
      });
      if (ended === workers) this.finished.set(sum);
    });
  }
}

/** Pings one worker after the other, as it draws them, and answers who pings it. */
class Worker extends Reactor {
  start = this.input();
  pongs = this.output();
  next = this.action();

  constructor(container, { pings, workers, first = 0 }) {
    super(container);
    this.ping = this.outputs(workers);
    this.pong = this.outputs(workers);
    this.pinged = this.inputs(workers);
    this.ponged = this.inputs(workers);
    const place = first + this.getBankIndex();
    let random = new PseudoRandom(place);
    let sent = 0;
    let answers = 0;
    let expected = -1;

    this.reaction({ triggers: this.next, effects: this.ping }, () => {
      sent += 1;
      expected = random.nextBelow(workers);
      this.ping.set(expected, true);
    });

    this.reaction({ triggers: this.pinged, effects: this.pong }, () =>
      this.pinged.forEachPresent((_, from) => this.pong.set(from, true)),
    );

    this.reaction({ triggers: this.ponged, effects: [this.next, this.pongs] }, () => {
      this.ponged.forEachPresent((_, from) => {
        insist(from === expected, () => `worker ${place} pinged ${expected}, and ${from} answers`);
        answers += 1;
      });
      if (sent < pings) this.next.schedule();
      else this.pongs.set(answers);
    });

    this.reaction({ triggers: this.start, effects: this.next }, () => {
      random = new PseudoRandom(place);
      sent = 0;
      answers = 0;
      this.next.schedule();
    });
  }
}

class Big extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const sink = new Sink(this, parameters);
    const workers = this.bank(parameters.workers, Worker, parameters);
    this.connect(runner.start, [sink.start, workers.port('start')], { repeat: true });
    this.connect(sink.finished, runner.finished);
    this.connect(workers.port('pongs'), sink.pongs);
    this.connect(workers.port('ping'), interleaved(workers.port('pinged')));
    this.connect(workers.port('pong'), interleaved(workers.port('ponged')));
  }
}

const check = (pongs, { pings, workers }) => {
  insist(pongs === pings * workers, () => `${pongs} of ${pings * workers} pings were answered`);
  return `${pongs} pings and as many pongs`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { pings: 20_000, workers: 120 },
  sizes: { workers: { to: 10_000 } },
  check,
  main: Big,
  parts: {
    sink: Sink,
    worker: slicesOf(Worker, ({ workers }) => workers, [
      ['ping', 'pinged'],
      ['pong', 'ponged'],
    ]),
  },
});
