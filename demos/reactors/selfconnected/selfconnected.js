import { Reactor } from 'swingset-runner/reactor';
import { Node } from '../fullyconnected/node.js';

class SelfConnected extends Reactor {
  constructor({ width }) {
    super();
    const nodes = this.bank(width, Node, { width });
    this.connect(nodes.port('out'), nodes.port('in'));
  }
}

export const buildReactor = (_vatPowers, parameters) => new SelfConnected(parameters);
