// After NestedBanks, NestedInterleavedBanks, FullyConnected, FullyConnectedAddressable, FullyConnectedAddressableAfter,
// TriggerDownstreamOnlyIfPresent (multiport), ConnectionToSelfBank of Lingua Franca.

import { interleaved } from 'swingset-runner/reactor';
import { Part, program, reactorBuilder } from '../../program.js';
import { PrintAll } from '../parts.js';

class B extends Part {
  y = this.outputs(2);
  r = this.reaction({ triggers: this.startup, effects: this.y }, () => {
    const base = this.params.outer * 4 + this.getBankIndex() * 2;
    this.y.set(0, base);
    this.y.set(1, base + 1);
  });
}

class A extends Part {
  x = this.outputs(4);
  b = this.bank(2, B, { outer: this.getBankIndex() });
  wire = this.params.inTurn
    ? this.connect(interleaved(this.b.port('y')), this.x)
    : this.connect(this.b.port('y'), this.x);
}

class Outer extends Part {
  x = this.outputs(8);
  a = this.bank(2, A, this.params);
  wire = this.connect(this.a.port('x'), this.x);
}

class Leaf extends Part {
  w = this.input();
  r = this.reaction({ triggers: this.w }, () =>
    this.note(this.params.outer, this.params.name, this.w.get()),
  );
}

class C extends Part {
  z = this.inputs(2);
  f = new Leaf(this, { outer: this.getBankIndex(), name: 'f' });
  g = new Leaf(this, { outer: this.getBankIndex(), name: 'g' });
  wire = this.connect(this.z, [this.f.w, this.g.w]);
}

class Cs extends Part {
  z = this.inputs(6);
  c = this.bank(3, C);
  wire = this.connect(this.z, this.c.port('z'));
}

export const nestedBanks = program({
  name: 'NestedBanks',
  rule: 'banks of banks are flattened, and broadcast over banks of several classes',
  parts: { a: Outer, c: Cs, d: [PrintAll, { width: 2 }], e: [PrintAll, { width: 8 }] },
  connections: [{ from: ['a.x'], to: ['c.z', 'd.in', 'e.in'], repeat: true }],
  trace: {
    c: ['0.0 0 f 0', '0.0 0 g 1', '0.0 1 f 2', '0.0 1 g 3', '0.0 2 f 4', '0.0 2 g 5'],
    d: ['0.0 0=6 1=7'],
    e: ['0.0 0=0 1=1 2=2 3=3 4=4 5=5 6=6 7=7'],
  },
});

export const nestedInterleavedBanks = program({
  name: 'NestedInterleavedBanks',
  rule: 'channels of an inner bank are taken in turn',
  parts: { b: [Outer, { inTurn: true }], c: [PrintAll, { width: 8 }] },
  connections: [{ from: ['b.x'], to: ['c.in'] }],
  trace: { c: ['0.0 0=0 1=2 2=1 3=3 4=4 5=6 6=5 7=7'] },
});

class Node extends Part {
  in = this.inputs(4);
  out = this.output();
  go = this.reaction({ triggers: this.startup, effects: this.out }, () =>
    this.out.set(this.params.id),
  );
  r = this.reaction({ triggers: this.in }, () => this.note(this.in.values()));
}

const nodes = (/** @type {any} */ Class) =>
  Object.fromEntries([0, 1, 2, 3].map(id => [`n${id}`, [Class, { id }]]));
const ports = (/** @type {string} */ port) => [0, 1, 2, 3].map(id => `n${id}.${port}`);

export const fullyConnected = program({
  name: 'FullyConnected',
  rule: 'every node hears every node, itself included',
  parts: /** @type {any} */ (nodes(Node)),
  connections: [{ from: ports('out'), to: ports('in'), repeat: true }],
  trace: Object.fromEntries([0, 1, 2, 3].map(id => [`n${id}`, ['0.0 0 1 2 3']])),
});

/** Sends its number to the next node. */
class Addressing extends Part {
  in = this.inputs(4);
  out = this.outputs(4);
  go = this.reaction({ triggers: this.startup, effects: this.out }, () =>
    this.out.set((this.params.id + 1) % 4, this.params.id),
  );
  r = this.reaction({ triggers: this.in }, () =>
    this.note(this.in.present().map(i => `${i}=${this.in.get(i)}`)),
  );
}

/** @type {(name: string, wire: any, at: string) => any} */
const addressable = (name, wire, at) =>
  program({
    name,
    rule: 'every node sends to whom it chooses',
    parts: /** @type {any} */ (nodes(Addressing)),
    connections: [{ from: ports('out'), to: ports('in'), ...wire }],
    trace: Object.fromEntries(
      [0, 1, 2, 3].map(id => [`n${id}`, [`${at} ${(id + 3) % 4}=${(id + 3) % 4}`]]),
    ),
  });

export const fullyConnectedAddressable = addressable(
  'FullyConnectedAddressable',
  { interleaved: 'to' },
  '0.0',
);
export const fullyConnectedAddressableFrom = addressable(
  'FullyConnectedAddressableFrom',
  { interleaved: 'from' },
  '0.0',
);
export const fullyConnectedAddressableAfter = addressable(
  'FullyConnectedAddressableAfter',
  { interleaved: 'to', after: 200 },
  '200.0',
);

class SelfNode extends Part {
  in = this.inputs(4);
  out = this.output();
  go = this.reaction({ triggers: this.startup, effects: this.out }, () =>
    this.out.set(this.getBankIndex()),
  );
  r = this.reaction({ triggers: this.in }, () => this.note(this.getBankIndex(), this.in.values()));
}

class SelfBank extends Part {
  nodes = this.bank(4, SelfNode);
  wire = this.connect(this.nodes.port('out'), this.nodes.port('in'), { repeat: true, after: 0 });
}

export const connectionToSelfBank = program({
  name: 'ConnectionToSelfBank',
  rule: 'all members hear all members at the next microstep',
  parts: { main: SelfBank },
  trace: { main: [0, 1, 2, 3].map(i => `0.1 ${i} 0 1 2 3`) },
});

class InTurn extends Part {
  a = this.output();
  b = this.output();
  tick = this.timer(0, 200);
  count = 0;
  r = this.reaction({ triggers: this.tick, effects: [this.a, this.b] }, () => {
    this.count += 1;
    (this.count % 2 === 1 ? this.a : this.b).set(this.count);
  });
}

class InTurnBank extends Part {
  a = this.outputs(2);
  b = this.outputs(2);
  s = this.bank(2, InTurn);
  wires = [this.connect(this.s.port('a'), this.a), this.connect(this.s.port('b'), this.b)];
}

class TwoMultiports extends Part {
  a = this.inputs(2);
  b = this.inputs(2);
  ra = this.reaction({ triggers: this.a }, () => this.note('a', this.a.values()));
  rb = this.reaction({ triggers: this.b }, () => this.note('b', this.b.values()));
}

export const bankDownstreamOnlyIfPresent = program({
  name: 'TriggerDownstreamOnlyIfPresentBank',
  rule: 'a reaction to a multiport runs only if one of its channels is present',
  parts: { s: InTurnBank, d: TwoMultiports },
  connections: [{ from: ['s.a', 's.b'], to: ['d.a', 'd.b'] }],
  options: { timeout: 400 },
  trace: { d: ['0.0 a 1 1', '200.0 b 2 2', '400.0 a 3 3'] },
});

export const buildReactor = reactorBuilder(
  nestedBanks,
  nestedInterleavedBanks,
  fullyConnected,
  fullyConnectedAddressable,
  fullyConnectedAddressableFrom,
  fullyConnectedAddressableAfter,
  connectionToSelfBank,
  bankDownstreamOnlyIfPresent,
);
