import { Reactor, interleaved } from 'swingset-runner/reactor';
import { Node } from './node.js';

class FullyConnected extends Reactor {
  constructor({ width }) {
    super();
    const nodes = this.bank(width, Node, { width });
    this.connect(interleaved(nodes.port('out')), nodes.port('in'));
  }
}

export const buildReactor = (_vatPowers, parameters) => new FullyConnected(parameters);
