import { Reactor } from 'swingset-runner/reactor';

/** Squares what comes. */
export class Worker extends Reactor {
  in = this.input();
  out = this.output();

  square = this.reaction({ triggers: this.in, effects: this.out }, () =>
    this.out.set(this.in.get() ** 2),
  );
}

export const buildReactor = () => new Worker();
