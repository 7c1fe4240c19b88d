import { Reactor } from 'swingset-runner/reactor';
import { Sink } from '../forkjoin/sink.js';
import { Src } from '../forkjoin/src.js';
import { Worker } from '../forkjoin/worker.js';

class Cascade extends Reactor {
  constructor({ workers }) {
    super();
    const src = new Src(this, { width: 1 });
    const bank = this.bank(workers, Worker);
    const sink = new Sink(this, { width: 1 });
    this.connect([src.out, ...bank.port('out')], [...bank.port('in'), sink.in]);
  }
}

export const buildReactor = (_vatPowers, parameters) => new Cascade(parameters);
