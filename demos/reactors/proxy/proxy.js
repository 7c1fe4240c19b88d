import { Reactor } from 'swingset-runner/reactor';

/** Passes on what comes, at the same tag. */
export class Proxy extends Reactor {
  in = this.input();
  out = this.output();
  pass = this.reaction({ triggers: this.in, effects: this.out }, () => this.out.set(this.in.get()));
}

export const buildReactor = () => new Proxy();
