// After After, AfterZero, AfterOverlapped, AfterCycles, CompositionAfter, DelayStructWithAfterOverlapped and the tests of
// multiports and banks of Lingua Franca: MultiportToMultiport, MultiportToPort, MultiportFromBank, MultiportToBank,
// MultiportIn, MultiportOut, MultiportToBankDouble, MultiportToHierarchy, BankToBank, BankToMultiport,
// BankGangedConnections, BankIndexInitializer, BankSelfBroadcast, Broadcast, BroadcastAfter, BroadcastMultipleAfter,
// FullyConnected, FullyConnectedAddressable, NestedBanks, NestedInterleavedBanks, InterleavedHierarchy, Sparse,
// SparseFallback, MultiportToReaction, PipelineAfter, CycledLhs, SingleBank.

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
  runFast,
} from '../index.js';
import { Traced } from './helpers.js';

/** @type {(main: Traced, options?: object) => string[]} */
const traceOf = (main, options) => {
  runFast(main, options);
  return main.trace;
};

class Source extends Reactor {
  out = this.output();
  count = 0;
  constructor(/** @type {any} */ container, /** @type {string} */ period = '1 ms') {
    super(container);
    this.tick = this.timer(0, period);
    this.reaction({ triggers: this.tick, effects: this.out }, () => {
      this.count += 1;
      this.out.set(this.count);
    });
  }
}

/** Notes what comes to its input. */
class Sink extends Reactor {
  in = this.input();
  constructor(/** @type {any} */ container, /** @type {any} */ main = container) {
    super(container);
    const index = this.getBankIndex();
    this.reaction({ triggers: this.in }, () =>
      main.log(index < 0 ? this.in.get() : `[${index}] ${this.in.get()}`),
    );
  }
}

// After

for (const { name, options, expected } of [
  {
    name: 'a connection without "after" is at once',
    options: {},
    expected: ['0.0 1', '1.0 2', '2.0 3'],
  },
  {
    name: '"after" moves the time',
    options: { after: '0.5 ms' },
    expected: ['0.5.0 1', '1.5.0 2'],
  },
  { name: '"after" 0 is one microstep', options: { after: 0 }, expected: ['0.1 1', '1.1 2'] },
  {
    name: 'several values may be under way',
    options: { after: '1.5 ms' },
    expected: ['1.5.0 1'],
  },
  {
    name: '"after" from a microstep comes at microstep 0',
    options: { after: '1 ms' },
    expected: ['1.0 1', '2.0 2'],
  },
]) {
  test(name, t => {
    class Main extends Traced {
      source = new Source(this);
      sink = new Sink(this);
      wire = this.connect(this.source.out, this.sink.in, options);
    }
    t.deepEqual(traceOf(new Main(), { timeout: '2 ms' }), expected);
  });
}

test('two values for one tag of a delayed connection pile up', t => {
  class Burst extends Reactor {
    out = this.output();
    a = this.action();
    n = 0;
    r = this.reaction({ triggers: [this.startup, this.a], effects: [this.out, this.a] }, () => {
      this.n += 1;
      this.out.set(this.n);
      if (this.n < 3) this.a.schedule();
    });
  }
  class Main extends Traced {
    burst = new Burst(this);
    sink = new Sink(this);
    wire = this.connect(this.burst.out, this.sink.in, { after: '1 ms' });
  }
  t.deepEqual(traceOf(new Main()), ['1.0 1', '1.1 2', '1.2 3']);
});

test('a delayed connection carries what was written last', t => {
  class Twice extends Reactor {
    out = this.output();
    r1 = this.reaction({ triggers: this.startup, effects: this.out }, () => this.out.set('early'));
    r2 = this.reaction({ triggers: this.startup, effects: this.out }, () => this.out.set('late'));
  }
  class Main extends Traced {
    twice = new Twice(this);
    sink = new Sink(this);
    wire = this.connect(this.twice.out, this.sink.in, { after: '1 ms' });
  }
  t.deepEqual(traceOf(new Main()), ['1.0 late']);
});

test('one output may go out at once and later', t => {
  class Main extends Traced {
    source = new Source(this, '10 ms');
    now = new Sink(this);
    later = new Sink(this);
    wires = [
      this.connect(this.source.out, this.now.in),
      this.connect(this.source.out, this.later.in, { after: '3 ms' }),
    ];
  }
  t.deepEqual(traceOf(new Main(), { timeout: '10 ms' }), ['0.0 1', '3.0 1', '10.0 2']);
});

test('a pipeline with delays works on several values at once', t => {
  class Stage extends Reactor {
    in = this.input();
    out = this.output();
    r = this.reaction({ triggers: this.in, effects: this.out }, () =>
      this.out.set(this.in.get() * 10),
    );
  }
  class Main extends Traced {
    source = new Source(this);
    stages = this.bank(3, Stage);
    sink = new Sink(this);
    wires = this.connect(
      [this.source.out, this.stages.port('out')],
      [this.stages.port('in'), this.sink.in],
      { after: '1 ms' },
    );
  }
  t.deepEqual(traceOf(new Main(), { timeout: '5 ms' }), ['4.0 1000', '5.0 2000']);
});

// Multiports and banks

class MultiSource extends Reactor {
  constructor(/** @type {any} */ container, /** @type {number} */ width) {
    super(container);
    this.out = new OutMultiPort(this, width);
    this.reaction({ triggers: this.startup, effects: this.out }, () => {
      for (let i = 0; i < width; i += 1) this.out.set(i, 10 * Math.max(this.getBankIndex(), 0) + i);
    });
  }
}

class MultiSink extends Reactor {
  constructor(/** @type {any} */ main, /** @type {number} */ width) {
    super(main);
    this.in = new InMultiPort(this, width);
    this.reaction({ triggers: this.in }, () => {
      const index = this.getBankIndex();
      main.log(...(index < 0 ? [] : [`[${index}]`]), this.in.values().join());
    });
  }
}

test('a multiport to a multiport, channel by channel', t => {
  class Main extends Traced {
    a = new MultiSource(this, 4);
    b = new MultiSink(this, 4);
    wire = this.connect(this.a.out, this.b.in);
  }
  t.deepEqual(traceOf(new Main()), ['0.0 0,1,2,3']);
});

test('a multiport to a bank, and a bank to a multiport', t => {
  class Main extends Traced {
    a = new MultiSource(this, 3);
    sinks = this.bank(3, Sink, this);
    sources = this.bank(3, MultiSource, 1);
    b = new MultiSink(this, 3);
    wires = [
      this.connect(this.a.out, this.sinks.port('in')),
      this.connect(this.sources.port('out'), this.b.in),
    ];
  }
  t.deepEqual(traceOf(new Main()).sort(), ['0.0 0,10,20', '0.0 [0] 0', '0.0 [1] 1', '0.0 [2] 2']);
});

test('lists of ports of different widths are flattened', t => {
  class Main extends Traced {
    a = new MultiSource(this, 3);
    b = new MultiSource(this, 2);
    c = new MultiSink(this, 1);
    d = new MultiSink(this, 4);
    wire = this.connect([this.a.out, this.b.out], [this.c.in, this.d.in]);
  }
  t.deepEqual(traceOf(new Main()).sort(), ['0.0 0', '0.0 1,2,0,1']);
});

test('single channels can be connected, read and written', t => {
  class Main extends Traced {
    a = new MultiSource(this, 3);
    d = new MultiSink(this, 3);
    wires = [
      this.connect(this.a.out.channel(2), this.d.in.channel(0)),
      this.connect(this.a.out.channel(0), this.d.in.channel(2)),
    ];
    r = this.reaction({ triggers: this.a.out.channel(1), effects: this.d.in.channel(1) }, () =>
      this.d.in.channel(1).set(`read ${this.a.out.channel(1).get()}`),
    );
  }
  t.deepEqual(traceOf(new Main()), ['0.0 2,read 1,0']);
});

test('broadcast repeats the sources', t => {
  class Main extends Traced {
    a = new MultiSource(this, 2);
    d = new MultiSink(this, 5);
    wire = this.connect(this.a.out, this.d.in, { repeat: true });
  }
  t.deepEqual(traceOf(new Main()), ['0.0 0,1,0,1,0']);
});

test('broadcast with a delay', t => {
  class Main extends Traced {
    source = new Source(this);
    sinks = this.bank(3, Sink, this);
    wire = this.connect(this.source.out, this.sinks.port('in'), { repeat: true, after: '1 ms' });
  }
  t.deepEqual(traceOf(new Main(), { timeout: '1 ms' }).sort(), [
    '1.0 [0] 1',
    '1.0 [1] 1',
    '1.0 [2] 1',
  ]);
});

test('a bank that broadcasts to itself: every member hears all, itself too', t => {
  class Node extends Reactor {
    out = this.output();
    in = new InMultiPort(this, 3);
    say = this.reaction({ triggers: this.startup, effects: this.out }, () =>
      this.out.set(this.getBankIndex()),
    );
    constructor(/** @type {any} */ main) {
      super(main);
      this.reaction({ triggers: this.in }, () =>
        main.log(this.getBankIndex(), this.in.values().join()),
      );
    }
  }
  class Main extends Traced {
    nodes = this.bank(3, Node);
    wire = this.connect(this.nodes.port('out'), this.nodes.port('in'), { repeat: true });
  }
  t.deepEqual(traceOf(new Main()).sort(), ['0.0 0 0,1,2', '0.0 1 0,1,2', '0.0 2 0,1,2']);
});

test('fully connected and addressable: member i sends to member j on channel j', t => {
  class Node extends Reactor {
    out = new OutMultiPort(this, 4);
    in = new InMultiPort(this, 4);
    say = this.reaction({ triggers: this.startup, effects: this.out }, () => {
      const me = this.getBankIndex();
      this.out.set((me + 1) % 4, me);
    });
    constructor(/** @type {any} */ main) {
      super(main);
      this.reaction({ triggers: this.in }, () =>
        main.log(
          this.getBankIndex(),
          this.in.present(),
          this.in.get((this.getBankIndex() + 3) % 4),
        ),
      );
    }
  }
  class Main extends Traced {
    nodes = this.bank(4, Node);
    wire = this.connect(interleaved(this.nodes.port('out')), this.nodes.port('in'));
  }
  t.deepEqual(traceOf(new Main()).sort(), ['0.0 0 3 3', '0.0 1 0 0', '0.0 2 1 1', '0.0 3 2 2']);
});

test('interleaved takes the first channel of each, then the second', t => {
  class Main extends Traced {
    sources = this.bank(2, MultiSource, 3);
    sink = new MultiSink(this, 6);
    wire = this.connect(interleaved(this.sources.port('out')), this.sink.in);
  }
  t.deepEqual(traceOf(new Main()), ['0.0 0,10,1,11,2,12']);
});

test('nested banks, interleaved', t => {
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

test('widths of 0 and a partial connection', t => {
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
