// After Threaded, ThreadedMultiport, ThreadedThreaded, Gather, Scatter of Lingua Franca: what may run at once has the
// result that it has one after the other.

import { Part, program, reactorBuilder } from '../../program.js';
import { Count } from '../parts.js';
import { SumAll } from '../multiport/parts.js';

/** @import { InPort } from 'swingset-runner/reactor' */

/** Much work for a small result. */
class Computation extends Part {
  /** @type {InPort<any>} */
  in = this.input();
  out = this.output();
  r = this.reaction({ triggers: this.in, effects: this.out }, () => {
    let offset = 0;
    for (let i = 0; i < this.params.iterations; i += 1) offset = (offset * 31 + i) % 7;
    this.out.set(this.in.get() * 100 + this.params.id * 10 + (offset % 10));
  });
}

/** Notes values by channel. */
class Gather extends Part {
  in = this.inputs(4);
  r = this.reaction({ triggers: this.in }, () => this.note(this.in.values()));
}

const four = [0, 1, 2, 3];
/** @type {(prefix: string, iterations: (id: number) => number) => Record<string, any>} */
const workers = (prefix, iterations) =>
  Object.fromEntries(
    four.map(id => [`${prefix}${id}`, [Computation, { id, iterations: iterations(id) }]]),
  );

/** @type {(iterations: number) => number} */
const offsetAfter = iterations => {
  let offset = 0;
  for (let i = 0; i < iterations; i += 1) offset = (offset * 31 + i) % 7;
  return offset;
};

export const threaded = program({
  name: 'Threaded',
  rule: 'four computations of one value, which take different times, end at its tag',
  parts: {
    s: [Count, { start: 0, period: 200 }],
    ...workers('c', id => 100 * (4 - id)),
    d: Gather,
  },
  connections: [
    { from: ['s.out'], to: four.map(id => `c${id}.in`), repeat: true },
    { from: four.map(id => `c${id}.out`), to: ['d.in'] },
  ],
  options: { timeout: 400 },
  trace: {
    d: [0, 1, 2].map(
      n =>
        `${n * 200}.0 ${four.map(id => n * 100 + id * 10 + offsetAfter(100 * (4 - id))).join(' ')}`,
    ),
  },
});

class Scatter extends Part {
  out = this.outputs(4);
  t = this.timer(0, 200);
  n = 0;
  r = this.reaction({ triggers: this.t, effects: this.out }, () => {
    for (const i of four) this.out.set(i, this.n + i);
    this.n += 1;
  });
}

export const threadedMultiport = program({
  name: 'ThreadedMultiport',
  rule: 'a multiport is scattered over four reactors and gathered again',
  parts: { a: Scatter, ...workers('t', () => 0), b: SumAll },
  connections: [
    { from: ['a.out'], to: four.map(id => `t${id}.in`) },
    { from: four.map(id => `t${id}.out`), to: ['b.in'] },
  ],
  options: { timeout: 400 },
  trace: { b: ['0.0 660', '200.0 1060', '400.0 1460'] },
});

export const threadedThreaded = program({
  name: 'ThreadedThreaded',
  rule: 'two rows of four, each behind one of the first row, a delay apart',
  parts: { a: Scatter, ...workers('t', () => 0), ...workers('u', () => 0), b: Gather },
  connections: [
    { from: ['a.out'], to: four.map(id => `t${id}.in`) },
    { from: four.map(id => `t${id}.out`), to: four.map(id => `u${id}.in`), after: 50 },
    { from: four.map(id => `u${id}.out`), to: ['b.in'] },
  ],
  options: { timeout: 250 },
  trace: { b: ['50.0 0 11010 22020 33030', '250.0 10000 21010 32020 43030'] },
});

export const buildReactor = reactorBuilder(threaded, threadedMultiport, threadedThreaded);
