// After the tests of cycles of Lingua Franca's validator (LinguaFrancaDependencyAnalysisTest,
// LinguaFrancaValidationTest: afterBreaksCycle, afterBreaksCycle2, afterBreaksCycle3), and PhysicalConnectionCycle.

import { Part, program, reactorBuilder } from '../../program.js';
import { Pass } from '../parts.js';

/** @import { InPort } from 'swingset-runner/reactor' */

class Filter extends Part {
  in = this.input();
  out = this.output();
  first = this.reaction({ triggers: this.in }, () => this.note('in', this.in.get()));
  second = this.reaction({ triggers: this.startup, effects: this.out }, () => this.out.set(1));
}

class Mixer extends Part {
  /** @type {InPort<any>} */
  in = this.input();
  out = this.output();
  r = this.reaction({ triggers: this.in, effects: this.out }, () =>
    this.out.set(this.in.get() + 1),
  );
}

const around = [{ from: ['filter.out', 'mixer.out'], to: ['mixer.in', 'filter.in'] }];

export const orderMakesCycle = program({
  name: 'CircularDependency',
  rule: 'a cycle may go through the order of two reactions, and is refused',
  parts: { filter: Filter, mixer: Mixer },
  connections: around,
  error: /zero-delay cycle/,
});

export const afterBreaksCycle = program({
  name: 'AfterBreaksCycle',
  rule: 'a delay anywhere on it breaks a cycle',
  parts: { filter: Filter, mixer: Mixer },
  connections: [
    { from: ['filter.out'], to: ['mixer.in'] },
    { from: ['mixer.out'], to: ['filter.in'], after: 10 },
  ],
  trace: { filter: ['10.0 in 2'] },
});

export const afterBreaksCycle2 = program({
  name: 'AfterBreaksCycle2',
  rule: 'it may be the first connection as well as the last',
  parts: { filter: Filter, mixer: Mixer },
  connections: [
    { from: ['filter.out'], to: ['mixer.in'], after: '1 ns' },
    { from: ['mixer.out'], to: ['filter.in'] },
  ],
  trace: { filter: ['1.0 in 2'] },
});

export const afterBreaksCycle3 = program({
  name: 'AfterBreaksCycle3',
  rule: 'a delay of 0 breaks it too',
  parts: { filter: Filter, mixer: Mixer },
  connections: [
    { from: ['filter.out'], to: ['mixer.in'], after: 0 },
    { from: ['mixer.out'], to: ['filter.in'], after: 0 },
  ],
  trace: { filter: ['0.2 in 2'] },
});

export const longCycle = program({
  name: 'LongCycle',
  rule: 'a cycle through four reactors is refused',
  parts: { a: Pass, b: Pass, c: Pass, d: Pass },
  connections: [
    { from: ['a.out', 'b.out', 'c.out', 'd.out'], to: ['b.in', 'c.in', 'd.in', 'a.in'] },
  ],
  error: /zero-delay cycle/,
});

class OwnLoop extends Part {
  /** @type {InPort<any>} */
  in = this.input();
  out = this.output();
  r = this.reaction({ triggers: [this.startup, this.in], effects: this.out }, () => {
    const n = this.in.get() ?? 0;
    this.note(n);
    if (n < 3) this.out.set(n + 1);
  });
}

export const selfCycle = program({
  name: 'SelfCycle',
  rule: 'a reaction that triggers itself at the tag is refused',
  parts: { loop: OwnLoop },
  connections: [{ from: ['loop.out'], to: ['loop.in'] }],
  error: /zero-delay cycle/,
});

export const selfAfter = program({
  name: 'SelfCycleAfter',
  rule: 'a reaction may trigger itself at the next microstep',
  parts: { loop: OwnLoop },
  connections: [{ from: ['loop.out'], to: ['loop.in'], after: 0 }],
  trace: { loop: ['0.0 0', '0.1 1', '0.2 2', '0.3 3'] },
});

class Reads extends Part {
  in = this.input();
  out = this.output();
  r = this.reaction({ triggers: this.startup, sources: this.in, effects: this.out }, () => {});
}

export const readingMakesCycle = program({
  name: 'ReadingMakesCycle',
  rule: 'what is only read counts in a cycle',
  parts: { a: Reads, b: Pass },
  connections: [{ from: ['a.out', 'b.out'], to: ['b.in', 'a.in'] }],
  error: /zero-delay cycle/,
});

class Separate extends Part {
  in = this.input();
  out = this.output();
  first = this.reaction({ triggers: this.startup, effects: this.out }, () => this.out.set(1));
  second = this.reaction({ triggers: this.in }, () => this.note(this.in.get()));
}

export const noCycle = program({
  name: 'NoCycleInOrder',
  rule: 'a value may come back at its tag to a reaction behind the one that sent it',
  parts: { a: Separate, b: Pass },
  connections: [{ from: ['a.out', 'b.out'], to: ['b.in', 'a.in'] }],
  trace: { a: ['0.0 1'] },
});

export const buildReactor = reactorBuilder(
  orderMakesCycle,
  afterBreaksCycle,
  afterBreaksCycle2,
  afterBreaksCycle3,
  longCycle,
  selfCycle,
  selfAfter,
  readingMakesCycle,
  noCycle,
);
