// After Broadcast, BroadcastAfter, BroadcastMultipleAfter, PipelineAfter, CycledLhs_SelfLoop, CycledLhs_Single,
// ConnectionToSelfMultiport, Sparse, SparseFallback, InterleavedHierarchy, DistributedInterleaved, WidthGivenByCode of
// Lingua Franca.

import { Part, program, reactorBuilder } from '../../program.js';
import { Once, Pass, Print, PrintAll } from '../parts.js';
import { PrintBank, Wide } from './parts.js';

/** @import { Action, InMultiPort, InPort } from 'swingset-runner/reactor' */

export const broadcast = program({
  name: 'Broadcast',
  rule: 'one output to all members of a bank',
  parts: { a: [Once, { value: 42 }], b: PrintBank },
  connections: [{ from: ['a.out'], to: ['b.in'], repeat: true }],
  trace: { b: ['0.0 0 42', '0.0 1 42', '0.0 2 42', '0.0 3 42'] },
});

export const broadcastAfter = program({
  name: 'BroadcastAfter',
  rule: 'one output to all, later',
  parts: { a: [Once, { value: 42 }], b: PrintBank },
  connections: [{ from: ['a.out'], to: ['b.in'], repeat: true, after: 1000 }],
  trace: { b: ['1000.0 0 42', '1000.0 1 42', '1000.0 2 42', '1000.0 3 42'] },
});

export const broadcastMultipleAfter = program({
  name: 'BroadcastMultipleAfter',
  rule: 'the sources begin again at the first when they are used up',
  parts: {
    a1: [Once, { value: 1 }],
    a2: [Once, { value: 2 }],
    a3: [Once, { value: 3 }],
    b: [PrintAll, { width: 9 }],
  },
  connections: [{ from: ['a1.out', 'a2.out', 'a3.out'], to: ['b.in'], repeat: true, after: 1000 }],
  trace: { b: ['1000.0 0=1 1=2 2=3 3=1 4=2 5=3 6=1 7=2 8=3'] },
});

export const broadcastUneven = program({
  name: 'BroadcastUneven',
  rule: 'they may be used up in the middle',
  parts: { a: [Wide, { width: 3 }], b: [PrintAll, { width: 5 }] },
  connections: [{ from: ['a.out'], to: ['b.in'], repeat: true }],
  trace: { b: ['0.0 0=0 1=1 2=2 3=0 4=1'] },
});

class Plus2 extends Part {
  /** @type {InPort<any>} */
  in = this.input();
  out = this.output();
  r = this.reaction({ triggers: this.in, effects: this.out }, () =>
    this.out.set(this.in.get() + 2),
  );
}

export const pipelineAfter = program({
  name: 'PipelineAfter',
  rule: 'a list of delayed connections, in which a reactor is on both sides',
  parts: { source: [Once, { value: 40 }], compute: Plus2, sink: Print },
  connections: [
    { from: ['source.out', 'compute.out'], to: ['compute.in', 'sink.in'], after: '500 ns' },
  ],
  trace: { sink: ['1000.0 42'] },
});

class Doubles extends Part {
  out = this.output();
  /** @type {InMultiPort<any>} */
  in = this.inputs(2);
  act = this.action();
  go = this.reaction({ triggers: this.startup, effects: this.act }, () => this.act.schedule(1, 1));
  send = this.reaction({ triggers: this.act, effects: this.out }, () =>
    this.out.set(this.act.get()),
  );
  sum = this.reaction({ triggers: this.in, effects: this.act }, () => {
    const sum = this.in.values().reduce((a, b) => a + b, 0);
    this.note(sum);
    this.act.schedule(1, sum);
  });
}

export const cycledLhsSelfLoop = program({
  name: 'CycledLhs_SelfLoop',
  rule: 'one output is broadcast to the multiport of its own reactor',
  parts: { t: Doubles },
  connections: [{ from: ['t.out'], to: ['t.in'], repeat: true }],
  options: { timeout: 16 },
  trace: { t: Array.from({ length: 16 }, (_, i) => `${i + 1}.0 ${2 ** (i + 1)}`) },
});

class Fibonacci extends Part {
  out = this.outputs(2);
  /** @type {InMultiPort<any>} */
  in = this.inputs(4);
  /** @type {Action<any>} */
  act = this.action();
  go = this.reaction({ triggers: this.startup, effects: this.act }, () =>
    this.act.schedule(1, [0, 1]),
  );
  send = this.reaction({ triggers: this.act, effects: this.out }, () =>
    this.act
      .get()
      .forEach((/** @type {number} */ x, /** @type {number} */ i) => this.out.set(i, x)),
  );
  sum = this.reaction({ triggers: this.in, effects: this.act }, () => {
    const [a, b, c, d] = this.in.values();
    this.note(a, b, c === a, d === b);
    this.act.schedule(1, [b, a + b]);
  });
}

export const cycledLhsSingle = program({
  name: 'CycledLhs_Single',
  rule: 'a multiport is repeated whole',
  parts: { t: Fibonacci },
  connections: [{ from: ['t.out'], to: ['t.in'], repeat: true }],
  options: { timeout: 5 },
  trace: {
    t: [
      '1.0 0 1 true true',
      '2.0 1 1 true true',
      '3.0 1 2 true true',
      '4.0 2 3 true true',
      '5.0 3 5 true true',
    ],
  },
});

class Swaps extends Part {
  out = this.outputs(4);
  in = this.inputs(4);
  go = this.reaction({ triggers: this.startup, effects: this.out }, () => {
    for (let i = 0; i < 4; i += 1) this.out.set(i, 10 * i);
  });
  r = this.reaction({ triggers: this.in }, () => this.note(this.in.values()));
}

export const connectionToSelfMultiport = program({
  name: 'ConnectionToSelfMultiport',
  rule: 'a multiport leads to another one of the same reactor',
  parts: { t: Swaps },
  connections: [{ from: ['t.out'], to: ['t.in'] }],
  trace: { t: ['0.0 0 10 20 30'] },
});

/** Two channels a tick: the next one first. */
class SparseSource extends Part {
  out = this.outputs(this.params.width);
  tick = this.timer(0, 1);
  count = 0;
  r = this.reaction({ triggers: this.tick, effects: this.out }, () => {
    const next = (this.count + 1) % this.params.width;
    this.out.set(next, next);
    this.out.set(this.count, this.count);
    this.count = next;
  });
}

/** @type {(name: string, width: number) => any} */
const sparseOf = (name, width) =>
  program({
    name,
    rule: `of ${width} channels those that are present are visited, in order`,
    parts: { s: [SparseSource, { width }], d: [PrintAll, { width }] },
    connections: [{ from: ['s.out'], to: ['d.in'] }],
    options: { timeout: width },
    trace: {
      d: Array.from({ length: width + 1 }, (_, i) => {
        const channels = [i % width, (i + 1) % width].sort((a, b) => a - b);
        return `${i}.0 ${channels.map(channel => `${channel}=${channel}`).join(' ')}`;
      }),
    },
  });

export const sparse = sparseOf('Sparse', 20);
export const sparseFallback = sparseOf('SparseFallback', 4);

export const interleavedHierarchy = program({
  name: 'InterleavedHierarchy',
  rule: 'the channels of the destinations are taken in turn',
  parts: {
    a0: [Wide, { width: 2, base: 0 }],
    a1: [Wide, { width: 2, base: 10 }],
    a2: [Wide, { width: 2, base: 20 }],
    b0: [PrintAll, { width: 3 }],
    b1: [PrintAll, { width: 3 }],
  },
  connections: [
    { from: ['a0.out', 'a1.out', 'a2.out'], to: ['b0.in', 'b1.in'], interleaved: 'to' },
  ],
  trace: { b0: ['0.0 0=0 1=10 2=20'], b1: ['0.0 0=1 1=11 2=21'] },
});

export const interleavedSources = program({
  name: 'DistributedInterleaved',
  rule: 'the channels of the sources are taken in turn, also where widths differ',
  parts: {
    a0: [Wide, { width: 1, base: 0 }],
    a1: [Wide, { width: 3, base: 10 }],
    b: [PrintAll, { width: 4 }],
  },
  connections: [{ from: ['a0.out', 'a1.out'], to: ['b.in'], interleaved: 'from' }],
  trace: { b: ['0.0 0=0 1=10 2=11 3=12'] },
});

export const cascade = program({
  name: 'Cascade',
  rule: 'one list of connections makes a cascade',
  parts: { s: [Once, { value: 9 }], a: Pass, b: Pass, c: Pass, p: Print },
  connections: [
    { from: ['s.out', 'a.out', 'b.out', 'c.out'], to: ['a.in', 'b.in', 'c.in', 'p.in'] },
  ],
  trace: { p: ['0.0 9'] },
});

export const buildReactor = reactorBuilder(
  broadcast,
  broadcastAfter,
  broadcastMultipleAfter,
  broadcastUneven,
  pipelineAfter,
  cycledLhsSelfLoop,
  cycledLhsSingle,
  connectionToSelfMultiport,
  sparse,
  sparseFallback,
  interleavedHierarchy,
  interleavedSources,
  cascade,
);
