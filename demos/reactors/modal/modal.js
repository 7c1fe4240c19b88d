import { Reactor } from 'swingset-runner/reactor';
import { Machine } from './machine.js';
import { Operator } from './operator.js';

class Modal extends Reactor {
  operator = new Operator(this);
  machine = new Machine(this);
  wire = this.connect(this.operator.button, this.machine.button);
}

export const buildReactor = () => new Modal();
