import { Reactor } from 'swingset-runner/reactor';

/** Passes on what comes, later: the action makes an event at a later tag. */
export class ProxyDelay extends Reactor {
  in = this.input();
  out = this.output();

  constructor(container, { delay }) {
    super(container);
    const later = this.action({ minDelay: delay });
    this.reaction({ triggers: later, effects: this.out }, () => this.out.set(later.get()));
    this.reaction({ triggers: this.in, effects: later }, () => later.schedule(0, this.in.get()));
  }
}

export const buildReactor = (_vatPowers, parameters) => new ProxyDelay(null, parameters);
