// A vat that sends the next ping after the answer to the last one.

import { Reactor } from 'swingset-runner/reactor';

class Ping extends Reactor {
  receive = this.input();
  send = this.output();

  /** @param {{ pings: number }} parameters */
  constructor({ pings }) {
    super();
    let left = pings;
    this.reaction({ triggers: [this.startup, this.receive], effects: this.send }, () => {
      if (left === 0) return;
      this.send.set(left);
      left -= 1;
    });
  }
}

/** @param {unknown} _vatPowers @param {{ pings: number }} parameters */
export const buildReactor = (_vatPowers, parameters) => new Ping(parameters);
