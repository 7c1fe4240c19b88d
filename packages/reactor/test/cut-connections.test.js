// Values on their way over connections that are cut.

import test from 'ava';
import { Program, Reactor, runFast } from '../index.js';
import { Traced } from './helpers.js';

class Source extends Reactor {
  out = this.output();
  tick = this.timer(0, '1 ms');
  count = 0;
  r = this.reaction({ triggers: this.tick, effects: this.out }, () => {
    this.count += 1;
    this.out.set(this.count);
  });
}

for (const by of /** @type {const} */ (['delete', 'disconnect'])) {
  test(`the values on their way over connections that are cut at one tag are looked for once: ${by}`, t => {
    /** How often the pending events were looked through. @param {number} count */
    const looksFor = count => {
      /** @type {unknown[]} */
      const got = [];
      class Sink extends Reactor {
        in = this.input();
        r = this.reaction({ triggers: this.in }, () => got.push(this.in.get()));
      }
      class Main extends Traced {
        source = new Source(this);
        stays = new Sink(this);
        /** @type {Sink[]} */
        sinks = this.bank(count, Sink).all();
        wires = this.connect(
          this.source.out,
          [...this.sinks, this.stays].map(sink => sink.in),
          {
            after: '2 ms',
            repeat: true,
          },
        );
        t = this.timer('2 ms');
        m = this.mutation({ triggers: this.t }, () => {
          for (const sink of this.sinks) {
            if (by === 'delete') this.delete(sink);
            else this.disconnect(this.source.out, sink.in);
          }
        });
      }
      const program = new Program(new Main(), { fast: true, timeout: '4 ms' });
      const { scheduler } = program;
      let looks = 0;
      const { takeEvents } = scheduler;
      scheduler.takeEvents = isChosen => {
        looks += 1;
        return takeEvents.call(scheduler, isChosen);
      };
      program.runFast();
      // At 2 ms the first value arrives everywhere.
      t.is(got.length, 3 + count);
      t.is(scheduler.region.pending, 0);
      return looks;
    };
    t.is(looksFor(40), looksFor(2));
  });
}

for (const by of /** @type {const} */ (['disconnect', 'delete'])) {
  test(`a value that waits with a mode on a connection is lost with the connection: ${by}`, t => {
    class Source extends Reactor {
      out = this.output();
      r = this.reaction({ triggers: this.startup, effects: this.out }, () => this.out.set(7));
    }
    class Main extends Traced {
      source = new Source(this);
      A = this.mode({ initial: true });
      B = this.mode();
      /** @type {import('../index.js').InPort<unknown>} */
      in = new (class extends Reactor {
        in = this.input();
        constructor(/** @type {any} */ main) {
          super(main);
          this.reaction({ triggers: this.in }, () => main.log(this.in.get()));
        }
      })(this).in;
      wire = this.connect(this.source.out, this.in, { after: '5 ms', mode: this.A });
      leave = this.timer('1 ms');
      cut = this.timer('2 ms');
      enter = this.timer('3 ms');
      r0 = this.reaction({ triggers: this.leave, effects: this.B.reset }, () => this.B.reset.set());
      r1 = this.mutation({ triggers: this.cut }, () => {
        if (by === 'disconnect') this.disconnect(this.source.out, this.in);
        else this.delete(this.source);
        this.log('cut');
      });
      r2 = this.reaction({ triggers: this.enter, effects: this.A.history }, () =>
        this.A.history.set(),
      );
    }
    const { main, scheduler } = runFast(new Main(), { timeout: '20 ms' });
    t.deepEqual(/** @type {any} */ (main).trace, ['2.0 cut']);
    t.is(scheduler.region.pending, 0);
  });
}

/** An input that has a source in each of two modes, of which mutations take some away at 1.5 ms. */
class TwoModes extends Traced {
  sink = new (class Sink extends Reactor {
    in = this.input();
    tick = this.timer(0, '1 ms');
    constructor(/** @type {any} */ main) {
      super(main);
      this.reaction({ triggers: this.tick, sources: this.in }, () =>
        main.log(this.in.get() ?? 'none'),
      );
    }
  })(this);
  A = this.mode({ initial: true });
  B = this.mode();
  a = new Named(this, 'a');
  b = new Named(this, 'b');
  t1 = this.timer('1.5 ms');
  t2 = this.timer('2.5 ms');
  t4 = this.timer('4.5 ms');

  /** @param {string} after  '' for none */
  constructor(after, /** @type {(main: TwoModes) => unknown} */ change) {
    super();
    const delay = after === '' ? {} : { after };
    this.connect(this.a.out, this.sink.in, { mode: this.A, ...delay });
    this.connect(this.b.out, this.sink.in, { mode: this.B, ...delay });
    this.mutation({ triggers: this.t1 }, () => change(this));
    this.reaction({ mode: this.A, triggers: this.t2, effects: this.B.history }, () =>
      this.B.history.set(),
    );
    this.reaction({ mode: this.B, triggers: this.t4, effects: this.A.history }, () =>
      this.A.history.set(),
    );
  }

  /** @param {TwoModes} main  run for 6 ms */
  static tell(main) {
    runFast(main, { timeout: '6 ms' });
    return main.trace.map(line => line.split(' ')[1]).join(' ');
  }
}

class Named extends Reactor {
  out = this.output();
  tick = this.timer(0, '1 ms');
  constructor(/** @type {any} */ main, /** @type {string} */ name) {
    super(main);
    this.reaction({ triggers: this.tick, effects: this.out }, () => this.out.set(name));
  }
}

for (const [
  what,
  change,
  values,
  delayed,
] of /** @type {[string, (main: TwoModes) => unknown, string, string][]} */ ([
  ['none', () => {}, 'a a a b b a a', 'none a a none b a a'],
  ['delete a', m => m.delete(m.a), 'a a none b b none none', 'none a none none b none none'],
  ['delete b', m => m.delete(m.b), 'a a a none none a a', 'none a a none none a a'],
  [
    'disconnect a',
    m => m.disconnect(m.a.out, m.sink.in),
    'a a none b b none none',
    'none a none none b none none',
  ],
  ['disconnect b', m => m.disconnect(m.b.out), 'a a a none none a a', 'none a a none none a a'],
]))
  test(`an input with a source in each of two modes keeps the other one: ${what}`, t => {
    for (const [after, wanted] of /** @type {const} */ ([
      ['', values],
      ['1 ms', delayed],
    ])) {
      const main = new TwoModes(after, change);
      t.is(TwoModes.tell(main), wanted, after);
      t.is(main.node.outlets.size, what === 'none' ? 2 : 1);
    }
  });

test('connections of modes are cut without a look at those to other inputs', t => {
  /** How often the destination of a connection is read, for one that is cut. @param {number} count */
  const looksFor = count => {
    class Sink extends Reactor {
      in = this.input();
    }
    class Main extends Traced {
      source = new Source(this);
      A = this.mode({ initial: true });
      B = this.mode();
      sinks = this.bank(count, Sink).all();
      t = this.timer('1 ms');
      m = this.mutation({ triggers: this.t }, () => this.delete(this.sinks[0]));
      constructor() {
        super();
        for (const mode of [this.A, this.B]) {
          const ends = this.sinks.map(sink => sink.in);
          this.connect(this.source.out, ends, { after: 1, repeat: true, mode });
        }
      }
    }
    const main = new Main();
    const program = new Program(main, { fast: true, timeout: '2 ms' });
    let looks = 0;
    for (const outlet of main.node.outlets) {
      const { destination } = outlet;
      Object.defineProperty(outlet, 'destination', { get: () => ((looks += 1), destination) });
    }
    program.runFast();
    t.is(main.node.outlets.size, 2 * count - 2);
    return looks;
  };
  t.true(looksFor(40) <= looksFor(4));
});

test('an input has one source in each mode, also if another mode was connected last', t => {
  class Main extends TwoModes {
    c = new Named(this, 'c');
    again = this.connect(this.c.out, this.sink.in, { mode: this.A });
  }
  t.throws(() => runFast(new Main('', () => {})), {
    message:
      'sink.in has two sources, a.out and c.out; an input takes one, so merge them in a reactor or use a multiport',
  });
});

test('a reaction of a mode does not write what is connected in it, also if another mode was connected last', t => {
  class Main extends TwoModes {
    write = this.reaction({ mode: this.A, triggers: this.startup, effects: this.sink.in }, () =>
      this.sink.in.set('x'),
    );
  }
  t.throws(() => runFast(new Main('', () => {})), {
    message: /in has two sources, a\.out and write/,
  });
});

/** Where a connection of a mode lies on the way of a value. */
const ways = {
  'no mode': { first: false, second: false },
  'a mode': { first: true, second: false },
  'a mode, behind the cut': { first: false, second: true },
  'two modes': { first: true, second: true },
};

for (const [what, { first, second }] of Object.entries(ways)) {
  test(`a connection that is cut at the tag of its value passes nothing, over ${what}`, t => {
    class Sink extends Reactor {
      in = this.inputs(2);
      /** @type {unknown[]} */
      got = [];
      r = this.reaction({ triggers: this.in }, () => void this.got.push(this.in.present()));
    }
    class Box extends Traced {
      in = this.input();
      on = this.mode({ initial: true });
      also = this.input();
      sink = new Sink(this);
      wires = [
        this.connect(this.in, this.sink.in.channel(1), second ? { mode: this.on } : {}),
        this.connect(this.also, this.sink.in.channel(0)),
      ];
    }
    class Outer extends Traced {
      in = this.input();
      on = this.mode({ initial: true });
      also = this.input();
      how = first ? { mode: this.on } : {};
      box = new Box(this);
      wires = [
        this.connect(this.in, this.box.in, this.how),
        this.connect(this.also, this.box.also),
      ];
      count = 0;
      m = this.mutation({ triggers: this.in }, () => {
        this.count += 1;
        if (this.count === 2) this.disconnect(this.in, this.box.in);
        if (this.count === 4) this.connect(this.in, this.box.in, this.how);
        if (this.count !== 5) return;
        // Written again at the tag at which the value was taken back.
        this.disconnect(this.in, this.box.in);
        this.connect(this.in, this.box.in, this.how);
      });
    }
    class Main extends Traced {
      source = new Source(this);
      outer = new Outer(this);
      wires = [
        this.connect(this.source.out, this.outer.in),
        this.connect(this.source.out, this.outer.also),
      ];
    }
    const main = new Main();
    runFast(main, { timeout: '5 ms' });
    t.deepEqual(main.outer.box.sink.got, [[0, 1], [0], [0], [0, 1], [0, 1], [0, 1]]);
  });
}
