// Takes a sample with each tick of a timer, and writes it to an output port.

import { Reactor } from 'swingset-runner/reactor';

class Sensor extends Reactor {
  mayRequestStop = true;
  reading = this.output();

  constructor({ period, samples }) {
    super();
    const tick = this.timer(0, period);
    let count = 0;

    this.reaction({ triggers: tick, effects: this.reading }, () => {
      count += 1;
      this.reading.set(count * count);
      if (count === samples) this.requestStop();
    });
  }
}

export const buildReactor = (_vatPowers, parameters) => new Sensor(parameters);
