import { Reactor } from 'swingset-runner/reactor';

/** Sends three readings, and ends the program. */
export class Sensor extends Reactor {
  out = this.output();

  constructor(container, { period }) {
    super(container);
    const tick = this.timer(0, period);
    let readings = 0;
    this.reaction({ triggers: tick, effects: this.out }, () => {
      readings += 1;
      this.out.set(readings);
      if (readings === 3) this.requestStop();
    });
  }
}
