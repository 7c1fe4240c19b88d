import { Reactor } from 'swingset-runner/reactor';
import { Clock } from './clock.js';
import { Destination } from './destination.js';

class TimeLimit extends Reactor {
  constructor(parameters) {
    super();
    const clock = new Clock(this, parameters);
    const destination = new Destination(this);
    this.connect(clock.y, destination.x);
  }
}

export const buildReactor = (_vatPowers, parameters) => new TimeLimit(parameters);
