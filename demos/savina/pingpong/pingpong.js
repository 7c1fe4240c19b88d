import { Reactor } from 'swingset-runner/reactor';
import { benchmark, insist, Runner } from '../common/benchmark.js';

/** Sends a ping when the pong to the last one has come. */
export class Ping extends Reactor {
  start = this.input();
  finished = this.output();
  ping = this.output();
  pong = this.input();
  serve = this.action();

  constructor(container, { pings }) {
    super(container);
    let sent = 0;

    this.reaction({ triggers: this.start, effects: this.serve }, () => {
      sent = 0;
      this.serve.schedule();
    });

    this.reaction({ triggers: this.serve, effects: this.ping }, () => {
      sent += 1;
      this.ping.set(sent);
    });

    this.reaction({ triggers: this.pong, effects: [this.serve, this.finished] }, () => {
      if (sent < pings) this.serve.schedule();
      else this.finished.set(this.pong.get());
    });
  }
}

/** Answers each ping with the number of pings that have come; the first of an iteration has the number 1. */
export class Pong extends Reactor {
  ping = this.input();
  pong = this.output();
  count = 0;

  answer = this.reaction({ triggers: this.ping, effects: this.pong }, () => {
    if (this.ping.get() === 1) this.count = 0;
    this.count += 1;
    this.pong.set(this.count);
  });
}

class PingPong extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const ping = new Ping(this, parameters);
    const pong = new Pong(this);
    this.connect([runner.start, ping.finished], [ping.start, runner.finished]);
    this.connect([ping.ping, pong.pong], [pong.ping, ping.pong]);
  }
}

const check = (count, { pings }) => {
  insist(count === pings, () => `${count} of ${pings} pings came`);
  return `${count} pings`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { pings: 1_000_000 },
  check,
  main: PingPong,
  parts: { ping: Ping, pong: Pong },
});
