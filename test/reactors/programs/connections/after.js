// After After, AfterZero, AfterOverlapped, AfterCycles, CompositionAfter, GenDelayTest, SelfLoop of Lingua Franca.

import { Part, program, reactorBuilder } from '../../program.js';
import { Count, Gain, Once, Pass, Print } from '../parts.js';

/** @import { InPort } from 'swingset-runner/reactor' */

export const after = program({
  name: 'After',
  rule: 'a value arrives later by the delay of its connection',
  parts: { source: Count, foo: Gain, print: Print },
  connections: [
    { from: ['source.out'], to: ['foo.in'] },
    { from: ['foo.out'], to: ['print.in'], after: '10 ns' },
  ],
  options: { timeout: 12 },
  trace: { print: ['10.0 2', '11.0 4', '12.0 6'] },
});

export const afterZero = program({
  name: 'AfterZero',
  rule: 'a delay of 0 is the next microstep',
  parts: { source: [Count, { period: 10 }], print: Print },
  connections: [{ from: ['source.out'], to: ['print.in'], after: 0 }],
  options: { timeout: 25 },
  trace: { print: ['0.1 1', '10.1 2', '20.1 3'] },
});

export const afterOverlapped = program({
  name: 'AfterOverlapped',
  rule: 'several values are under way in one connection at once',
  parts: { count: [Count, { period: 1000 }], print: Print },
  connections: [{ from: ['count.out'], to: ['print.in'], after: 2000 }],
  options: { timeout: 5000 },
  trace: { print: ['2000.0 1', '3000.0 2', '4000.0 3', '5000.0 4'] },
});

class TwoInputs extends Part {
  a = this.input();
  b = this.input();
  ra = this.reaction({ triggers: this.a }, () => this.note('a', this.a.get()));
  rb = this.reaction({ triggers: this.b }, () => this.note('b', this.b.get()));
}

export const afterCycles = program({
  name: 'AfterCycles',
  rule: 'delays of different lengths from one output make no cycle',
  parts: { s: Once, w0: Pass, w1: Pass, top: TwoInputs },
  connections: [
    { from: ['s.out'], to: ['w0.in'], after: '10 ms' },
    { from: ['s.out'], to: ['w1.in'], after: '20 ms' },
    { from: ['w0.out', 'w1.out'], to: ['top.a', 'top.b'] },
  ],
  trace: { top: ['10000000.0 a 1', '20000000.0 b 1'] },
});

class Sum extends Part {
  /** @type {InPort<any>} */
  x = this.input();
  /** @type {InPort<any>} */
  y = this.input();
  r = this.reaction({ triggers: [this.x, this.y] }, () =>
    this.note((this.x.get() ?? 0) + (this.y.get() ?? 0)),
  );
}

export const compositionAfter = program({
  name: 'CompositionAfter',
  rule: 'a delayed way and a direct one meet at each tag',
  parts: { source: [Count, { period: 1000 }], sum: Sum },
  connections: [
    { from: ['source.out'], to: ['sum.x'] },
    { from: ['source.out'], to: ['sum.y'], after: 2000 },
  ],
  options: { timeout: 4000 },
  trace: { sum: ['0.0 1', '1000.0 2', '2000.0 4', '3000.0 6', '4000.0 8'] },
});

export const genDelay = program({
  name: 'GenDelayTest',
  rule: 'delays add up along a chain',
  parts: { source: Once, a: Pass, b: Pass, print: Print },
  connections: [
    { from: ['source.out', 'a.out', 'b.out'], to: ['a.in', 'b.in', 'print.in'], after: '50 us' },
  ],
  trace: { print: ['150000.0 1'] },
});

class Loop extends Part {
  /** @type {InPort<any>} */
  x = this.input();
  y = this.output();
  a = this.action({ minDelay: this.params.minDelay });
  first = this.reaction({ triggers: this.startup, effects: this.a }, () => this.a.schedule(0, 42));
  send = this.reaction({ triggers: this.a, effects: this.y }, () => {
    this.note('a', this.a.get());
    this.y.set(this.a.get());
  });
  again = this.reaction({ triggers: this.x, effects: this.a }, () => {
    this.note('x', this.x.get());
    this.a.schedule(0, this.x.get() + 1);
  });
}

export const selfLoop = program({
  name: 'SelfLoop',
  rule: 'an output leads to an input of the same reactor, behind the reaction that writes it',
  parts: { self: [Loop, { minDelay: '100 ns' }] },
  connections: [{ from: ['self.y'], to: ['self.x'] }],
  options: { timeout: 300 },
  trace: {
    self: ['100.0 a 42', '100.0 x 42', '200.0 a 43', '200.0 x 43', '300.0 a 44', '300.0 x 44'],
  },
});

export const afterDifferent = program({
  name: 'AfterDifferentDelays',
  rule: 'one output has a delay of its own to each destination',
  parts: { source: [Count, { period: 100 }], now: Print, next: Print, later: Print },
  connections: [
    { from: ['source.out'], to: ['now.in'] },
    { from: ['source.out'], to: ['next.in'], after: 0 },
    { from: ['source.out'], to: ['later.in'], after: 50 },
  ],
  options: { timeout: 150 },
  trace: {
    now: ['0.0 1', '100.0 2'],
    next: ['0.1 1', '100.1 2'],
    later: ['50.0 1', '150.0 2'],
  },
});

export const afterZeroChain = program({
  name: 'AfterZeroChain',
  rule: 'delays of 0 in a row are as many microsteps',
  parts: { source: Once, a: Pass, b: Pass, c: Pass, print: Print },
  connections: [
    {
      from: ['source.out', 'a.out', 'b.out', 'c.out'],
      to: ['a.in', 'b.in', 'c.in', 'print.in'],
      after: 0,
    },
  ],
  trace: { print: ['0.4 1'] },
});

export const buildReactor = reactorBuilder(
  after,
  afterZero,
  afterOverlapped,
  afterCycles,
  compositionAfter,
  genDelay,
  selfLoop,
  afterDifferent,
  afterZeroChain,
);
