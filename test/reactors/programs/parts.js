// Parts that many programs use. After the library of Lingua Franca's tests: Count, TestCount, PassThrough, Gain.

import { Part } from '../program.js';

/** @import { InPort } from 'swingset-runner/reactor' */

/** 1, 2, 3 … (or from `start`, by `step`) at every `period` from `offset` on. */
export class Count extends Part {
  out = this.output();
  tick = this.timer(this.params.offset ?? 0, this.params.period ?? 1);
  value = this.params.start ?? 1;
  r = this.reaction({ triggers: this.tick, effects: this.out }, () => {
    this.out.set(this.value);
    this.value += this.params.step ?? 1;
  });
}

/** One value, at startup. */
export class Once extends Part {
  out = this.output();
  r = this.reaction({ triggers: this.startup, effects: this.out }, () =>
    this.out.set(this.params.value ?? 1),
  );
}

/** Sends each of `values` at its time: `[[timeNs, value], …]`. */
export class Script extends Part {
  out = this.output();
  next = this.action();
  at = 0;
  r = this.reaction({ triggers: [this.startup, this.next], effects: [this.out, this.next] }, () => {
    const { values } = this.params;
    const now = this.util.getElapsedLogicalTime();
    if (values[this.at][0] === now) {
      this.out.set(values[this.at][1]);
      this.at += 1;
    }
    if (this.at < values.length) this.next.schedule(values[this.at][0] - now);
  });
}

export class Pass extends Part {
  in = this.input();
  out = this.output();
  r = this.reaction({ triggers: this.in, effects: this.out }, () => this.out.set(this.in.get()));
}

export class Gain extends Part {
  /** @type {InPort<any>} */
  in = this.input();
  out = this.output();
  r = this.reaction({ triggers: this.in, effects: this.out }, () =>
    this.out.set(this.in.get() * (this.params.scale ?? 2)),
  );
}

/** Notes what it gets. */
export class Print extends Part {
  in = this.input();
  r = this.reaction({ triggers: this.in }, () => this.note(this.in.get()));
}

/** Notes the channels that are present: `0=5 2=7`. */
export class PrintAll extends Part {
  in = this.inputs(this.params.width ?? 4);
  r = this.reaction({ triggers: this.in }, () =>
    this.note(this.in.present().map(i => `${i}=${this.in.get(i)}`)),
  );
}
