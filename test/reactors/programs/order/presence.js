// After PortValueCleanup, PortRefCleanup, TriggerIssue, TriggerIssue2, TriggerDownstreamOnlyIfPresent,
// TriggerDownstreamOnlyIfPresent2, UnconnectedInput, UnconnectedOutput, DanglingOutput, SetZero, DoublePort of Lingua
// Franca.

import { Part, program, reactorBuilder } from '../../program.js';
import { Count, Once, Print } from '../parts.js';

class Cleanup extends Part {
  in = this.input();
  then = this.action();
  r1 = this.reaction({ triggers: this.in, effects: this.then }, () => {
    this.note('in', this.in.get());
    this.then.schedule();
  });
  r2 = this.reaction({ triggers: this.then, sources: this.in }, () =>
    this.note('then', this.in.isPresent(), this.in.get()),
  );
}

export const portValueCleanup = program({
  name: 'PortValueCleanup',
  rule: 'a port has no value at the next microstep',
  parts: { source: [Once, { value: 150 }], sink: Cleanup },
  connections: [{ from: ['source.out'], to: ['sink.in'] }],
  trace: { sink: ['0.0 in 150', '0.1 then false undefined'] },
});

class OnlyY extends Part {
  x = this.output();
  y = this.output();
  r = this.reaction({ triggers: this.startup, effects: [this.x, this.y] }, () => this.y.set(true));
}

class Two extends Part {
  x = this.input();
  y = this.input();
  rx = this.reaction({ triggers: this.x }, () => this.note('x', this.x.get()));
  ry = this.reaction({ triggers: this.y }, () => this.note('y', this.y.get()));
}

export const triggerIssue = program({
  name: 'TriggerIssue',
  rule: 'of two outputs only the one that was written triggers',
  parts: { ui: OnlyY, dlc: Two },
  connections: [{ from: ['ui.x', 'ui.y'], to: ['dlc.x', 'dlc.y'] }],
  trace: { dlc: ['0.0 y true'] },
});

class Success extends Part {
  start = this.input();
  success = this.output();
  failure = this.output();
  r = this.reaction({ triggers: this.start, effects: [this.success, this.failure] }, () =>
    this.success.set(true),
  );
}

class Forward extends Part {
  in = this.input();
  out = this.output();
  r = this.reaction({ triggers: this.in, effects: this.out }, () => this.out.set(true));
}

class Sequence extends Part {
  start = this.input();
  success = this.output();
  failure = this.output();
  s = new Success(this);
  f = new Forward(this);
  wires = this.connect(
    [this.start, this.s.success, this.s.failure, this.f.out],
    [this.s.start, this.success, this.f.in, this.failure],
  );
}

export const triggerIssue2 = program({
  name: 'TriggerIssue2',
  rule: 'what is not written within a container does not leave it',
  parts: { go: [Once, { value: true }], s: Sequence, dlc: Two },
  connections: [{ from: ['go.out', 's.failure', 's.success'], to: ['s.start', 'dlc.x', 'dlc.y'] }],
  trace: { dlc: ['0.0 y true'] },
});

class InTurn extends Part {
  x = this.output();
  y = this.output();
  tick = this.timer(0, 200);
  count = 0;
  r = this.reaction({ triggers: this.tick, effects: [this.x, this.y] }, () => {
    this.count += 1;
    (this.count % 2 === 1 ? this.x : this.y).set(this.count);
  });
}

export const triggerDownstreamOnlyIfPresent = program({
  name: 'TriggerDownstreamOnlyIfPresent',
  rule: 'a reaction runs only at the tags at which its trigger was written',
  parts: { s: InTurn, d: Two },
  connections: [{ from: ['s.x', 's.y'], to: ['d.x', 'd.y'] }],
  options: { timeout: 600 },
  trace: { d: ['0.0 x 1', '200.0 y 2', '400.0 x 3', '600.0 y 4'] },
});

class Sparse2 extends Part {
  out = this.outputs(2);
  tick = this.timer(0, 200);
  count = 0;
  r = this.reaction({ triggers: this.tick, effects: this.out }, () => {
    this.out.set(this.count % 2, this.count);
    this.count += 1;
  });
}

export const triggerDownstreamOnlyIfPresent2 = program({
  name: 'TriggerDownstreamOnlyIfPresent2',
  rule: 'of the reactors behind a multiport the one reacts whose channel was written',
  parts: { s: Sparse2, d0: Print, d1: Print },
  connections: [{ from: ['s.out'], to: ['d0.in', 'd1.in'] }],
  options: { timeout: 400 },
  trace: { d0: ['0.0 0', '400.0 2'], d1: ['200.0 1'] },
});

class AddBoth extends Part {
  in1 = this.input();
  in2 = this.input();
  r = this.reaction({ triggers: [this.in1, this.in2] }, () =>
    this.note(this.in1.get() ?? 'absent', this.in2.get() ?? 'absent'),
  );
}

export const unconnectedInput = program({
  name: 'UnconnectedInput',
  rule: 'an input that nothing is connected to is absent',
  parts: { source: [Count, { period: 1000 }], add: AddBoth },
  connections: [{ from: ['source.out'], to: ['add.in2'] }],
  options: { timeout: 2000 },
  trace: { add: ['0.0 absent 1', '1000.0 absent 2', '2000.0 absent 3'] },
});

class Outer extends Part {
  in = this.input();
  out = this.output();
  unused = this.output();
  r = this.reaction({ triggers: this.in, effects: [this.out, this.unused] }, () => {
    this.unused.set(0);
    this.out.set(this.in.get());
  });
}

export const unconnectedOutput = program({
  name: 'UnconnectedOutput',
  rule: 'an output that is connected to nothing may be written',
  parts: { source: [Once, { value: 7 }], bar: Outer, print: Print },
  connections: [{ from: ['source.out', 'bar.out'], to: ['bar.in', 'print.in'] }],
  trace: { print: ['0.0 7'] },
});

export const danglingOutput = program({
  name: 'DanglingOutput',
  rule: 'a source without a sink runs',
  parts: { source: Once, print: Print },
  trace: {},
});

class Zeros extends Part {
  outs = this.outputs(4);
  go = this.reaction({ triggers: this.startup, effects: this.outs }, () =>
    [0, '', false, null].forEach((value, i) => this.outs.set(i, value)),
  );
}

class Values extends Part {
  in = this.inputs(4);
  r = this.reaction({ triggers: this.in }, () =>
    this.note(JSON.stringify(this.in.values()), this.in.present()),
  );
}

export const setZero = program({
  name: 'SetZero',
  rule: 'an output that is written with 0, nothing or false is present',
  parts: { sender: Zeros, receiver: Values },
  connections: [{ from: ['sender.outs'], to: ['receiver.in'] }],
  trace: { receiver: ['0.0 [0,"",false,null] 0 1 2 3'] },
});

class CountMicrostep extends Part {
  out = this.output();
  act = this.action();
  tick = this.timer(0, 1000);
  count = 1;
  go = this.reaction({ triggers: this.tick, effects: this.act }, () => {
    this.act.schedule(0, this.count);
    this.count += 1;
  });
  send = this.reaction({ triggers: this.act, effects: this.out }, () =>
    this.out.set(this.act.get()),
  );
}

export const doublePort = program({
  name: 'DoublePort',
  rule: 'inputs at one time and different microsteps are two reactions',
  parts: { c: [Count, { period: 1000 }], cm: CountMicrostep, p: AddBoth },
  connections: [{ from: ['c.out', 'cm.out'], to: ['p.in1', 'p.in2'] }],
  options: { timeout: 900 },
  trace: { p: ['0.0 1 absent', '0.1 absent 1'] },
});

export const buildReactor = reactorBuilder(
  portValueCleanup,
  triggerIssue,
  triggerIssue2,
  triggerDownstreamOnlyIfPresent,
  triggerDownstreamOnlyIfPresent2,
  unconnectedInput,
  unconnectedOutput,
  danglingOutput,
  setZero,
  doublePort,
);
