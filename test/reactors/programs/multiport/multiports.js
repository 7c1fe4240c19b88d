// After MultiportIn, MultiportInParameterized, MultiportOut, MultiportToMultiport, MultiportToMultiport2,
// MultiportToMultiport2After, MultiportToMultiportArray, MultiportToMultiportParameter, MultiportToPort,
// MultiportFromHierarchy, MultiportToHierarchy, MultiportFromReaction, MultiportToReaction, MultiportMutableInput,
// MultiportMutableInputArray, MultiportIndirect, ZeroWidthMultiport of Lingua Franca.

import { Part, program, reactorBuilder } from '../../program.js';
import { Count, Pass, Print, PrintAll } from '../parts.js';
import { SumAll, Wide } from './parts.js';

/** @import { InMultiPort } from 'swingset-runner/reactor' */

/** @type {(name: string, width: number) => any} */
const multiportInOf = (name, width) =>
  program({
    name,
    rule: `a value that goes ${width} ways is in one reaction when it arrives`,
    parts: {
      s: [Count, { start: 0, period: 200 }],
      ...Object.fromEntries(Array.from({ length: width }, (_, i) => [`c${i}`, Pass])),
      d: [SumAll, { width }],
    },
    connections: [
      { from: ['s.out'], to: Array.from({ length: width }, (_, i) => `c${i}.in`), repeat: true },
      { from: Array.from({ length: width }, (_, i) => `c${i}.out`), to: ['d.in'] },
    ],
    options: { timeout: 600 },
    trace: { d: [0, 1, 2, 3].map(i => `${i * 200}.0 ${i * width}`) },
  });

export const multiportIn = multiportInOf('MultiportIn', 4);
export const multiportInParameterized = multiportInOf('MultiportInParameterized', 3);

export const multiportOut = program({
  name: 'MultiportOut',
  rule: 'channels of an output go ways of their own and meet again',
  parts: {
    s: [Wide, { counts: true, period: 200 }],
    c0: Pass,
    c1: Pass,
    c2: Pass,
    c3: Pass,
    d: SumAll,
  },
  connections: [
    { from: ['s.out'], to: ['c0.in', 'c1.in', 'c2.in', 'c3.in'] },
    { from: ['c0.out', 'c1.out', 'c2.out', 'c3.out'], to: ['d.in'] },
  ],
  options: { timeout: 600 },
  trace: { d: ['0.0 0', '200.0 4', '400.0 8', '600.0 12'] },
});

export const multiportToMultiport = program({
  name: 'MultiportToMultiport',
  rule: 'channel by channel, in order',
  parts: { a: Wide, b: PrintAll },
  connections: [{ from: ['a.out'], to: ['b.in'] }],
  trace: { b: ['0.0 0=0 1=1 2=2 3=3'] },
});

/** @type {(name: string, after: number | undefined, at: string) => any} */
const toMultiport2 = (name, after, at) =>
  program({
    name,
    rule: 'two multiports make one wider one',
    parts: { a1: [Wide, { width: 3 }], a2: [Wide, { width: 2 }], b: [PrintAll, { width: 5 }] },
    connections: [{ from: ['a1.out', 'a2.out'], to: ['b.in'], ...(after && { after }) }],
    trace: { b: [`${at} 0=0 1=1 2=2 3=0 4=1`] },
  });

export const multiportToMultiport2 = toMultiport2('MultiportToMultiport2', undefined, '0.0');
export const multiportToMultiport2After = toMultiport2(
  'MultiportToMultiport2After',
  1000,
  '1000.0',
);

class WideArrays extends Part {
  out = this.outputs(2);
  tick = this.timer(0, 200);
  s = 0;
  r = this.reaction({ triggers: this.tick, effects: this.out }, () => {
    for (let i = 0; i < 2; i += 1) this.out.set(i, [this.s++, this.s++, this.s++]);
  });
}

class SumArrays extends Part {
  /** @type {InMultiPort<any>} */
  in = this.inputs(2);
  r = this.reaction({ triggers: this.in }, () =>
    this.note(
      this.in
        .values()
        .flat()
        .reduce((a, b) => a + b, 0),
    ),
  );
}

export const multiportToMultiportArray = program({
  name: 'MultiportToMultiportArray',
  rule: 'channels may carry arrays',
  parts: { s: WideArrays, d: SumArrays },
  connections: [{ from: ['s.out'], to: ['d.in'] }],
  options: { timeout: 400 },
  trace: { d: ['0.0 15', '200.0 51', '400.0 87'] },
});

export const multiportToMultiportParameter = program({
  name: 'MultiportToMultiportParameter',
  rule: 'widths may be parameters',
  parts: { s: [Wide, { width: 7, counts: true, period: 200 }], d: [SumAll, { width: 7 }] },
  connections: [{ from: ['s.out'], to: ['d.in'] }],
  options: { timeout: 400 },
  trace: { d: ['0.0 0', '200.0 7', '400.0 14'] },
});

export const multiportToPort = program({
  name: 'MultiportToPort',
  rule: 'a multiport to single ports, one channel each',
  parts: { in: [Wide, { width: 2 }], out0: Print, out1: Print },
  connections: [{ from: ['in.out'], to: ['out0.in', 'out1.in'] }],
  trace: { out0: ['0.0 0'], out1: ['0.0 1'] },
});

class WideOutside extends Part {
  out = this.outputs(4);
  inner = new Wide(this, this.params);
  wire = this.connect(this.inner.out, this.out);
}

class WideOutsideTwice extends Part {
  out = this.outputs(4);
  inner = new WideOutside(this, this.params);
  wire = this.connect(this.inner.out, this.out);
}

export const multiportFromHierarchy = program({
  name: 'MultiportFromHierarchy',
  rule: 'a multiport leads out through containers',
  parts: { a: [WideOutsideTwice, { counts: true, period: 200 }], b: SumAll },
  connections: [{ from: ['a.out'], to: ['b.in'] }],
  options: { timeout: 600 },
  trace: { b: ['0.0 0', '200.0 4', '400.0 8', '600.0 12'] },
});

class Inner extends Part {
  /** @type {InMultiPort<number>} */
  in = this.inputs(4);
  d = new SumAll(this);
  wire = this.connect(this.in, this.d.in);
}

export const multiportToHierarchy = program({
  name: 'MultiportToHierarchy',
  rule: 'a multiport leads into a container',
  parts: { a: [Wide, { counts: true, period: 200 }], b: Inner },
  connections: [{ from: ['a.out'], to: ['b.in'] }],
  options: { timeout: 600 },
  trace: { b: ['0.0 0', '200.0 4', '400.0 8', '600.0 12'] },
});

class FromReaction extends Part {
  b = new SumAll(this);
  tick = this.timer(0, 200);
  s = 0;
  r = this.reaction({ triggers: this.tick, effects: this.b.in }, () => {
    for (let i = 0; i < this.b.in.width; i += 1) this.b.in.set(i, this.s);
    this.s += 1;
  });
}

export const multiportFromReaction = program({
  name: 'MultiportFromReaction',
  rule: 'a reaction writes all channels of what its reactor contains',
  parts: { main: FromReaction },
  options: { timeout: 400 },
  trace: { main: ['0.0 0', '200.0 4', '400.0 8'] },
});

class ToReaction extends Part {
  b = new Wide(this, { counts: true, period: 200 });
  r = this.reaction({ triggers: this.b.out }, () => {
    let sum = 0;
    this.b.out.forEachPresent(value => {
      sum += value;
    });
    this.note(sum, this.b.out.width);
  });
}

export const multiportToReaction = program({
  name: 'MultiportToReaction',
  rule: 'a reaction reads all channels of what its reactor contains',
  parts: { main: ToReaction },
  options: { timeout: 400 },
  trace: { main: ['0.0 0 4', '200.0 4 4', '400.0 8 4'] },
});

class ScaleAll extends Part {
  /** @type {InMultiPort<any>} */
  in = this.inputs(2);
  out = this.outputs(2);
  r = this.reaction({ triggers: this.in, effects: this.out }, () =>
    this.in.forEachPresent((value, i) =>
      this.out.set(i, Array.isArray(value) ? value.map(x => x * 2) : value * 2),
    ),
  );
}

export const multiportMutableInput = program({
  name: 'MultiportMutableInput',
  rule: 'every channel is scaled on its way',
  parts: { s: [Wide, { width: 2, base: 21 }], c: ScaleAll, p: [PrintAll, { width: 2 }] },
  connections: [{ from: ['s.out', 'c.out'], to: ['c.in', 'p.in'] }],
  trace: { p: ['0.0 0=42 1=44'] },
});

class ArraysOnce extends Part {
  out = this.outputs(2);
  r = this.reaction({ triggers: this.startup, effects: this.out }, () => {
    this.out.set(0, [0, 1, 2]);
    this.out.set(1, [3, 4, 5]);
  });
}

export const multiportMutableInputArray = program({
  name: 'MultiportMutableInputArray',
  rule: 'every channel with an array is scaled on its way',
  parts: { s: ArraysOnce, c: ScaleAll, p: [PrintAll, { width: 2 }] },
  connections: [{ from: ['s.out', 'c.out'], to: ['c.in', 'p.in'] }],
  trace: { p: ['0.0 0=0,2,4 1=6,8,10'] },
});

class Split extends Part {
  out = this.output();
  source = new Wide(this, { width: 2, base: 1 });
  test = new Print(this);
  wire = this.connect(this.source.out, [this.test.in, this.out]);
}

export const multiportIndirect = program({
  name: 'MultiportIndirect',
  rule: 'one channel stays in the container, another leaves it through a single port',
  parts: { container: Split, test: Print },
  connections: [{ from: ['container.out'], to: ['test.in'] }],
  trace: { container: ['0.0 1'], test: ['0.0 2'] },
});

class ZeroWidth extends Part {
  in = this.inputs(0);
  out = this.outputs(0);
  r = this.reaction({ triggers: [this.startup, this.in], effects: this.out }, () =>
    this.note(this.in.width, this.in.present().length, this.in.values().length),
  );
}

export const zeroWidthMultiport = program({
  name: 'ZeroWidthMultiport',
  rule: 'a multiport may have no channels',
  parts: { a: ZeroWidth, b: ZeroWidth },
  connections: [{ from: ['a.out'], to: ['b.in'] }],
  trace: { a: ['0.0 0 0 0'], b: ['0.0 0 0 0'] },
});

export const buildReactor = reactorBuilder(
  multiportIn,
  multiportInParameterized,
  multiportOut,
  multiportToMultiport,
  multiportToMultiport2,
  multiportToMultiport2After,
  multiportToMultiportArray,
  multiportToMultiportParameter,
  multiportToPort,
  multiportFromHierarchy,
  multiportToHierarchy,
  multiportFromReaction,
  multiportToReaction,
  multiportMutableInput,
  multiportMutableInputArray,
  multiportIndirect,
  zeroWidthMultiport,
);
