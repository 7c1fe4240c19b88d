// After AfterArray, DelayArrayWithAfter, DelayStructWithAfter, DelayStructWithAfterOverlapped, ArrayAsTypeAfter,
// DelayInt, DelayString, DelayStruct, DelayArray, DelayPointer of Lingua Franca.

import { Part, program, reactorBuilder } from '../../program.js';
import { Once, Print } from '../parts.js';

/** @import { InPort } from 'swingset-runner/reactor' */

/** Sends arrays, each three times the last. */
class Arrays extends Part {
  out = this.output();
  tick = this.timer(0, 1000);
  iteration = 1;
  r = this.reaction({ triggers: this.tick, effects: this.out }, () => {
    this.out.set([this.iteration, 2 * this.iteration, 3 * this.iteration]);
    this.iteration += 1;
  });
}

export const delayArrayWithAfter = program({
  name: 'DelayArrayWithAfter',
  rule: 'each of several arrays under way arrives as it was',
  parts: { source: Arrays, print: Print },
  connections: [{ from: ['source.out'], to: ['print.in'], after: 5000 }],
  options: { timeout: 8000 },
  trace: { print: ['5000.0 1 2 3', '6000.0 2 4 6', '7000.0 3 6 9', '8000.0 4 8 12'] },
});

class Records extends Part {
  out = this.output();
  tick = this.timer(0, this.params.period ?? 0);
  count = 0;
  r = this.reaction({ triggers: this.tick, effects: this.out }, () => {
    this.count += 1;
    this.out.set({ name: 'Earth', value: 42 * this.count });
  });
}

class PrintRecord extends Part {
  /** @type {InPort<any>} */
  in = this.input();
  r = this.reaction({ triggers: this.in }, () =>
    this.note(`name=${this.in.get().name} value=${this.in.get().value}`),
  );
}

export const delayStructWithAfter = program({
  name: 'DelayStructWithAfter',
  rule: 'a record arrives later by the delay',
  parts: { source: Records, print: PrintRecord },
  connections: [{ from: ['source.out'], to: ['print.in'], after: '100 ms' }],
  trace: { print: ['100000000.0 name=Earth value=42'] },
});

export const delayStructWithAfterOverlapped = program({
  name: 'DelayStructWithAfterOverlapped',
  rule: 'records under way do not overwrite each other',
  parts: { source: [Records, { period: 10 }], print: PrintRecord },
  connections: [{ from: ['source.out'], to: ['print.in'], after: 25 }],
  options: { timeout: 45 },
  trace: {
    print: ['25.0 name=Earth value=42', '35.0 name=Earth value=84', '45.0 name=Earth value=126'],
  },
});

/** A delay by an action of its own. */
class Delay extends Part {
  in = this.input();
  out = this.output();
  a = this.action({ minDelay: this.params.delay ?? 100 });
  send = this.reaction({ triggers: this.a, effects: this.out }, () => this.out.set(this.a.get()));
  take = this.reaction({ triggers: this.in, effects: this.a }, () =>
    this.a.schedule(0, this.in.get()),
  );
}

/** @type {(name: string, value: any, text: string) => import('../../program.js').Program} */
const delayed = (name, value, text) =>
  program({
    name,
    rule: `${Array.isArray(value) ? 'an array' : `a ${typeof value}`} is kept by an action`,
    parts: { source: [Once, { value }], d: Delay, print: Print },
    connections: [{ from: ['source.out', 'd.out'], to: ['d.in', 'print.in'] }],
    trace: { print: [`100.0 ${text}`] },
  });

export const delayInt = delayed('DelayInt', 42, '42');
export const delayString = delayed('DelayString', 'Hello', 'Hello');
export const delayArray = delayed('DelayArray', [0, 1, 2], '0 1 2');

export const delayStruct = program({
  name: 'DelayStruct',
  rule: 'a record is kept by an action',
  parts: { source: Records, d: Delay, print: PrintRecord },
  connections: [{ from: ['source.out', 'd.out'], to: ['d.in', 'print.in'] }],
  trace: { print: ['100.0 name=Earth value=42'] },
});

export const delayPointer = program({
  name: 'DelayPointer',
  rule: 'a delay that is reached at the tag at which it gives out does both',
  parts: { source: Arrays, d: [Delay, { delay: 1000 }], print: Print },
  connections: [{ from: ['source.out', 'd.out'], to: ['d.in', 'print.in'] }],
  options: { timeout: 2000 },
  trace: { print: ['1000.0 1 2 3', '2000.0 2 4 6'] },
});

export const buildReactor = reactorBuilder(
  delayArrayWithAfter,
  delayStructWithAfter,
  delayStructWithAfterOverlapped,
  delayInt,
  delayString,
  delayArray,
  delayStruct,
  delayPointer,
);
