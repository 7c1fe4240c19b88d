// Programs with modes.

import { Reactor, runFast } from '../index.js';
import { Traced } from './helpers.js';

/** @type {(main: Traced, options?: object) => string[]} */
export const traceOf = (main, options) => {
  runFast(main, options);
  return main.trace;
};

/** Gives `modal.next` a value every second. @param {(main: Traced) => any} make */
export const stepping = (make, period = '1 s') => {
  class Main extends Traced {
    stepper = this.timer(period, period);
    modal = make(this);
    r = this.reaction({ triggers: this.stepper, effects: this.modal.next }, () =>
      this.modal.next.set(true),
    );
  }
  return new Main();
};

/** A reactor with two modes: `next` goes to Two by a reset, and back to One where it was left. */
export class TwoModes extends Reactor {
  next = this.input();
  one = this.mode({ initial: true });
  two = this.mode();
  constructor(/** @type {any} */ main) {
    super(main);
    this.log = main.log;
    this.reaction({ mode: this.one, triggers: this.next, effects: this.two.reset }, () => {
      main.log('to two');
      this.two.reset.set();
    });
    this.reaction({ mode: this.two, triggers: this.next, effects: this.one.history }, () => {
      main.log('to one');
      this.one.history.set();
    });
  }
}
