// After After, AfterZero, AfterOverlapped, AfterCycles, CompositionAfter, DelayStructWithAfterOverlapped and the tests of
// multiports and banks of Lingua Franca: MultiportToMultiport, MultiportToPort, MultiportFromBank, MultiportToBank,
// MultiportIn, MultiportOut, MultiportToBankDouble, MultiportToHierarchy, BankToBank, BankToMultiport,
// BankGangedConnections, BankIndexInitializer, BankSelfBroadcast, Broadcast, BroadcastAfter, BroadcastMultipleAfter,
// FullyConnected, FullyConnectedAddressable, NestedBanks, NestedInterleavedBanks, InterleavedHierarchy, Sparse,
// SparseFallback, MultiportToReaction, PipelineAfter, CycledLhs, SingleBank.

import test from 'ava';
import { InMultiPort, OutMultiPort, Reactor, interleaved, runFast } from '../index.js';
import { Traced } from './helpers.js';
import { traceOf, Source, Sink, MultiSource, MultiSink } from './connection-programs.js';

/** @import { InPort } from '../index.js' */

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
    /** @type {InPort<any>} */
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

test('a multiport is connected to a multiport channel by channel', t => {
  class Main extends Traced {
    a = new MultiSource(this, 4);
    b = new MultiSink(this, 4);
    wire = this.connect(this.a.out, this.b.in);
  }
  t.deepEqual(traceOf(new Main()), ['0.0 0,1,2,3']);
});

test('a multiport is connected to a bank, and a bank to a multiport', t => {
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

test('a broadcast repeats its sources', t => {
  class Main extends Traced {
    a = new MultiSource(this, 2);
    d = new MultiSink(this, 5);
    wire = this.connect(this.a.out, this.d.in, { repeat: true });
  }
  t.deepEqual(traceOf(new Main()), ['0.0 0,1,0,1,0']);
});

test('a broadcast may have a delay', t => {
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

test('in a bank that broadcasts to itself each member gets the values of all', t => {
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

test('in a fully connected bank member i sends to member j on channel j', t => {
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

test('more ports may be interleaved than a call has arguments', t => {
  const width = 150_000;
  class Wide extends Reactor {
    in = this.inputs(width);
    got = 0;
    r = this.reaction({ triggers: this.in }, () => {
      this.got = this.in.present().length;
    });
  }
  class Main extends Reactor {
    source = new Source(this);
    wide = new Wide(this);
    ports = Array.from({ length: width }, () => this.source.out);
    wires = this.connect(interleaved(this.ports), this.wide.in);
  }
  const main = new Main();
  runFast(main, { timeout: 0 });
  t.is(main.wide.got, width);
});
