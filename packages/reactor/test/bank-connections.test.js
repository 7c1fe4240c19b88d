// Connections of banks and multiports: order, widths, patterns.

import test from 'ava';
import fc from 'fast-check';
import {
  Bank,
  InMultiPort,
  InPort,
  OutMultiPort,
  OutPort,
  Program,
  Reactor,
  interleaved,
} from '../index.js';
import { Traced } from './helpers.js';
import { traceOf, MultiSource, MultiSink } from './connection-programs.js';

test('an interleaved bank gives the first channel of each member, then the second', t => {
  class Main extends Traced {
    sources = this.bank(2, MultiSource, 3);
    sink = new MultiSink(this, 6);
    wire = this.connect(interleaved(this.sources.port('out')), this.sink.in);
  }
  t.deepEqual(traceOf(new Main()), ['0.0 0,10,1,11,2,12']);
});

test('nested banks are interleaved at each depth', t => {
  class A extends Reactor {
    p = new OutMultiPort(this, 2);
    constructor(/** @type {any} */ container, /** @type {number} */ outer) {
      super(container);
      this.reaction({ triggers: this.startup, effects: this.p }, () => {
        for (let i = 0; i < 2; i += 1) this.p.set(i, outer * 4 + this.getBankIndex() * 2 + i + 1);
      });
    }
  }
  class B extends Reactor {
    q = new OutMultiPort(this, 4);
    a = new Bank(this, 2, A, this.getBankIndex());
    wire = this.connect(interleaved(this.a.port('p')), this.q);
  }
  class Main extends Traced {
    b = new Bank(this, 2, B);
    c = new MultiSink(this, 8);
    wire = this.connect(this.b.port('q'), this.c.in);
  }
  t.deepEqual(traceOf(new Main()), ['0.0 1,3,2,4,5,7,6,8']);
});

test('a bank index is that of the member, not of what it contains', t => {
  class Leaf extends Reactor {}
  class Member extends Reactor {
    leaf = new Leaf(this);
    leaves = this.bank(2, Leaf);
  }
  class Main extends Reactor {
    members = this.bank(2, Member);
  }
  const main = new Main();
  t.deepEqual(
    [...main.members].map(member => [
      member.getBankIndex(),
      member.leaf.getBankIndex(),
      ...member.leaves.all().map(leaf => leaf.getBankIndex()),
    ]),
    [
      [0, -1, 0, 1],
      [1, -1, 0, 1],
    ],
  );
  t.is(main.members.get(1).leaves.get(0).node.path, 'members[1].leaves[0]');
  t.is(main.getBankIndex(), -1);
});

test('a partial connection takes ports of width 0, and leaves channels unconnected', t => {
  class Main extends Traced {
    none = new MultiSource(this, 0);
    nobody = this.bank(0, MultiSource, 2);
    a = new MultiSource(this, 2);
    d = new MultiSink(this, 3);
    wires = [
      this.connect([this.none.out, this.nobody.port('out'), this.a.out], this.d.in, {
        partial: true,
      }),
    ];
  }
  t.deepEqual(traceOf(new Main()), ['0.0 0,1,']);
});

test('present channels come in ascending order, however they were written', t => {
  class Main extends Traced {
    constructor(/** @type {number[]} */ order) {
      super();
      this.sparse = new (class extends Reactor {
        in = new InMultiPort(this, 100);
      })(this);
      this.sink = new (class extends Reactor {
        in = new InMultiPort(this, 100);
        constructor(/** @type {any} */ main) {
          super(main);
          this.reaction({ triggers: this.in }, () => {
            main.log(this.in.present());
            this.in.forEachPresent((value, i) => t.is(value, 2 * i));
          });
        }
      })(this);
      this.tick = this.timer(0, '1 ms');
      this.reaction({ triggers: this.tick, effects: this.sink.in }, () => {
        for (const i of order) this.sink.in.set(i, 2 * i);
        order = order.slice(1);
      });
    }
  }
  t.deepEqual(traceOf(new Main([5, 99, 0, 7]), { timeout: '2 ms' }), [
    '0.0 0,5,7,99',
    '1.0 0,7,99',
    '2.0 0,7',
  ]);
});

// Patterns against a naive expansion.

/** @type {(widths: number[]) => [number, number][]} */
const inOrder = widths =>
  widths.flatMap((width, port) => Array.from({ length: width }, (_, i) => [port, i]));

/** @type {(widths: number[]) => [number, number][]} */
const inTurn = widths =>
  inOrder(widths)
    .map((end, at) => ({ end, at }))
    .sort((a, b) => a.end[1] - b.end[1] || a.end[0] - b.end[0])
    .map(({ end }) => end);

test('every pattern connects what a naive expansion does', t => {
  const arbWidths = fc.array(fc.nat(4), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      arbWidths,
      arbWidths,
      fc.boolean(),
      fc.boolean(),
      fc.boolean(),
      fc.option(fc.constantFrom(0, 5)),
      (froms, tos, turnFrom, turnTo, repeat, after) => {
        const left = (turnFrom ? inTurn : inOrder)(froms);
        const right = (turnTo ? inTurn : inOrder)(tos);
        if (repeat && left.length === 0) return;
        /** @type {Map<string, string>} */
        const expected = new Map();
        right.forEach((end, i) => {
          const source = repeat ? left[i % left.length] : left[i];
          if (source) expected.set(end.join(), source.join());
        });

        class Main extends Reactor {
          sources = froms.map((width, port) => {
            const source = new (class extends Reactor {
              out = width === 1 ? new OutPort(this) : new OutMultiPort(this, width);
              r = this.reaction({ triggers: this.startup, effects: this.out }, () => {
                if (this.out instanceof OutPort) this.out.set(`${port},0`);
                else for (let i = 0; i < width; i += 1) this.out.set(i, `${port},${i}`);
              });
            })(this);
            return source;
          });
          /** @type {Map<string, string>} */
          got = new Map();
          sinks = tos.map((width, port) => {
            const { got } = this;
            return new (class extends Reactor {
              in = width === 1 ? new InPort(this) : new InMultiPort(this, width);
              r = this.reaction({ triggers: this.in }, () => {
                if (this.in instanceof InPort) got.set(`${port},0`, this.in.get());
                else this.in.forEachPresent((value, i) => got.set(`${port},${i}`, value));
              });
            })(this);
          });
          constructor() {
            super();
            const from = this.sources.map(({ out }) => out);
            const to = this.sinks.map(sink => sink.in);
            this.connect(turnFrom ? interleaved(from) : from, turnTo ? interleaved(to) : to, {
              repeat,
              partial: true,
              ...(after !== null && { after }),
            });
          }
        }
        const main = new Main();
        new Program(main, { fast: true }).runFast();
        t.deepEqual([...main.got].sort(), [...expected].sort());
      },
    ),
    { numRuns: 300 },
  );
});

test('a reaction to one channel may read all of them, and the others do not trigger it', t => {
  class Source extends Reactor {
    out = this.outputs(3);
    tick = this.timer(0, '1 ms');
    count = 0;
    r = this.reaction({ triggers: this.tick, effects: this.out }, () => {
      this.out.set(2, this.count);
      if (this.count % 2 === 1) this.out.set(0, this.count);
      this.count += 1;
    });
  }
  class Sink extends Reactor {
    in = this.inputs(3);
    constructor(/** @type {any} */ main) {
      super(main);
      this.reaction({ triggers: this.in.channel(0), sources: this.in }, () =>
        main.log(this.in.present()),
      );
    }
  }
  class Main extends Traced {
    source = new Source(this);
    sink = new Sink(this);
    wire = this.connect(this.source.out, this.sink.in);
  }
  const main = new Main();
  new Program(main, { fast: true, timeout: '3 ms' }).runFast();
  t.deepEqual(main.trace, ['1.0 0,2', '3.0 0,2']);
});
