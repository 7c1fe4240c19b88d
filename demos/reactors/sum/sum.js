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

const show = (reactor, high, sum) => {
  const { timeNs, microstep } = reactor.util.getCurrentTag();
  console.log(`sum(0, ${high}) is ${sum}, at (${timeNs} ns, ${microstep})`);
};

class Main extends Reactor {
  constructor({ high }) {
    super();
    const all = this.transient(Sum, ['sum']);
    this.reaction({ triggers: this.startup, effects: all }, () => all.spawn(0, high));
    this.reaction({ triggers: all.sum }, () => show(this, high, all.sum.get()));
  }
}

/** Deals the numbers out to vats, in slices of equal length, and adds their sums. */
class Dealer extends Reactor {
  constructor({ high, slices }) {
    super();
    this.low = this.outputs(slices);
    this.high = this.outputs(slices);
    this.sum = this.inputs(slices);
    const start = slice => Math.floor(((high + 1) * slice) / slices);
    this.reaction({ triggers: this.startup, effects: [this.low, this.high] }, () => {
      for (let slice = 0; slice < slices; slice += 1) {
        this.low.set(slice, start(slice));
        this.high.set(slice, start(slice + 1) - 1);
      }
    });
    this.reaction({ triggers: this.sum }, () =>
      show(
        this,
        high,
        this.sum.values().reduce((sum, part) => sum + part, 0),
      ),
    );
  }
}

/** Sums of its own vat. */
class Slice extends Reactor {
  low = this.input();
  high = this.input();
  sum = this.output();
  all = this.transient(Sum, ['sum']);
  begin = this.reaction({ triggers: [this.low, this.high], effects: this.all }, () =>
    this.all.spawn(this.low.get(), this.high.get()),
  );

  end = this.reaction({ triggers: this.all.sum, effects: this.sum }, () =>
    this.sum.set(this.all.sum.get()),
  );
}

const parts = {
  main: parameters => new Main(parameters),
  dealer: parameters => new Dealer(parameters),
  slice: () => new Slice(),
};

export const buildReactor = (_vatPowers, { part = 'main', ...parameters }) =>
  parts[part](parameters);
