// After InheritedWidth, InheritedParameter, ParentParamsAccessToChildInit, MethodsRecursive, ImportComposition,
// ImportInstanceInMode, PingPong of Lingua Franca's tests for C.

import { Part, program, reactorBuilder } from '../../program.js';
import { Gain, Once, Print } from '../parts.js';

/** @import { InMultiPort, InPort } from 'swingset-runner/reactor' */

class WidthOfParent extends Part {
  width = this.params.width ?? 1;
}

class WidthOfChild extends WidthOfParent {
  /** @type {InMultiPort<number>} */
  in = this.inputs(this.width);
  r = this.reaction({ triggers: this.in }, () => this.note(this.in.width, this.in.get(0)));
}

class InheritsWidth extends Part {
  c = new WidthOfChild(this);
  r = this.reaction({ triggers: this.startup, effects: this.c.in }, () => this.c.in.set(0, 42));
}

export const inheritedWidth = program({
  name: 'InheritedWidth',
  rule: 'the width of a multiport may be a parameter of the class above',
  parts: { main: InheritsWidth },
  trace: { main: ['0.0 1 42'] },
});

class GivesOn extends WidthOfParent {
  out = this.output();
  t = new Once(this, { value: this.width });
  wire = this.connect(this.t.out, this.out);
}

export const inheritedParameter = program({
  name: 'InheritedParameter',
  rule: 'a parameter of the class above goes down to what the class below contains',
  parts: { c: [GivesOn, { width: 42 }], print: Print },
  connections: [{ from: ['c.out'], to: ['print.in'] }],
  trace: { print: ['0.0 42'] },
});

class GrandChild extends Part {
  r = this.reaction({ triggers: this.startup }, () =>
    this.note('child', this.getBankIndex(), this.params.parent, this.params.value),
  );
}

class BankParent extends Part {
  ids = [1, 2, 3, 4, 5, 6];
  children = [0, 1, 2].map(
    i =>
      new GrandChild(this, {
        parent: this.getBankIndex(),
        value: this.ids[this.getBankIndex() * 3 + i],
      }),
  );
  r = this.reaction({ triggers: this.startup }, () => this.note('parent', this.getBankIndex()));
}

class BankOfParents extends Part {
  p = this.bank(2, BankParent);
}

export const parentParams = program({
  name: 'ParentParamsAccessToChildInit',
  rule: 'what a member contains is made from the index of the member',
  unordered: true,
  parts: { main: BankOfParents },
  trace: {
    main: [
      '0.0 child -1 0 1',
      '0.0 child -1 0 2',
      '0.0 child -1 0 3',
      '0.0 parent 0',
      '0.0 child -1 1 4',
      '0.0 child -1 1 5',
      '0.0 child -1 1 6',
      '0.0 parent 1',
    ],
  },
});

class Recursive extends Part {
  /** @type {(n: number) => number} */
  fib = n => (n <= 1 ? 1 : this.fib(n - 1) + this.fib(n - 2));
  r = this.reaction({ triggers: this.startup }, () =>
    this.note([1, 2, 3, 4, 5, 6, 7, 8, 9].map(this.fib)),
  );
}

export const methodsRecursive = program({
  name: 'MethodsRecursive',
  rule: 'a method may call itself',
  parts: { main: Recursive },
  trace: { main: ['0.0 1 2 3 5 8 13 21 34 55'] },
});

class Delays extends Part {
  x = this.input();
  y = this.output();
  g1 = new Gain(this);
  g2 = new Gain(this);
  w1 = this.connect(this.x, this.g1.in, { after: '10 ms' });
  w2 = this.connect(this.g1.out, this.g2.in, { after: '30 ms' });
  w3 = this.connect(this.g2.out, this.y, { after: '15 ms' });
}

export const importComposition = program({
  name: 'ImportComposition',
  rule: 'delays from an input of a container to its output add up',
  parts: { source: [Once, { value: 42 }], a: Delays, print: Print },
  connections: [
    { from: ['source.out'], to: ['a.x'] },
    { from: ['a.y'], to: ['print.in'] },
  ],
  trace: { print: ['55000000.0 168'] },
});

class Begins extends Part {
  r = this.reaction({ triggers: this.startup }, () => this.note('inner'));
}

class OnlyInMode extends Part {
  r = this.reaction({ triggers: this.startup }, () => this.note('outer'));
  A = this.mode({ initial: true });
  u = new Begins(/** @type {any} */ (this.A), {}, this.powers);
}

export const instanceInMode = program({
  name: 'ImportInstanceInMode',
  rule: 'a class that is only used within a mode begins with the mode',
  unordered: true,
  parts: { b: OnlyInMode },
  options: { timeout: 0 },
  trace: { b: ['0.0 outer', '0.0 inner'] },
});

class Ping extends Part {
  in = this.input();
  out = this.output();
  serve = this.action();
  left = this.params.count;
  r1 = this.reaction({ triggers: [this.startup, this.serve], effects: this.out }, () => {
    this.out.set(this.left);
    this.left -= 1;
  });
  r2 = this.reaction({ triggers: this.in, effects: this.serve }, () => {
    if (this.left > 0) this.serve.schedule(0);
    else this.util.requestStop();
  });
}

class Pong extends Part {
  /** @type {InPort<number>} */
  in = this.input();
  out = this.output();
  count = 0;
  r1 = this.reaction({ triggers: this.in, effects: this.out }, () => {
    this.count += 1;
    this.out.set(this.in.get());
  });
  r2 = this.reaction({ triggers: this.shutdown }, () => this.note('received', this.count));
}

export const pingPong = program({
  name: 'PingPong',
  rule: 'a round a microstep, and the end one microstep after the last',
  parts: { ping: [Ping, { count: 10 }], pong: Pong },
  connections: [
    { from: ['ping.out'], to: ['pong.in'] },
    { from: ['pong.out'], to: ['ping.in'] },
  ],
  stops: ['ping'],
  trace: { pong: ['0.10 received 10'] },
});

export const buildReactor = reactorBuilder(
  inheritedWidth,
  inheritedParameter,
  parentParams,
  methodsRecursive,
  importComposition,
  instanceInMode,
  pingPong,
);
