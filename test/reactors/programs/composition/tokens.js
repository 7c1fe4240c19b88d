// After TokenSourcePrint, TokenMutable, TokenDelayTest, TokenContainedSourceBank, Mutable, PersistentInputs of Lingua
// Franca's tests for C. A token there is a value that several readers share; here it is a frozen array, and a reader that
// changes it takes a copy.

import { Part, program, reactorBuilder } from '../../program.js';
import { Count } from '../parts.js';

/** @import { InMultiPort, InPort, OutMultiPort } from 'swingset-runner/reactor' */

/** [0, 1, 2], then [3, 4, 5], … */
class TokenSource extends Part {
  out = this.output();
  tick = this.timer(0, 1);
  count = 0;
  r = this.reaction({ triggers: this.tick, effects: this.out }, () => {
    this.out.set([this.count, this.count + 1, this.count + 2]);
    this.count += 3;
  });
}

class TokenPrint extends Part {
  /** @type {InPort<number[]>} */
  in = this.input();
  r = this.reaction({ triggers: this.in }, () => this.note(this.in.get()));
}

/** Changes its copy, and hands that on. */
class TokenScale extends Part {
  /** @type {InPort<number[]>} */
  in = this.input();
  out = this.output();
  r = this.reaction({ triggers: this.in, effects: this.out }, () => {
    const values = /** @type {number[]} */ (this.in.mutable());
    for (let i = 0; i < values.length; i += 1) values[i] *= this.params.scale;
    this.out.set(values);
  });
}

class TokenDelay extends Part {
  in = this.input();
  out = this.output();
  a = this.action();
  late = this.reaction({ triggers: this.a, effects: this.out }, () => this.out.set(this.a.get()));
  early = this.reaction({ triggers: this.in, effects: this.a }, () =>
    this.a.schedule(1, this.in.get()),
  );
}

export const tokenSourcePrint = program({
  name: 'TokenSourcePrint',
  rule: 'an array arrives whole',
  parts: { s: TokenSource, p: TokenPrint },
  connections: [{ from: ['s.out'], to: ['p.in'] }],
  options: { timeout: 2 },
  trace: { p: ['0.0 0 1 2', '1.0 3 4 5', '2.0 6 7 8'] },
});

export const tokenMutable = program({
  name: 'TokenMutable',
  rule: 'two readers that change a value each have their own, and a third has the original',
  parts: {
    s: TokenSource,
    g2: [TokenScale, { scale: 2 }],
    g3: [TokenScale, { scale: 3 }],
    p2: TokenPrint,
    p3: TokenPrint,
    p1: TokenPrint,
  },
  connections: [
    { from: ['s.out'], to: ['g2.in', 'g3.in', 'p1.in'], repeat: true },
    { from: ['g2.out'], to: ['p2.in'] },
    { from: ['g3.out'], to: ['p3.in'] },
  ],
  options: { timeout: 2 },
  trace: {
    p2: ['0.0 0 2 4', '1.0 6 8 10', '2.0 12 14 16'],
    p3: ['0.0 0 3 6', '1.0 9 12 15', '2.0 18 21 24'],
    p1: ['0.0 0 1 2', '1.0 3 4 5', '2.0 6 7 8'],
  },
});

export const tokenDelay = program({
  name: 'TokenDelayTest',
  rule: 'an action carries a value on, and a copy that was changed since does not change it',
  parts: {
    s: TokenSource,
    d: TokenDelay,
    g: [TokenScale, { scale: 2 }],
    p: TokenPrint,
    q: TokenPrint,
  },
  connections: [
    { from: ['s.out'], to: ['d.in', 'g.in'], repeat: true },
    { from: ['d.out'], to: ['p.in'] },
    { from: ['g.out'], to: ['q.in'], after: 1 },
  ],
  options: { timeout: 2 },
  trace: {
    p: ['1.0 0 1 2', '2.0 3 4 5'],
    q: ['1.0 0 2 4', '2.0 6 8 10'],
  },
});

class ContainedBank extends Part {
  s = this.bank(2, TokenSource);
  p = this.bank(2, TokenPrint);
  r = this.reaction({ triggers: this.s.port('out'), effects: this.p.port('in') }, () => {
    for (const [i, port] of this.s.port('out').entries()) {
      this.note('from', i, port.get());
      this.p.get(i).in.set(port.get());
    }
  });
}

export const tokenContainedBank = program({
  name: 'TokenContainedSourceBank',
  rule: 'a container reads and feeds a bank in it',
  parts: { main: ContainedBank },
  options: { timeout: 1 },
  trace: {
    main: [
      '0.0 from 0 0 1 2',
      '0.0 from 1 0 1 2',
      '0.0 0 1 2',
      '0.0 0 1 2',
      '1.0 from 0 3 4 5',
      '1.0 from 1 3 4 5',
      '1.0 3 4 5',
      '1.0 3 4 5',
    ],
  },
});

class Zeros extends Part {
  /** @type {OutMultiPort<number[]>} */
  out = this.outputs(2);
  r = this.reaction({ triggers: this.startup, effects: this.out }, () => {
    this.out.set(0, [0]);
    this.out.set(1, [0]);
  });
}

class Overwrites extends Part {
  /** @type {InMultiPort<number[]>} */
  in = this.inputs(2);
  out = this.outputs(2);
  r = this.reaction({ triggers: this.in, effects: this.out }, () => {
    for (let i = 0; i < 2; i += 1) {
      const own = /** @type {number[]} */ (this.in.channel(i).mutable());
      own[0] = (i + 1) * 2;
      this.out.set(i, own);
    }
  });
}

class MutableMain extends Part {
  s = new Zeros(this);
  r = new Overwrites(this);
  wires = this.connect(this.s.out, this.r.in);
  after = this.reaction({ triggers: this.r.out }, () =>
    this.note('r', this.r.out.get(0), this.r.out.get(1)),
  );
  before = this.reaction({ triggers: this.s.out }, () =>
    this.note('s', this.s.out.get(0), this.s.out.get(1)),
  );
}

export const mutable = program({
  name: 'Mutable',
  rule: 'who reads the output later than the one that changed its copy sees the original',
  parts: { main: MutableMain },
  trace: { main: ['0.0 r 2 4', '0.0 s 0 0'] },
});

class Absent extends Part {
  in = this.input();
  tick = this.timer(0, 100);
  r = this.reaction({ triggers: this.tick, sources: this.in }, () =>
    this.note(this.in.isPresent(), this.in.get()),
  );
}

/** The runtime for C keeps the last value (0 before the first), beside a flag; Lingua Franca's other targets do not. */
export const persistentInputs = program({
  name: 'PersistentInputs',
  rule: 'an input has a value at the tag at which it is present, and at no other',
  parts: { source: [Count, { offset: 100, period: 200 }], sink: Absent },
  connections: [{ from: ['source.out'], to: ['sink.in'] }],
  options: { timeout: 400 },
  trace: {
    sink: [
      '0.0 false undefined',
      '100.0 true 1',
      '200.0 false undefined',
      '300.0 true 2',
      '400.0 false undefined',
    ],
  },
});

export const buildReactor = reactorBuilder(
  tokenSourcePrint,
  tokenMutable,
  tokenDelay,
  tokenContainedBank,
  mutable,
  persistentInputs,
);
