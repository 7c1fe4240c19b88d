// After Minimal, HelloWorld, Hello, Gain, Composition, CompositionGain, CompositionWithPorts, MovingAverage, Pipeline,
// Import, Preamble of Lingua Franca.

import { Part, program, reactorBuilder } from '../../program.js';
import { Count, Gain, Once, Pass, Print } from '../parts.js';

/** @import { InPort } from 'swingset-runner/reactor' */

class HelloPart extends Part {
  r = this.reaction({ triggers: this.startup }, () => this.note('Hello World.'));
}

export const helloWorld = program({
  name: 'HelloWorld',
  rule: 'a reaction to startup runs once',
  parts: { main: HelloPart },
  trace: { main: ['0.0 Hello World.'] },
});

class Periodic extends Part {
  tick = this.timer(1000, 2000);
  hello = this.action();
  count = 0;
  go = this.reaction({ triggers: this.tick, effects: this.hello }, () => {
    this.note('tick');
    this.hello.schedule(200);
  });
  r = this.reaction({ triggers: this.hello }, () => {
    this.count += 1;
    this.note('hello', this.count);
  });
}

export const hello = program({
  name: 'Hello',
  rule: 'a timer with an offset, and an action after each tick',
  parts: { main: Periodic },
  options: { timeout: 4000 },
  trace: { main: ['1000.0 tick', '1200.0 hello 1', '3000.0 tick', '3200.0 hello 2'] },
});

export const gain = program({
  name: 'Gain',
  rule: 'a value is scaled on its way',
  parts: { g: [Gain, { scale: 2 }], t: Print, s: Once },
  connections: [{ from: ['s.out', 'g.out'], to: ['g.in', 't.in'] }],
  trace: { t: ['0.0 2'] },
});

export const composition = program({
  name: 'Composition',
  rule: 'two reactors, made in the wrong order',
  parts: { d: Print, s: [Count, { period: 1000 }] },
  connections: [{ from: ['s.out'], to: ['d.in'] }],
  options: { timeout: 5000 },
  trace: { d: [0, 1, 2, 3, 4, 5].map(i => `${i * 1000}.0 ${i + 1}`) },
});

class Wrapper extends Part {
  x = this.input();
  y = this.output();
  gain = new Gain(this);
  wires = this.connect([this.x, this.gain.out], [this.gain.in, this.y]);
}

class WrapsAndReacts extends Part {
  wrapper = new Wrapper(this);
  go = this.reaction({ triggers: this.startup, effects: this.wrapper.x }, () =>
    this.wrapper.x.set(42),
  );
  r = this.reaction({ triggers: this.wrapper.y }, () => this.note(this.wrapper.y.get()));
}

export const compositionGain = program({
  name: 'CompositionGain',
  rule: 'a reaction sends into a composite and reads what comes out of it, at the tag',
  parts: { main: WrapsAndReacts },
  trace: { main: ['0.0 84'] },
});

class Average extends Part {
  /** @type {InPort<any>} */
  in = this.input();
  out = this.output();
  line = [0, 0, 0];
  r = this.reaction({ triggers: this.in, effects: this.out }, () => {
    const sum = this.line.reduce((a, b) => a + b, this.in.get());
    this.out.set(sum / 4);
    this.line = [...this.line.slice(1), this.in.get()];
  });
}

export const movingAverage = program({
  name: 'MovingAverage',
  rule: 'a filter keeps its delay line as state',
  parts: { s: [Count, { start: 0, period: 100 }], m: Average, p: Print },
  connections: [{ from: ['s.out', 'm.out'], to: ['m.in', 'p.in'] }],
  options: { timeout: 400 },
  trace: { p: ['0.0 0', '100.0 0.25', '200.0 0.75', '300.0 1.5', '400.0 2.5'] },
});

class Worker extends Part {
  /** @type {InPort<any>} */
  in = this.input();
  out = this.output();
  r = this.reaction({ triggers: this.in, effects: this.out }, () => {
    this.note(this.in.get());
    this.out.set(this.in.get() + 1);
  });
}

export const pipeline = program({
  name: 'Pipeline',
  rule: 'stages a delay apart work on different values at one time',
  parts: {
    r0: [Count, { start: 10, step: 10, period: 200 }],
    r1: Worker,
    r2: Worker,
    r3: Worker,
    p: Print,
  },
  connections: [
    {
      from: ['r0.out', 'r1.out', 'r2.out', 'r3.out'],
      to: ['r1.in', 'r2.in', 'r3.in', 'p.in'],
      after: 200,
    },
  ],
  options: { timeout: 1000 },
  trace: {
    r1: ['200.0 10', '400.0 20', '600.0 30', '800.0 40', '1000.0 50'],
    r2: ['400.0 11', '600.0 21', '800.0 31', '1000.0 41'],
    r3: ['600.0 12', '800.0 22', '1000.0 32'],
    p: ['800.0 13', '1000.0 23'],
  },
});

export const chain = program({
  name: 'CompositionWithPorts',
  rule: 'a value passes a chain of reactors within its tag',
  parts: { print: Print, c: Pass, b: Pass, a: Pass, source: [Count, { period: 10 }] },
  connections: [
    { from: ['source.out', 'a.out', 'b.out', 'c.out'], to: ['a.in', 'b.in', 'c.in', 'print.in'] },
  ],
  options: { timeout: 20 },
  trace: { print: ['0.0 1', '10.0 2', '20.0 3'] },
});

export const buildReactor = reactorBuilder(
  helloWorld,
  hello,
  gain,
  composition,
  compositionGain,
  movingAverage,
  pipeline,
  chain,
);
