import { Reactor } from 'swingset-runner/reactor';
import { Sink } from './sink.js';
import { Src } from './src.js';
import { Worker } from './worker.js';

class ForkJoin extends Reactor {
  constructor({ width }) {
    super();
    const src = new Src(this, { width });
    const workers = this.bank(width, Worker);
    const sink = new Sink(this, { width });
    this.connect(src.out, workers.port('in'));
    this.connect(workers.port('out'), sink.in);
  }
}

export const buildReactor = (_vatPowers, parameters) => new ForkJoin(parameters);
