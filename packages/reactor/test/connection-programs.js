// Programs with connections.

import { InMultiPort, OutMultiPort, Reactor, runFast } from '../index.js';

/** @import { Traced } from './helpers.js' */

/** @type {(main: Traced, options?: object) => string[]} */
export const traceOf = (main, options) => {
  runFast(main, options);
  return main.trace;
};

export class Source extends Reactor {
  out = this.output();
  count = 0;
  constructor(/** @type {any} */ container, /** @type {string} */ period = '1 ms') {
    super(container);
    this.tick = this.timer(0, period);
    this.reaction({ triggers: this.tick, effects: this.out }, () => {
      this.count += 1;
      this.out.set(this.count);
    });
  }
}

/** Notes what comes to its input. */
export class Sink extends Reactor {
  in = this.input();
  constructor(/** @type {any} */ container, /** @type {any} */ main = container) {
    super(container);
    const index = this.getBankIndex();
    this.reaction({ triggers: this.in }, () =>
      main.log(index < 0 ? this.in.get() : `[${index}] ${this.in.get()}`),
    );
  }
}

// Multiports and banks

export class MultiSource extends Reactor {
  constructor(/** @type {any} */ container, /** @type {number} */ width) {
    super(container);
    this.out = new OutMultiPort(this, width);
    this.reaction({ triggers: this.startup, effects: this.out }, () => {
      for (let i = 0; i < width; i += 1) this.out.set(i, 10 * Math.max(this.getBankIndex(), 0) + i);
    });
  }
}

export class MultiSink extends Reactor {
  constructor(/** @type {any} */ main, /** @type {number} */ width) {
    super(main);
    this.in = new InMultiPort(this, width);
    this.reaction({ triggers: this.in }, () => {
      const index = this.getBankIndex();
      main.log(...(index < 0 ? [] : [`[${index}]`]), this.in.values().join());
    });
  }
}
