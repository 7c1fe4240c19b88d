import { Reactor } from 'swingset-runner/reactor';

/** Sends 3, 4, 5 and so on, a number on each channel. */
export class Src extends Reactor {
  constructor(container, { width }) {
    super(container);
    this.out = this.outputs(width);
    this.reaction({ triggers: this.startup, effects: this.out }, () => {
      for (let i = 0; i < width; i += 1) this.out.set(i, 3 + i);
    });
  }
}

export const buildReactor = (_vatPowers, parameters) => new Src(null, parameters);
