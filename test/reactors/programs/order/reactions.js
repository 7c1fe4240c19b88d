// After TestForPreviousOutput, DoubleReaction, DoubleTrigger, DoubleInvocation, ReactionOrder, MixedReactions, Methods,
// ReadOutput of Lingua Franca.

import { Part, program, reactorBuilder } from '../../program.js';
import { Count, Once, Print } from '../parts.js';

/** @import { InPort, OutPort } from 'swingset-runner/reactor' */

class WritesTwice extends Part {
  /** @type {OutPort<any>} */
  out = this.output();
  r1 = this.reaction({ triggers: this.startup, effects: this.out }, () => {
    if (this.params.first) this.out.set(21);
  });
  r2 = this.reaction({ triggers: this.startup, effects: this.out }, () =>
    this.out.set(this.out.isPresent() ? 2 * this.out.get() : 42),
  );
}

export const testForPreviousOutput = program({
  name: 'TestForPreviousOutput',
  rule: 'a later reaction sees whether an earlier one has written, and replaces it',
  parts: {
    a: [WritesTwice, { first: true }],
    b: [WritesTwice, { first: false }],
    fromA: Print,
    fromB: Print,
  },
  connections: [{ from: ['a.out', 'b.out'], to: ['fromA.in', 'fromB.in'] }],
  trace: { fromA: ['0.0 42'], fromB: ['0.0 42'] },
});

class Adds extends Part {
  /** @type {InPort<any>} */
  x = this.input();
  /** @type {InPort<any>} */
  w = this.input();
  r = this.reaction({ triggers: [this.x, this.w] }, () =>
    this.note((this.x.get() ?? 0) + (this.w.get() ?? 0)),
  );
}

export const doubleReaction = program({
  name: 'DoubleReaction',
  rule: 'two inputs at one tag are one reaction',
  parts: {
    c1: [Count, { start: 0, period: 100 }],
    c2: [Count, { start: 0, period: 100 }],
    d: Adds,
  },
  connections: [{ from: ['c1.out', 'c2.out'], to: ['d.x', 'd.w'] }],
  options: { timeout: 300 },
  trace: { d: ['0.0 0', '100.0 2', '200.0 4', '300.0 6'] },
});

class Once2 extends Part {
  t1 = this.timer();
  t2 = this.timer();
  count = 0;
  r = this.reaction({ triggers: [this.t1, this.t2] }, () => {
    this.count += 1;
  });
  end = this.reaction({ triggers: this.shutdown }, () => this.note(this.count));
}

export const doubleTrigger = program({
  name: 'DoubleTrigger',
  rule: 'two triggers at one tag are one reaction',
  parts: { main: Once2 },
  options: { timeout: 10, keepalive: true },
  trace: { main: ['10.0 1'] },
});

class Ball extends Part {
  position = this.output();
  velocity = this.output();
  tick = this.timer(0, 10);
  p = this.params.start;
  r = this.reaction({ triggers: this.tick, effects: [this.position, this.velocity] }, () => {
    this.position.set(this.p);
    this.velocity.set(-10);
    this.p -= 10;
  });
}

class PrintBall extends Part {
  position = this.input();
  velocity = this.input();
  r = this.reaction({ triggers: [this.position, this.velocity] }, () =>
    this.note(this.position.get(), this.velocity.get()),
  );
}

export const doubleInvocation = program({
  name: 'DoubleInvocation',
  rule: 'two outputs of one reaction run a reaction to both once',
  parts: { b: [Ball, { start: 100 }], p: PrintBall },
  connections: [{ from: ['b.position', 'b.velocity'], to: ['p.position', 'p.velocity'] }],
  options: { timeout: 30 },
  trace: { p: ['0.0 100 -10', '10.0 90 -10', '20.0 80 -10', '30.0 70 -10'] },
});

class StartupReads extends Part {
  in = this.input();
  r = this.reaction({ triggers: this.startup, sources: this.in }, () =>
    this.note(this.in.isPresent(), this.in.get()),
  );
}

export const reactionOrder = program({
  name: 'ReactionOrder',
  rule: 'a reaction to startup that reads an input comes after who writes it at startup',
  parts: { sink: StartupReads, src: [Once, { value: 42 }] },
  connections: [{ from: ['src.out'], to: ['sink.in'] }],
  trace: { sink: ['0.0 true 42'] },
});

class Mixed extends Part {
  tick = this.timer(0, 100);
  in = this.input();
  x = 0;
  r1 = this.reaction({ triggers: this.tick }, () => this.add(1));
  r2 = this.reaction({ triggers: this.in }, () => this.add(2));
  r3 = this.reaction({ triggers: this.tick }, () => this.add(3));
  r4 = this.reaction({ triggers: [this.in, this.tick] }, () => this.add(4));
  end = this.reaction({ triggers: this.tick }, () => this.note(this.x));
  /** @param {number} digit */
  add(digit) {
    this.x = this.x * 10 + digit;
  }
}

export const mixedTriggers = program({
  name: 'MixedTriggers',
  rule: 'reactions of one reactor run in lexical order, whatever triggers them',
  parts: { main: Mixed, source: [Count, { period: 200 }] },
  connections: [{ from: ['source.out'], to: ['main.in'] }],
  options: { timeout: 200 },
  trace: { main: ['0.0 1234', '100.0 1234134', '200.0 12341341234'] },
});

class WithMethods extends Part {
  foo = this.params.foo;
  r = this.reaction({ triggers: this.startup }, () => {
    this.note('foo is', this.getFoo());
    this.add(40);
    this.note('40 more is', this.getFoo());
    this.note('fib', this.fib(10));
  });
  getFoo() {
    return this.foo;
  }
  /** @param {number} x */
  add(x) {
    this.foo += x;
  }
  /** @param {number} n @returns {number} */
  fib(n) {
    return n <= 1 ? 1 : this.fib(n - 1) + this.fib(n - 2);
  }
}

export const methods = program({
  name: 'Methods',
  rule: 'methods of a reactor see its state, and call each other',
  parts: { main: [WithMethods, { foo: 2 }] },
  trace: { main: ['0.0 foo is 2', '0.0 40 more is 42', '0.0 fib 89'] },
});

export const buildReactor = reactorBuilder(
  testForPreviousOutput,
  doubleReaction,
  doubleTrigger,
  doubleInvocation,
  reactionOrder,
  mixedTriggers,
  methods,
);
