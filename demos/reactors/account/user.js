import { Reactor } from 'swingset-runner/reactor';

/** Asks once for a deposit, or for a withdrawal if the value is negative. */
export class User extends Reactor {
  request = this.output();

  constructor(container, { offset, value }) {
    super(container);
    const once = this.timer(offset);
    this.reaction({ triggers: once, effects: this.request }, () => this.request.set(value));
  }
}

export const buildReactor = (_vatPowers, parameters) => new User(null, parameters);
