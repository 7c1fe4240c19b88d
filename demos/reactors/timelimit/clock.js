import { Reactor } from 'swingset-runner/reactor';

/** Counts the ticks of its timer. */
export class Clock extends Reactor {
  y = this.output();

  constructor(container, { period }) {
    super(container);
    const tick = this.timer(0, period);
    let count = 0;
    this.reaction({ triggers: tick, effects: this.y }, () => {
      count += 1;
      this.y.set(count);
    });
  }
}

export const buildReactor = (_vatPowers, parameters) => new Clock(null, parameters);
