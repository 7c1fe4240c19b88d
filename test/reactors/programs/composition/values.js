// After ArrayAsType, ArrayPrint, ArrayScale, ArrayParallel, StructAsType, StructPrint, StructScale, StructParallel,
// FloatLiteral, NativeListsAndTimes, ArrayAsParameter, SetToken, StructAsState of Lingua Franca.

import { Part, program, reactorBuilder } from '../../program.js';
import { Once, Print } from '../parts.js';

/** @import { InPort } from 'swingset-runner/reactor' */

class Scale extends Part {
  /** @type {InPort<any>} */
  in = this.input();
  out = this.output();
  r = this.reaction({ triggers: this.in, effects: this.out }, () => {
    const { scale } = this.params;
    const value = this.in.get();
    if (Array.isArray(value)) this.out.set(value.map(x => x * scale));
    else this.out.set({ ...value, value: value.value * scale });
  });
}

class PrintRecord extends Part {
  /** @type {InPort<any>} */
  in = this.input();
  r = this.reaction({ triggers: this.in }, () =>
    this.note(this.in.get().name, this.in.get().value),
  );
}

const list = [0, 1, 2];
const record = { name: 'Earth', value: 42 };

export const arrayPrint = program({
  name: 'ArrayPrint',
  rule: 'an array is a value',
  parts: { s: [Once, { value: list }], p: Print },
  connections: [{ from: ['s.out'], to: ['p.in'] }],
  trace: { p: ['0.0 0 1 2'] },
});

export const arrayScale = program({
  name: 'ArrayScale',
  rule: 'an array is scaled on its way, as a new one',
  parts: { s: [Once, { value: list }], c: [Scale, { scale: 2 }], p: Print, before: Print },
  connections: [
    { from: ['s.out', 'c.out'], to: ['c.in', 'p.in'] },
    { from: ['s.out'], to: ['before.in'] },
  ],
  trace: { p: ['0.0 0 2 4'], before: ['0.0 0 1 2'] },
});

export const arrayParallel = program({
  name: 'ArrayParallel',
  rule: 'two readers of one array do not disturb each other',
  parts: {
    s: [Once, { value: list }],
    c1: [Scale, { scale: 2 }],
    c2: [Scale, { scale: 3 }],
    p1: Print,
    p2: Print,
  },
  connections: [
    { from: ['s.out'], to: ['c1.in', 'c2.in'], repeat: true },
    { from: ['c1.out', 'c2.out'], to: ['p1.in', 'p2.in'] },
  ],
  trace: { p1: ['0.0 0 2 4'], p2: ['0.0 0 3 6'] },
});

export const structPrint = program({
  name: 'StructPrint',
  rule: 'a record is a value',
  parts: { s: [Once, { value: record }], p: PrintRecord },
  connections: [{ from: ['s.out'], to: ['p.in'] }],
  trace: { p: ['0.0 Earth 42'] },
});

export const structScale = program({
  name: 'StructScale',
  rule: 'a record is scaled on its way',
  parts: { s: [Once, { value: record }], c: [Scale, { scale: 2 }], p: PrintRecord },
  connections: [{ from: ['s.out', 'c.out'], to: ['c.in', 'p.in'] }],
  trace: { p: ['0.0 Earth 84'] },
});

export const structParallel = program({
  name: 'StructParallel',
  rule: 'two readers of one record do not disturb each other',
  parts: {
    s: [Once, { value: record }],
    c1: [Scale, { scale: 2 }],
    c2: [Scale, { scale: 3 }],
    p1: PrintRecord,
    p2: PrintRecord,
  },
  connections: [
    { from: ['s.out'], to: ['c1.in', 'c2.in'], repeat: true },
    { from: ['c1.out', 'c2.out'], to: ['p1.in', 'p2.in'] },
  ],
  trace: { p1: ['0.0 Earth 84'], p2: ['0.0 Earth 126'] },
});

export const floatLiteral = program({
  name: 'FloatLiteral',
  rule: 'a number keeps every bit of it',
  parts: { s: [Once, { value: 125e-3 * 6.0221e23 }], p: Print },
  connections: [{ from: ['s.out'], to: ['p.in'] }],
  trace: { p: [`0.0 ${125e-3 * 6.0221e23}`] },
});

class Sequence extends Part {
  out = this.output();
  next = this.action();
  count = 0;
  r = this.reaction({ triggers: [this.startup, this.next], effects: [this.out, this.next] }, () => {
    this.out.set(this.params.sequence[this.count]);
    this.count += 1;
    if (this.count < this.params.sequence.length) this.next.schedule();
  });
}

export const arrayAsParameter = program({
  name: 'ArrayAsParameter',
  rule: 'a list as a parameter is sent element by element, one a microstep',
  parts: { s: [Sequence, { sequence: [3, 2, 1] }], p: Print },
  connections: [{ from: ['s.out'], to: ['p.in'] }],
  trace: { p: ['0.0 3', '0.1 2', '0.2 1'] },
});

class Lists extends Part {
  r = this.reaction({ triggers: this.startup }, () => {
    const { times } = this.params;
    const a = this.params.times.map((/** @type {any} */ x) => x * 2);
    this.note(times, a);
    times.forEach((/** @type {any} */ _, /** @type {number} */ i) => this.timesSeen.push(i));
  });
  /** @type {number[]} */
  timesSeen = [];
  end = this.reaction({ triggers: this.shutdown }, () => this.note(this.timesSeen));
}

export const nativeLists = program({
  name: 'NativeListsAndTimes',
  rule: 'parameters and state may be lists',
  parts: { main: [Lists, { times: [1, 2, 3] }] },
  options: { timeout: 1, keepalive: true },
  trace: { main: ['0.0 1 2 3 2 4 6', '1.0 0 1 2'] },
});

class RecordState extends Part {
  planet = { name: 'Earth', value: 42 };
  r = this.reaction({ triggers: this.startup }, () =>
    this.note(this.planet.name, this.planet.value),
  );
}

export const structAsState = program({
  name: 'StructAsState',
  rule: 'state may be a record',
  parts: { main: RecordState },
  trace: { main: ['0.0 Earth 42'] },
});

const values = [0, -1.5, 'text', true, null, [1, [2]], { a: { b: 1 } }, 2n ** 70n];

class ShowsType extends Part {
  in = this.input();
  r = this.reaction({ triggers: this.in }, () => {
    const value = this.in.get();
    this.note(
      typeof value,
      JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner)),
    );
  });
}

export const passedValues = program({
  name: 'PassedValues',
  rule: 'whatever is passed arrives as it was',
  parts: { s: [Sequence, { sequence: values }], p: ShowsType },
  connections: [{ from: ['s.out'], to: ['p.in'] }],
  trace: {
    p: [
      '0.0 number 0',
      '0.1 number -1.5',
      '0.2 string "text"',
      '0.3 boolean true',
      '0.4 object null',
      '0.5 object [1,[2]]',
      '0.6 object {"a":{"b":1}}',
      '0.7 bigint "1180591620717411303424n"',
    ],
  },
});

export const buildReactor = reactorBuilder(
  arrayPrint,
  arrayScale,
  arrayParallel,
  structPrint,
  structScale,
  structParallel,
  floatLiteral,
  arrayAsParameter,
  nativeLists,
  structAsState,
  passedValues,
);
