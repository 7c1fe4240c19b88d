import { Reactor } from 'swingset-runner/reactor';

/** Reacts once, when all that comes at the tag has come. */
export class Sink extends Reactor {
  constructor(container, { width }) {
    super(container);
    this.in = this.inputs(width);
    this.reaction({ triggers: this.in }, () =>
      console.log('the sink got', this.in.values().join(', ')),
    );
  }
}

export const buildReactor = (_vatPowers, parameters) => new Sink(null, parameters);
