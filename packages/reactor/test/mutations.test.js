// Changes while a program runs. No Lingua Franca target has them whole, so the rules are ours: mutation.js.

import test from 'ava';
import fc from 'fast-check';
import { Program, Reactor, runFast } from '../index.js';
import { Traced } from './helpers.js';

/** @import { InMultiPort, OutPort } from '../index.js' */

/** @type {(main: Traced, options?: object) => string[]} */
const traceOf = (main, options) => {
  runFast(main, options);
  return main.trace;
};

class Source extends Reactor {
  out = this.output();
  tick = this.timer(0, '1 ms');
  count = 0;
  r = this.reaction({ triggers: this.tick, effects: this.out }, () => {
    this.count += 1;
    this.out.set(this.count);
  });
}

class Worker extends Reactor {
  in = this.input();
  out = this.output();
  constructor(/** @type {any} */ container, /** @type {any} */ main, /** @type {string} */ name) {
    super(container);
    this.reaction({ triggers: this.startup }, () => main.log(name, 'starts'));
    this.reaction({ triggers: this.in, effects: this.out }, () => {
      main.log(name, this.in.get());
      this.out.set(this.in.get());
    });
    this.reaction({ triggers: this.shutdown }, () => main.log(name, 'ends'));
  }
}

test('a mutation makes a reactor, connects it, and it reacts at the same tag', t => {
  class Group extends Reactor {
    in = this.input();
    constructor(/** @type {any} */ main) {
      super(main);
      this.mutation({ triggers: this.in }, () => {
        if (this.in.get() !== 2) return;
        const worker = new Worker(this, main, 'w');
        this.connect(this.in, worker.in);
      });
    }
  }
  class Main extends Traced {
    source = new Source(this);
    group = new Group(this);
    wire = this.connect(this.source.out, this.group.in);
  }
  t.deepEqual(traceOf(new Main(), { timeout: '2 ms' }), [
    '1.0 w starts',
    '1.0 w 2',
    '2.0 w 3',
    '2.0 w ends',
  ]);
});

test('a mutation replaces a reactor: the old one ends at that tag, its events with it', t => {
  class Ticker extends Reactor {
    constructor(/** @type {any} */ container, /** @type {any} */ main, /** @type {string} */ name) {
      super(container);
      this.t = this.timer(0, '1 ms');
      this.reaction({ triggers: this.t }, () => main.log(name));
      this.reaction({ triggers: this.shutdown }, () => main.log(name, 'ends'));
    }
  }
  class Group extends Reactor {
    swap = this.timer('1.5 ms');
    constructor(/** @type {any} */ main) {
      super(main);
      this.old = new Ticker(this, main, 'old');
      this.mutation({ triggers: this.swap }, () => {
        this.delete(this.old);
        this.fresh = new Ticker(this, main, 'fresh');
      });
    }
  }
  class Main extends Traced {
    group = new Group(this);
  }
  const main = new Main();
  const program = runFast(main, { timeout: '3 ms' });
  t.deepEqual(main.trace, [
    '0.0 old',
    '1.0 old',
    '1.5.0 fresh',
    '1.5.0 old ends',
    '2.5.0 fresh',
    '3.0 fresh ends',
  ]);
  t.is(program.counts.events, 4, 'nothing came for the reactor that was deleted');
});

test('a mutation disconnects, and connects something else', t => {
  class Group extends Reactor {
    in = this.input();
    constructor(/** @type {any} */ main) {
      super(main);
      this.a = new Worker(this, main, 'a');
      this.b = new Worker(this, main, 'b');
      this.connect(this.in, this.a.in);
      this.mutation({ triggers: this.in }, () => {
        if (this.in.get() === 2) {
          this.disconnect(this.in, this.a.in);
          this.connect(this.in, this.b.in);
        }
        if (this.in.get() === 3) {
          this.disconnect(this.in);
          this.connect(this.in, this.a.in);
          this.connect(this.a.out, this.b.in);
        }
      });
    }
  }
  class Main extends Traced {
    source = new Source(this);
    group = new Group(this);
    wire = this.connect(this.source.out, this.group.in);
  }
  t.deepEqual(
    traceOf(new Main(), { timeout: '2 ms' }).filter(line => !/s$/.test(line)),
    ['0.0 a 1', '1.0 b 2', '2.0 a 3', '2.0 b 3'],
  );
});

test('a reactor that is connected behind another reacts after it', t => {
  class Group extends Reactor {
    in = this.input();
    out = this.output();
    constructor(/** @type {any} */ main) {
      super(main);
      /** @type {Worker} */
      let last = new Worker(this, main, 'w0');
      this.connect(this.in, last.in);
      this.mutation({ triggers: this.in, effects: this.out }, () => {
        const next = new Worker(this, main, `w${this.in.get()}`);
        this.connect(last.out, next.in);
        last = next;
      });
    }
  }
  class Main extends Traced {
    source = new Source(this);
    group = new Group(this);
    wire = this.connect(this.source.out, this.group.in);
  }
  t.deepEqual(
    traceOf(new Main(), { timeout: '2 ms' }).filter(line => !/s$/.test(line)),
    [
      '0.0 w0 1',
      '0.0 w1 1',
      '1.0 w0 2',
      '1.0 w1 2',
      '1.0 w2 2',
      '2.0 w0 3',
      '2.0 w1 3',
      '2.0 w2 3',
      '2.0 w3 3',
    ],
  );
});

test('a cycle that a mutation would make is refused with its path', t => {
  class Pass extends Reactor {
    in = this.input();
    out = this.output();
    r = this.reaction({ triggers: this.in, effects: this.out }, () => this.out.set(1));
  }
  class Main extends Reactor {
    a = new Pass(this);
    b = new Pass(this);
    wire = this.connect(this.a.out, this.b.in);
    m = this.mutation({ triggers: this.startup }, () => this.connect(this.b.out, this.a.in));
  }
  t.throws(() => runFast(new Main()), {
    message:
      /^m failed at 0ns\.0: zero-delay cycle: a\.r → a\.out → b\.in → b\.r → b\.out → a\.in → a\.r; /,
  });
});

test('a delayed connection can be made and taken away; what is under way goes with it', t => {
  class Main extends Traced {
    source = new Source(this);
    w = new Worker(this, this, 'w');
    go = this.timer(0, '2 ms');
    m = this.mutation({ triggers: this.go }, () => {
      if (this.util.getElapsedLogicalTime() === 0)
        this.connect(this.source.out, this.w.in, { after: '1.5 ms' });
      else if (this.util.getElapsedLogicalTime() === 2_000_000) this.disconnect(this.source.out);
    });
  }
  t.deepEqual(traceOf(new Main(), { timeout: '4 ms' }), [
    '0.0 w starts',
    '1.5.0 w 1',
    '4.0 w ends',
  ]);
});

test('a reaction makes reactors and deletes them at the next microstep', t => {
  class Main extends Traced {
    source = new Source(this);
    /** @type {any} */
    w = undefined;
    r = this.reaction({ triggers: this.source.out }, () => {
      const n = this.source.out.get();
      if (n === 1) {
        this.w = new Worker(this, this, 'w');
        this.connect(this.source.out, this.w.in);
      }
      if (n === 3) this.delete(this.w);
    });
  }
  t.deepEqual(traceOf(new Main(), { timeout: '4 ms' }), [
    '0.0 w starts',
    '0.0 w 1',
    '1.0 w 2',
    '2.0 w 3',
    '2.1 w ends',
  ]);
});

test('a reactor is deleted with all that it contains', t => {
  class Shell extends Reactor {
    in = this.input();
    constructor(
      /** @type {any} */ container,
      /** @type {any} */ main,
      /** @type {number} */ depth,
    ) {
      super(container);
      const inner = depth === 0 ? new Worker(this, main, 'leaf') : new Shell(this, main, depth - 1);
      this.connect(this.in, inner.in);
      this.t = this.timer('10 ms', '10 ms');
      this.reaction({ triggers: this.t }, () => t.fail());
    }
  }
  class Main extends Traced {
    source = new Source(this);
    shell = new Shell(this, this, 5);
    wire = this.connect(this.source.out, this.shell.in);
    kill = this.timer('1 ms');
    m = this.mutation({ triggers: this.kill }, () => this.delete(this.shell));
  }
  const main = new Main();
  const program = runFast(main, { timeout: '20 ms' });
  t.deepEqual(main.trace, ['0.0 leaf starts', '0.0 leaf 1', '1.0 leaf 2', '1.0 leaf ends']);
  t.is(main.node.children.length, 1);
  t.is(program.scheduler.region.pending, 0);
});

test('reactors that are deleted at one tag are removed in one pass over their container', t => {
  class Leaf extends Reactor {
    in = this.input();
  }
  /** How often the ports of a reactor that stays are looked at when so many others go. @param {number} count */
  const looksFor = count => {
    let looks = 0;
    class Main extends Reactor {
      stays = new Leaf(this);
      /** @type {Leaf[]} */
      leaves = this.bank(count, Leaf).all();
      t = this.timer(1);
      m = this.mutation({ triggers: this.t }, () => {
        const { ports } = this.stays.node;
        Object.defineProperty(this.stays.node, 'ports', {
          get() {
            looks += 1;
            return ports;
          },
        });
        for (const leaf of this.leaves) this.delete(leaf);
      });
    }
    const { main } = runFast(new Main());
    t.deepEqual(
      main.node.children.map(({ reactor }) => reactor),
      [/** @type {any} */ (main).stays],
    );
    return looks;
  };
  t.is(looksFor(50), looksFor(2));
});

test('making and deleting for ever does not grow', t => {
  class Main extends Traced {
    source = new Source(this);
    /** @type {any} */
    w = undefined;
    m = this.mutation({ triggers: this.source.out }, () => {});
  }
  t.throws(() => runFast(new Main(), { timeout: '1 ms' }), {
    message: /^zero-delay cycle: m → source\.r → source\.out → m; /,
  });
  class Group extends Reactor {
    in = this.input();
    /** @type {any} */
    w = undefined;
    constructor(/** @type {any} */ main) {
      super(main);
      this.mutation({ triggers: this.in }, () => {
        if (this.w) this.delete(this.w);
        this.w = new Worker(this, main, 'w');
        this.connect(this.in, this.w.in);
      });
    }
  }
  class Host extends Traced {
    source = new Source(this);
    group = new Group(this);
    wire = this.connect(this.source.out, this.group.in);
  }
  const host = new Host();
  runFast(host, { timeout: '500 ms' });
  t.is(host.group.node.children.length, 1);
  t.is(host.source.out.slot?.observers.length, 2);
  t.is(host.trace.filter(line => line.endsWith('ends')).length, 501);
  t.true(host.group.w.node.reactions.every((/** @type {any} */ r) => r.depth < 10));
});

for (const [name, act, message] of /** @type {[string, (main: any) => void, RegExp][]} */ ([
  [
    'a plain reaction does not connect what was there',
    main => main.connect(main.a.out, main.b.in),
    /: r connects to b\.in, whose readers may have run at this tag already; make it a mutation$/,
  ],
  [
    'a plain reaction does not disconnect',
    main => main.disconnect(main.c.out),
    /: r takes a connection away, which only a mutation may do; declare it by "mutation"$/,
  ],
  [
    'only its container deletes a reactor',
    main => main.delete(main),
    /: r deletes Main, which is not directly in Main; a reactor is deleted by the one that contains it$/,
  ],
  [
    'what is connected already',
    main => {
      new Worker(main, main, 'w');
      main.connect(main.a.out, main.d.in);
    },
    /d\.in has two sources, c\.out and a\.out; /,
  ],
])) {
  test(`${name}: an error`, t => {
    class Main extends Traced {
      a = new Worker(this, this, 'a');
      b = new Worker(this, this, 'b');
      c = new Worker(this, this, 'c');
      d = new Worker(this, this, 'd');
      wire = this.connect(this.c.out, this.d.in);
      r = this.reaction({ triggers: this.startup }, () => act(this));
    }
    t.throws(() => runFast(new Main()), { message });
  });
}

test('after any connecting and disconnecting, values go where a fresh program would send them', t => {
  // Workers 0 to 4, connected from lower to higher; each passes on the sum of its inputs and 1.
  const arbEdge = fc
    .tuple(fc.nat(4), fc.nat(4))
    .filter(([a, b]) => a !== b)
    .map(([a, b]) => (a < b ? [a, b] : [b, a]));
  fc.assert(
    fc.property(fc.array(fc.array(arbEdge, { maxLength: 4 }), { maxLength: 8 }), rounds => {
      class Node extends Reactor {
        /** @type {InMultiPort<number>} */
        in = this.inputs(5);
        /** @type {OutPort<number>} */
        out = this.output();
        value = 0;
        go = this.input();
        r = this.reaction({ triggers: [this.go, this.in], effects: this.out }, () => {
          let sum = 1;
          this.in.forEachPresent(value => {
            sum += value;
          });
          this.value = sum;
          this.out.set(sum);
        });
      }
      /** @type {Set<string>} */
      const edges = new Set();
      /** @type {number[][]} */
      const got = [];
      /** @type {number[][]} */
      const expected = [];
      class Main extends Reactor {
        tick = this.timer(0, '1 ms');
        nodes = this.bank(5, Node);
        round = 0;
        m = this.mutation({ triggers: this.tick }, () => {
          for (const [a, b] of rounds[this.round] ?? []) {
            const from = this.nodes.get(a).out;
            const to = this.nodes.get(b).in.channel(a);
            if (edges.delete(`${a} ${b}`)) {
              this.disconnect(from, to);
            } else {
              edges.add(`${a} ${b}`);
              this.connect(from, to);
            }
          }
          this.round += 1;
          const values = [1, 1, 1, 1, 1];
          for (let b = 0; b < 5; b += 1) {
            for (let a = 0; a < b; a += 1) if (edges.has(`${a} ${b}`)) values[b] += values[a];
          }
          expected.push(values);
        });
        go = this.reaction({ triggers: this.tick, effects: this.nodes.port('go') }, () => {
          for (const node of this.nodes) node.go.set(true);
        });
        end = this.reaction({ triggers: this.nodes.port('out') }, () =>
          got.push(this.nodes.all().map(({ value }) => value)),
        );
      }
      new Program(new Main(), { fast: true, timeout: `${rounds.length} ms` }).runFast();
      t.deepEqual(got, expected);
    }),
    { numRuns: 150 },
  );
});

test('a reaction to one channel of a multiport follows what a mutation connects the channel to', t => {
  class Sink extends Reactor {
    in = this.inputs(3);
    constructor(/** @type {any} */ main) {
      super(main);
      this.reaction({ triggers: this.in.channel(1) }, () => main.log('one', this.in.get(1)));
      this.reaction({ triggers: this.in }, () => main.log('any', this.in.present()));
    }
  }
  class Main extends Traced {
    source = new Source(this);
    sink = new Sink(this);
    go = this.timer('1 ms', '2 ms');
    m = this.mutation({ triggers: this.go }, () => {
      if (this.util.getElapsedLogicalTime() === 1_000_000)
        this.connect(this.source.out, this.sink.in.channel(1));
      else this.disconnect(this.source.out);
    });
  }
  t.deepEqual(traceOf(new Main(), { timeout: '3 ms' }), [
    '1.0 one 2',
    '1.0 any 1',
    '2.0 one 3',
    '2.0 any 1',
  ]);
});
