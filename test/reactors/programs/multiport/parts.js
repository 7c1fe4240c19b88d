// Parts with multiports and banks that several programs use.

import { Part } from '../../program.js';

/** @import { InMultiPort, OutMultiPort } from 'swingset-runner/reactor' */

/** At startup (or at each tick) a value on every channel: `base` and the channel, times `scale`. */
export class Wide extends Part {
  /** @type {OutMultiPort<number>} */
  out = this.outputs(this.params.width ?? 4);
  tick = this.timer(0, this.params.period ?? 0);
  count = 0;
  r = this.reaction({ triggers: this.tick, effects: this.out }, () => {
    const { base = 0, scale = 1, counts = false } = this.params;
    for (let i = 0; i < this.out.width; i += 1) {
      this.out.set(i, counts ? this.count : (base + i) * scale);
    }
    this.count += 1;
  });
}

/** A member of a bank that sends its index at startup. */
export class Indexed extends Part {
  out = this.output();
  r = this.reaction({ triggers: this.startup, effects: this.out }, () =>
    this.out.set(this.getBankIndex() + (this.params.base ?? 0)),
  );
}

/** A member of a bank that notes its index and what it gets. */
export class IndexedPrint extends Part {
  in = this.input();
  r = this.reaction({ triggers: this.in }, () => this.note(this.getBankIndex(), this.in.get()));
}

/** A bank of printers behind one multiport. */
export class PrintBank extends Part {
  in = this.inputs(this.params.width ?? 4);
  members = this.bank(this.params.width ?? 4, IndexedPrint);
  wires = this.connect(this.in, this.members.port('in'));
}

/** A bank of sources in front of one multiport. */
export class SourceBank extends Part {
  out = this.outputs(this.params.width ?? 4);
  members = this.bank(this.params.width ?? 4, Indexed, this.params);
  wires = this.connect(this.members.port('out'), this.out);
}

/** Notes the sum of all channels. */
export class SumAll extends Part {
  /** @type {InMultiPort<number>} */
  in = this.inputs(this.params.width ?? 4);
  r = this.reaction({ triggers: this.in }, () => {
    let sum = 0;
    this.in.forEachPresent(value => {
      sum += value;
    });
    this.note(sum);
  });
}
