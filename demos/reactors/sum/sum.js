import { Reactor } from 'swingset-runner/reactor';

/** The sum of the whole numbers from low to high, by two children that add up one half each and are gone. */
class Sum extends Reactor {
  low = this.input();
  high = this.input();
  sum = this.output();
  left = this.transient(Sum, ['sum']);
  right = this.transient(Sum, ['sum']);

  split = this.reaction(
    { triggers: [this.low, this.high], effects: [this.sum, this.left, this.right] },
    () => {
      const low = this.low.get();
      const high = this.high.get();
      if (low === high) {
        this.sum.set(low);
        return;
      }
      const middle = low + Math.floor((high - low) / 2);
      this.left.spawn(low, middle);
      this.right.spawn(middle + 1, high);
    },
  );

  add = this.reaction({ triggers: [this.left.sum, this.right.sum], effects: this.sum }, () =>
    this.sum.set(this.left.sum.get() + this.right.sum.get()),
  );
}

class Main extends Reactor {
  constructor({ high }) {
    super();
    const all = this.transient(Sum, ['sum']);
    this.reaction({ triggers: this.startup, effects: all }, () => all.spawn(0, high));
    this.reaction({ triggers: all.sum }, () => {
      const { timeNs, microstep } = this.util.getCurrentTag();
      console.log(`sum(0, ${high}) is ${all.sum.get()}, at (${timeNs} ns, ${microstep})`);
    });
  }
}

export const buildReactor = (_vatPowers, parameters) => new Main(parameters);
