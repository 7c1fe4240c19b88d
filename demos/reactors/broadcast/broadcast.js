import { Reactor } from 'swingset-runner/reactor';
import { Sink } from '../forkjoin/sink.js';
import { Src } from '../forkjoin/src.js';
import { Worker } from '../forkjoin/worker.js';

class Broadcast extends Reactor {
  constructor({ width }) {
    super();
    const src = new Src(this, { width: 1 });
    const workers = this.bank(width, Worker);
    const sink = new Sink(this, { width });
    this.connect(src.out, workers.port('in'), { repeat: true });
    this.connect(workers.port('out'), sink.in);
  }
}

export const buildReactor = (_vatPowers, parameters) => new Broadcast(parameters);
