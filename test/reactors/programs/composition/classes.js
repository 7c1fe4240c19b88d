// After ParameterHierarchy, ParametersOutOfOrder, ParameterizedState, CtorParamDefault, CtorParamMixed,
// StateInitializerVisibility, CompositionInheritance, InheritanceAction, InheritedReaction, InheritedInstance,
// SubclassesAndStartup, RepeatedInheritance, IdentifierLength, GenericReactor of Lingua Franca.

import { Part, program, reactorBuilder } from '../../program.js';
import { Count, Gain, Once, Print } from '../parts.js';

/** @import { InPort } from 'swingset-runner/reactor' */

class Deep extends Part {
  r = this.reaction({ triggers: this.startup }, () => this.note(this.params.p0));
}

class Intermediate extends Part {
  a0 = new Deep(this, { p0: this.params.p1 });
}

class OuterLevel extends Part {
  a0 = new Intermediate(this, { p1: this.params.p });
  a1 = new Deep(this, { p0: this.params.p + 1 });
}

export const parameterHierarchy = program({
  name: 'ParameterHierarchy',
  rule: 'parameters are handed down through containers',
  parts: { main: [OuterLevel, { p: 10 }] },
  trace: { main: ['0.0 10', '0.0 11'] },
});

class Out3 extends Part {
  c = this.params.c ?? 3;
  a = this.params.a ?? 1;
  b = this.params.b ?? 2;
  r = this.reaction({ triggers: this.startup }, () => this.note(this.a, this.b, this.c));
}

export const parametersOutOfOrder = program({
  name: 'ParametersOutOfOrder',
  rule: 'parameters are given by name, and have defaults',
  parts: { main: [Out3, { a: 42, c: 7 }] },
  trace: { main: ['0.0 42 2 7'] },
});

class Parameterized extends Part {
  baz = this.state(this.params.bar);
  r = this.reaction({ triggers: this.startup }, () => this.note(this.baz.get()));
}

export const parameterizedState = program({
  name: 'ParameterizedState',
  rule: 'state begins with a parameter',
  parts: { main: [Parameterized, { bar: 4 }] },
  trace: { main: ['0.0 4'] },
});

export const subclassParameters = program({
  name: 'CtorParamMixed',
  rule: 'a parameter that is computed from others, in one of two instances',
  parts: { a: [Out3, { a: 1, b: 1 + 1, c: 2 * 3 }], b: Out3 },
  trace: { a: ['0.0 1 2 6'], b: ['0.0 1 2 3'] },
});

class Base extends Part {
  /** @type {InPort<any>} */
  in = this.input();
  out = this.output();
  r = this.reaction({ triggers: this.in, effects: this.out }, () => {
    this.note('base', this.in.get());
    this.out.set(2 * this.in.get());
  });
}

class Extended extends Base {
  /** @type {InPort<any>} */
  in2 = this.input();
  r2 = this.reaction({ triggers: [this.in, this.in2], sources: [], effects: this.out }, () => {
    this.note('extended', this.in2.get());
    this.out.set((this.out.get() ?? 0) + this.in2.get());
  });
}

export const compositionInheritance = program({
  name: 'CompositionInheritance',
  rule: 'a subclass adds inputs and reactions, which come behind those of its base',
  parts: { source: [Count, { period: 1000 }], e: Extended, print: Print },
  connections: [
    { from: ['source.out'], to: ['e.in', 'e.in2'], repeat: true },
    { from: ['e.out'], to: ['print.in'] },
  ],
  options: { timeout: 1000 },
  trace: {
    e: ['0.0 base 1', '0.0 extended 1', '1000.0 base 2', '1000.0 extended 2'],
    print: ['0.0 3', '1000.0 6'],
  },
});

class WithAction extends Part {
  foo = this.action();
  y = this.output();
  r = this.reaction({ triggers: this.foo, effects: this.y }, () => this.y.set(this.foo.get()));
}

class SchedulesInherited extends WithAction {
  go = this.reaction({ triggers: this.startup, effects: this.foo }, () => this.foo.schedule(0, 42));
}

export const inheritanceAction = program({
  name: 'InheritanceAction',
  rule: 'a subclass schedules an action of its base',
  parts: { s: SchedulesInherited, t: Print },
  connections: [{ from: ['s.y'], to: ['t.in'] }],
  trace: { t: ['0.1 42'] },
});

class HasInstance extends Part {
  g = new Gain(this, { scale: 3 });
}

class UsesInstance extends HasInstance {
  go = this.reaction({ triggers: this.startup, effects: this.g.in }, () => this.g.in.set(14));
  got = this.reaction({ triggers: this.g.out }, () => this.note(this.g.out.get()));
}

export const inheritedInstance = program({
  name: 'InheritedInstance',
  rule: 'a subclass uses what its base contains',
  parts: { main: UsesInstance },
  trace: { main: ['0.0 42'] },
});

class Super extends Part {
  r = this.reaction({ triggers: this.startup }, () => this.note(this.params.name, 'started'));
}

class SubA extends Super {
  r2 = this.reaction({ triggers: this.startup }, () => this.note('subclass a'));
}

class SubB extends Super {
  r2 = this.reaction({ triggers: this.startup }, () => this.note('subclass b'));
}

export const subclassesAndStartup = program({
  name: 'SubclassesAndStartup',
  rule: 'a base class starts once in each subclass',
  parts: { a: [SubA, { name: 'a' }], b: [SubB, { name: 'b' }] },
  trace: { a: ['0.0 a started', '0.0 subclass a'], b: ['0.0 b started', '0.0 subclass b'] },
});

class X extends Part {
  out = this.output();
  /** @type {number[]} */
  seen = [];
  r1 = this.reaction({ triggers: this.startup }, () => void this.seen.push(1));
}
class Y extends X {
  r2 = this.reaction({ triggers: this.startup }, () => void this.seen.push(2));
}
class Z extends Y {
  r3 = this.reaction({ triggers: this.startup, effects: this.out }, () => {
    this.seen.push(3);
    this.out.set(this.seen);
  });
}

export const repeatedInheritance = program({
  name: 'RepeatedInheritance',
  rule: 'reactions of bases of bases come first',
  parts: { z: Z, print: Print },
  connections: [{ from: ['z.out'], to: ['print.in'] }],
  trace: { print: ['0.0 1 2 3'] },
});

class InTurn extends Part {
  first = this.params.initial;
  second = this.first + 1;
  r = this.reaction({ triggers: this.startup }, () => this.note(this.first, this.second));
}

export const stateInitializerVisibility = program({
  name: 'StateInitializerVisibility',
  rule: 'state may be computed from parameters and from state before it',
  parts: { main: [InTurn, { initial: 42 }] },
  trace: { main: ['0.0 42 43'] },
});

class Delay extends Part {
  in = this.input();
  out = this.output();
  wire = this.connect(this.in, this.out, { after: this.params.delay });
}

export const genericDelay = program({
  name: 'GenericReactor',
  rule: 'a delay as a reactor of its own, for whatever values',
  parts: {
    text: [Once, { value: 'foo' }],
    list: [Once, { value: [1, 2] }],
    d1: [Delay, { delay: 20 }],
    d2: [Delay, { delay: 30 }],
    p1: Print,
    p2: Print,
  },
  connections: [
    { from: ['text.out', 'list.out'], to: ['d1.in', 'd2.in'] },
    { from: ['d1.out', 'd2.out'], to: ['p1.in', 'p2.in'] },
  ],
  trace: { p1: ['20.0 foo'], p2: ['30.0 1 2'] },
});

export const buildReactor = reactorBuilder(
  parameterHierarchy,
  parametersOutOfOrder,
  parameterizedState,
  subclassParameters,
  compositionInheritance,
  inheritanceAction,
  inheritedInstance,
  subclassesAndStartup,
  repeatedInheritance,
  stateInitializerVisibility,
  genericDelay,
);
