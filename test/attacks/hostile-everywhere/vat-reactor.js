import { Reactor } from 'swingset-runner/reactor';
import { reasons } from './reasons.js';

class Thrower extends Reactor {
  fails = this.reaction({ triggers: this.startup }, () => {
    throw reasons[1]();
  });
}

export const buildReactor = () => new Thrower();
