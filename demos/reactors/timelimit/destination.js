import { Reactor } from 'swingset-runner/reactor';

/** Checks that no number is left out, and says at the end how many came. */
export class Destination extends Reactor {
  x = this.input();
  count = 0;

  check = this.reaction({ triggers: this.x }, () => {
    this.count += 1;
    if (this.x.get() !== this.count) throw Error(`expected ${this.count}, got ${this.x.get()}`);
  });

  end = this.reaction({ triggers: this.shutdown }, () => {
    const { timeNs, microstep } = this.util.getCurrentTag();
    console.log(`shutdown at (${timeNs} ns, ${microstep}); ${this.count} numbers came, in order`);
  });
}

export const buildReactor = () => new Destination();
