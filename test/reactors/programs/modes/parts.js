// Parts for programs with modes.

import { Part } from '../../program.js';

/** @import { OutPort } from 'swingset-runner/reactor' */

/** Steps a modal reactor on. */
export class Stepper extends Part {
  out = this.output();
  tick = this.timer(this.params.offset ?? this.params.period, this.params.period);
  r = this.reaction({ triggers: this.tick, effects: this.out }, () => this.out.set(true));
}

/** Two modes: `next` goes from One to Two by a reset, and back by history. */
export class TwoModes extends Part {
  next = this.input();
  one = this.mode({ initial: true });
  two = this.mode();
  toTwo = this.reaction({ mode: this.one, triggers: this.next, effects: this.two.reset }, () => {
    this.note('to two');
    this.two.reset.set();
  });
  toOne = this.reaction({ mode: this.two, triggers: this.next, effects: this.one.history }, () => {
    this.note('to one');
    this.one.history.set();
  });
}

/** Three modes in turn; `count` says which one it was. */
export class CounterCycle extends Part {
  next = this.input();
  count = this.output();
  modes = [this.mode({ initial: true }), this.mode(), this.mode()];
  reactions = this.modes.map((mode, i) => {
    const then = this.modes[(i + 1) % 3];
    return this.reaction({ mode, triggers: this.next, effects: [this.count, then.reset] }, () => {
      this.count.set(i + 1);
      then.reset.set();
    });
  });
}

/** Counts from 0 every `period`; a reset begins at 0 again. */
export class Counter extends Part {
  /** @type {OutPort<any>} */
  value = this.output();
  t = this.timer(0, this.params.period);
  current = this.state(0);
  r = this.reaction({ triggers: this.t, effects: this.value }, () => {
    this.value.set(this.current.get());
    this.current.set(this.current.get() + 1);
  });
}
