// After Determinism, DependencyOnChildPort, DependencyThroughChildPort, DependencyUseNonTrigger, DependencyUseAccessible,
// Alignment, LevelPattern, SpuriousDependency, CycleDetection, NestedTriggeredReactions, StopTopology of Lingua Franca.

import { Part, program, reactorBuilder } from '../../program.js';
import { Count, Once, Pass, Print } from '../parts.js';

/** @import { InPort } from 'swingset-runner/reactor' */

class Sum extends Part {
  /** @type {InPort<any>} */
  x = this.input();
  /** @type {InPort<any>} */
  y = this.input();
  r = this.reaction({ triggers: [this.x, this.y] }, () =>
    this.note((this.x.get() ?? 0) + (this.y.get() ?? 0)),
  );
}

export const determinism = program({
  name: 'Determinism',
  rule: 'ways of different lengths from one source end at one tag, in one reaction',
  parts: { d: Sum, p2: Pass, p1: Pass, s: Once },
  connections: [
    { from: ['s.out'], to: ['d.y'] },
    { from: ['s.out', 'p1.out', 'p2.out'], to: ['p1.in', 'p2.in', 'd.x'] },
  ],
  trace: { d: ['0.0 2'] },
});

class Box extends Part {
  inp = this.input();
  out = this.output();
  r = this.reaction({ triggers: this.inp, effects: this.out }, () => this.out.set(this.inp.get()));
}

class OnChildPort extends Part {
  done = false;
  box0 = new Box(this);
  box1 = new Box(this);
  wire = this.connect(this.box0.out, this.box1.inp);
  go = this.reaction({ triggers: this.startup, effects: this.box0.inp }, () =>
    this.box0.inp.set(444),
  );
  got = this.reaction({ triggers: this.box1.out, sources: this.box0.out }, () =>
    this.note(this.box0.out.get(), this.box1.out.get()),
  );
}

export const dependencyOnChildPort = program({
  name: 'DependencyOnChildPort',
  rule: 'a container reacts to one child and reads another that comes before it',
  parts: { main: OnChildPort },
  trace: { main: ['0.0 444 444'] },
});

class TwoInputs extends Part {
  x = this.input();
  y = this.input();
  r = this.reaction({ triggers: [this.x, this.y] }, () =>
    this.note(this.x.isPresent() ? 'x' : '-', this.y.isPresent() ? 'y' : '-'),
  );
}

class ThroughChildPort extends Part {
  repeat = this.action();
  d = new TwoInputs(this);
  first = this.reaction({ triggers: this.startup, effects: [this.d.x, this.repeat] }, () => {
    this.d.x.set(1);
    this.repeat.schedule();
  });
  second = this.reaction({ triggers: this.repeat, effects: this.d.y }, () => this.d.y.set(1));
}

export const dependencyThroughChildPort = program({
  name: 'DependencyThroughChildPort',
  rule: 'a container writes inputs of a child at successive microsteps',
  parts: { main: ThroughChildPort },
  trace: { main: ['0.0 x -', '0.1 - y'] },
});

class NonTrigger extends Part {
  clock = this.input();
  value = this.input();
  r = this.reaction({ triggers: this.clock, sources: this.value }, () =>
    this.note(this.clock.get(), this.value.isPresent()),
  );
}

export const dependencyUseNonTrigger = program({
  name: 'DependencyUseNonTrigger',
  rule: 'an input that is only read triggers nothing, but comes first when it is there',
  parts: {
    sink: NonTrigger,
    value: [Count, { period: 2, offset: 1 }],
    clock: [Count, { period: 3 }],
  },
  connections: [{ from: ['clock.out', 'value.out'], to: ['sink.clock', 'sink.value'] }],
  options: { timeout: 9 },
  trace: { sink: ['0.0 1 false', '3.0 2 true', '6.0 3 false', '9.0 4 true'] },
});

class Clocked extends Part {
  clock = this.output();
  o1 = this.output();
  o2 = this.output();
  t1 = this.timer(35);
  t2 = this.timer(70);
  start = this.reaction({ triggers: this.startup, effects: this.clock }, () => this.clock.set(0));
  r1 = this.reaction({ triggers: this.t1, effects: [this.clock, this.o1] }, () => {
    this.clock.set(1);
    this.o1.set(10);
  });
  r2 = this.reaction({ triggers: this.t2, effects: [this.clock, this.o2] }, () => {
    this.clock.set(2);
    this.o2.set(20);
  });
}

class ClockedSink extends Part {
  clock = this.input();
  in1 = this.input();
  in2 = this.input();
  r = this.reaction({ triggers: this.clock, sources: [this.in1, this.in2] }, () =>
    this.note(this.clock.get(), this.in1.get() ?? '-', this.in2.get() ?? '-'),
  );
}

export const dependencyUseAccessible = program({
  name: 'DependencyUseAccessible',
  rule: 'of the ports that a reaction reads those are present that were written at the tag',
  parts: { source: Clocked, sink: ClockedSink },
  connections: [
    {
      from: ['source.clock', 'source.o1', 'source.o2'],
      to: ['sink.clock', 'sink.in1', 'sink.in2'],
    },
  ],
  trace: { sink: ['0.0 0 - -', '35.0 1 10 -', '70.0 2 - 20'] },
});

class Sieve extends Part {
  /** @type {InPort<any>} */
  in = this.input();
  out = this.output();
  /** @type {number[]} */
  primes = [];
  r = this.reaction({ triggers: this.in, effects: this.out }, () => {
    const n = this.in.get();
    if (n < 2 || this.primes.some(prime => n % prime === 0)) return;
    this.primes.push(n);
    this.out.set(true);
  });
}

class PrimeSink extends Part {
  ok = this.input();
  in = this.input();
  r = this.reaction({ triggers: [this.ok, this.in] }, () =>
    this.note(this.in.get(), this.ok.isPresent() ? 'is prime' : 'is not'),
  );
}

export const alignment = program({
  name: 'Alignment',
  rule: 'a value and what is found out about it come to one reaction, once',
  parts: { destination: PrimeSink, sieve: Sieve, source: [Count, { period: 100 }] },
  connections: [
    { from: ['source.out', 'sieve.out'], to: ['sieve.in', 'destination.ok'] },
    { from: ['source.out'], to: ['destination.in'] },
  ],
  options: { timeout: 500 },
  trace: {
    destination: [
      '0.0 1 is not',
      '100.0 2 is prime',
      '200.0 3 is prime',
      '300.0 4 is not',
      '400.0 5 is prime',
      '500.0 6 is not',
    ],
  },
});

class TwoThrough extends Part {
  in1 = this.input();
  in2 = this.input();
  out1 = this.output();
  out2 = this.output();
  i1 = new Box(this);
  i2 = new Box(this);
  wires = this.connect([this.i1.out, this.i2.out], [this.out1, this.out2]);
  r1 = this.reaction({ triggers: this.in1, effects: this.i1.inp }, () =>
    this.i1.inp.set(this.in1.get()),
  );
  r2 = this.reaction({ triggers: this.in2, effects: this.i2.inp }, () =>
    this.i2.inp.set(this.in2.get()),
  );
}

export const levelPattern = program({
  name: 'LevelPattern',
  rule: 'a value passes twice through one reactor at one tag, by another one',
  parts: { c: [Count, { period: 1000 }], test: Print, b: TwoThrough, t: Pass },
  connections: [
    { from: ['c.out', 'b.out1', 't.out', 'b.out2'], to: ['b.in1', 't.in', 'b.in2', 'test.in'] },
  ],
  options: { timeout: 1000 },
  trace: { test: ['0.0 1', '1000.0 2'] },
});

class Twisty extends Part {
  in0 = this.input();
  in1 = this.input();
  out0 = this.output();
  out1 = this.output();
  p0 = new Box(this);
  p1 = new Box(this);
  wires = this.connect(
    [this.in0, this.p0.out, this.in1, this.p1.out],
    [this.p0.inp, this.out0, this.p1.inp, this.out1],
  );
}

export const spuriousDependency = program({
  name: 'SpuriousDependency',
  rule: 'two reactors that lead to each other are no cycle if the ways within them do not meet',
  parts: { t0: Twisty, t1: Twisty, check: Print, start: [Once, { value: 0 }] },
  connections: [
    {
      from: ['t0.out1', 't1.out1', 't1.out0', 'start.out'],
      to: ['t1.in0', 't0.in0', 'check.in', 't0.in1'],
    },
  ],
  trace: { check: ['0.0 0'] },
});

class Replica extends Part {
  /** @type {InPort<any>} */
  local = this.input();
  /** @type {InPort<any>} */
  remote = this.input();
  query = this.input();
  response = this.output();
  balance = 0;
  update = this.reaction({ triggers: [this.local, this.remote] }, () => {
    this.balance += (this.local.get() ?? 0) + (this.remote.get() ?? 0);
  });
  answer = this.reaction({ triggers: this.query, effects: this.response }, () =>
    this.response.set(this.balance),
  );
}

class User extends Part {
  balance = this.input();
  deposit = this.output();
  go = this.reaction({ triggers: this.startup, effects: this.deposit }, () =>
    this.deposit.set(100),
  );
  got = this.reaction({ triggers: this.balance }, () => this.note(this.balance.get()));
}

export const cycleDetection = program({
  name: 'CycleDetection',
  rule: 'a question is answered after both updates of its tag, and what asks may come before',
  parts: { u1: User, r1: Replica, u2: User, r2: Replica },
  connections: [
    { from: ['u1.deposit'], to: ['r1.query', 'r1.local', 'r2.remote'], repeat: true },
    { from: ['u2.deposit'], to: ['r2.query', 'r2.local', 'r1.remote'], repeat: true },
    { from: ['r1.response', 'r2.response'], to: ['u1.balance', 'u2.balance'] },
  ],
  trace: { u1: ['0.0 200'], u2: ['0.0 200'] },
});

export const buildReactor = reactorBuilder(
  determinism,
  dependencyOnChildPort,
  dependencyThroughChildPort,
  dependencyUseNonTrigger,
  dependencyUseAccessible,
  alignment,
  levelPattern,
  spuriousDependency,
  cycleDetection,
);
