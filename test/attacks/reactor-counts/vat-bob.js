import { Reactor } from 'swingset-runner/reactor';

class Bob extends Reactor {
  tick = this.output();
  clock = this.timer(0, '1 ms');
  ticks = 0;

  constructor(width) {
    super();
    this.ins = this.inputs(width);
    this.reaction({ triggers: this.clock, effects: this.tick }, () => {
      this.ticks += 1;
      console.log(`tick ${this.ticks}`);
      this.tick.set(this.ticks);
    });
    this.reaction({ triggers: this.ins }, () =>
      this.ins.forEachPresent((count, i) => console.log(`m${i} counts ${count}`)),
    );
  }
}

export const buildReactor = (_powers, { width }) => new Bob(width);
