// After ReadOutputOfContainedReactor, StartupOutFromInside, SendingInside, SendingInside2, MultipleContained,
// NestedTriggeredReactions, ToReactionNested, Hierarchy, Hierarchy2, CompositionInitializationOrder,
// PortConnectionInSelfInChild, PortConnectionInSelfOutSelf, PortConnectionOutChildOutSelf of Lingua Franca. The point of
// most is containment, so they have one part.

import { Part, program, reactorBuilder } from '../../program.js';
import { Count, Gain, Once, Print } from '../parts.js';

/** @import { InPort, OutPort } from 'swingset-runner/reactor' */

class Contained extends Part {
  trigger = this.input();
  /** @type {OutPort<any>} */
  out = this.output();
  r = this.reaction({ triggers: this.startup, effects: this.out }, () => this.out.set(42));
}

class ReadsContained extends Part {
  c = new Contained(this);
  r1 = this.reaction({ triggers: this.startup, sources: this.c.out }, () =>
    this.note('startup', this.c.out.get()),
  );
  r2 = this.reaction({ triggers: this.c.out }, () => this.note('out', this.c.out.get()));
  r3 = this.reaction({ triggers: [this.startup, this.c.out] }, () =>
    this.note('both', this.c.out.get()),
  );
}

export const readOutputOfContainedReactor = program({
  name: 'ReadOutputOfContainedReactor',
  rule: 'a container reads what it contains, as a trigger, as a source and as both',
  parts: { main: ReadsContained },
  trace: { main: ['0.0 startup 42', '0.0 out 42', '0.0 both 42'] },
});

class Bar extends Part {
  out = this.output();
  c = new Contained(this);
  r = this.reaction({ triggers: this.startup, sources: this.c.out, effects: this.out }, () => {
    this.note(this.c.out.get());
    this.out.set(this.c.out.get() + 1);
  });
}

export const startupOutFromInside = program({
  name: 'StartupOutFromInside',
  rule: 'at startup a container comes after what it reads',
  parts: { bar: Bar, print: Print },
  connections: [{ from: ['bar.out'], to: ['print.in'] }],
  trace: { bar: ['0.0 42'], print: ['0.0 43'] },
});

class Inside extends Part {
  count = 0;
  printer = new Print(this);
  tick = this.timer(0, this.params.period ?? 0);
  r = this.reaction({ triggers: this.tick, effects: this.printer.in }, () => {
    this.count += 1;
    this.printer.in.set(this.count);
  });
}

export const sendingInside = program({
  name: 'SendingInside',
  rule: 'a container sends to what it contains, at every tick',
  parts: { main: [Inside, { period: 1000 }] },
  options: { timeout: 3000 },
  trace: { main: ['0.0 1', '1000.0 2', '2000.0 3', '3000.0 4'] },
});

export const sendingInside2 = program({
  name: 'SendingInside2',
  rule: 'a container sends to what it contains, once',
  parts: { main: Inside },
  trace: { main: ['0.0 1'] },
});

class Leaf extends Part {
  trigger = this.output();
  in1 = this.input();
  in2 = this.input();
  go = this.reaction({ triggers: this.startup, effects: this.trigger }, () => this.trigger.set(42));
  r1 = this.reaction({ triggers: this.in1 }, () => this.note('in1', this.in1.get()));
  r2 = this.reaction({ triggers: this.in2 }, () => this.note('in2', this.in2.get()));
}

class MultipleContained extends Part {
  c = new Leaf(this);
  r = this.reaction({ triggers: this.c.trigger, effects: [this.c.in1, this.c.in2] }, () => {
    this.c.in1.set(this.c.trigger.get());
    this.c.in2.set(this.c.trigger.get());
  });
}

export const multipleContained = program({
  name: 'MultipleContained',
  rule: 'one reaction of the container answers at several inputs of what it contains',
  parts: { main: MultipleContained },
  trace: { main: ['0.0 in1 42', '0.0 in2 42'] },
});

class Nested extends Part {
  in = this.input();
  r = this.reaction({ triggers: this.in }, () => this.note('nested', this.in.get()));
}

class Container extends Part {
  in = this.input();
  contained = new Nested(this);
  wire = this.connect(this.in, this.contained.in);
  r = this.reaction({ triggers: this.in }, () => this.note('container', this.in.get()));
}

export const nestedTriggeredReactions = program({
  name: 'NestedTriggeredReactions',
  rule: 'an input triggers reactions of the container and of what it contains',
  parts: { go: Once, container: Container },
  connections: [{ from: ['go.out'], to: ['container.in'] }],
  trace: { container: ['0.0 container 1', '0.0 nested 1'] },
});

class CountContainer extends Part {
  out = this.output();
  c1 = new Count(this, { period: 1000 });
  wire = this.connect(this.c1.out, this.out);
}

class ToReaction extends Part {
  s = new CountContainer(this);
  r = this.reaction({ triggers: this.s.out }, () => this.note(this.s.out.get()));
}

export const toReactionNested = program({
  name: 'ToReactionNested',
  rule: 'an output reaches a reaction out of two containers',
  parts: { main: ToReaction },
  options: { timeout: 2000 },
  trace: { main: ['0.0 1', '1000.0 2', '2000.0 3'] },
});

class GainContainer extends Part {
  in = this.input();
  out = this.output();
  out2 = this.output();
  gain = new Gain(this);
  wires = this.connect(
    [this.in, this.gain.out, this.gain.out],
    [this.gain.in, this.out, this.out2],
  );
}

export const hierarchy = program({
  name: 'Hierarchy',
  rule: 'one contained output leads out by two',
  parts: { source: Once, container: GainContainer, print: Print, print2: Print },
  connections: [
    {
      from: ['source.out', 'container.out', 'container.out2'],
      to: ['container.in', 'print.in', 'print2.in'],
    },
  ],
  trace: { print: ['0.0 2'], print2: ['0.0 2'] },
});

class Adder extends Part {
  /** @type {InPort<any>} */
  in1 = this.input();
  /** @type {InPort<any>} */
  in2 = this.input();
  out = this.output();
  r = this.reaction({ triggers: [this.in1, this.in2], effects: this.out }, () =>
    this.out.set((this.in1.get() ?? 0) + (this.in2.get() ?? 0)),
  );
}

class AddContainer extends Part {
  in = this.input();
  out = this.output();
  add = new Adder(this);
  count = new Count(this, { period: 1000 });
  wires = this.connect(
    [this.in, this.count.out, this.add.out],
    [this.add.in1, this.add.in2, this.out],
  );
}

export const hierarchy2 = program({
  name: 'Hierarchy2',
  rule: 'an input is added to what a contained reactor counts',
  parts: { source: [Count, { step: 0, period: 1000 }], container: AddContainer, print: Print },
  connections: [{ from: ['source.out', 'container.out'], to: ['container.in', 'print.in'] }],
  options: { timeout: 2000 },
  trace: { print: ['0.0 2', '1000.0 3', '2000.0 4'] },
});

class Wakes extends Part {
  r = this.reaction({ triggers: this.startup }, () => this.note(this.params.name));
}

class Composite extends Part {
  c1 = new Wakes(this, { name: 'c1' });
  c2 = new Wakes(this, { name: 'c2' });
  r = this.reaction({ triggers: this.startup }, () => this.note('parent'));
}

export const compositionInitializationOrder = program({
  name: 'CompositionInitializationOrder',
  rule: 'what is independent starts as it was made, the container first',
  parts: { main: Composite },
  trace: { main: ['0.0 parent', '0.0 c1', '0.0 c2'] },
});

class InToOut extends Part {
  in = this.input();
  out = this.output();
  wire = this.connect(this.in, this.out);
  r = this.reaction({ triggers: this.in }, () => this.note(this.in.get()));
}

export const portConnectionInSelfOutSelf = program({
  name: 'PortConnectionInSelfOutSelf',
  rule: 'an input may lead straight to an output of the same reactor',
  parts: { source: [Count, { start: 76, period: 5 }], echo: InToOut, sink: Print },
  connections: [{ from: ['source.out', 'echo.out'], to: ['echo.in', 'sink.in'] }],
  options: { timeout: 5 },
  trace: { echo: ['0.0 76', '5.0 77'], sink: ['0.0 76', '5.0 77'] },
});

class InToChild extends Part {
  in = this.input();
  child = new Nested(this);
  wire = this.connect(this.in, this.child.in);
}

export const portConnectionInSelfInChild = program({
  name: 'PortConnectionInSelfInChild',
  rule: 'an input that nothing here reacts to reaches the child',
  parts: { source: [Count, { start: 76, period: 5 }], parent: InToChild },
  connections: [{ from: ['source.out'], to: ['parent.in'] }],
  options: { timeout: 5 },
  trace: { parent: ['0.0 nested 76', '5.0 nested 77'] },
});

class ChildToOut extends Part {
  out = this.output();
  child = new Count(this, { start: 5, period: 10 });
  wire = this.connect(this.child.out, this.out);
}

export const portConnectionOutChildOutSelf = program({
  name: 'PortConnectionOutChildOutSelf',
  rule: 'the output of a child is that of its container, for two readers',
  parts: { parent: ChildToOut, a: Print, b: Print },
  connections: [{ from: ['parent.out'], to: ['a.in', 'b.in'], repeat: true }],
  options: { timeout: 10 },
  trace: { a: ['0.0 5', '10.0 6'], b: ['0.0 5', '10.0 6'] },
});

export const buildReactor = reactorBuilder(
  readOutputOfContainedReactor,
  startupOutFromInside,
  sendingInside,
  sendingInside2,
  multipleContained,
  nestedTriggeredReactions,
  toReactionNested,
  hierarchy,
  hierarchy2,
  compositionInitializationOrder,
  portConnectionInSelfOutSelf,
  portConnectionInSelfInChild,
  portConnectionOutChildOutSelf,
);
