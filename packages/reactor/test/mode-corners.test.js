// Modes beside everything else: order, resets from outside, spacing, deletion.

import test from 'ava';
import { TagHeap } from '#schedule';
import { Program, Reactor, runFast } from '../index.js';
import { Traced, tagOf } from './helpers.js';

/** @typedef {'defer' | 'drop' | 'replace' | 'update'} Policy */

/** @param {Reactor} reactor */
const now = reactor => {
  const { timeNs, microstep } = reactor.util.getCurrentTag();
  return `${timeNs}.${microstep}`;
};

test('reactions to shutdown run in the order of the fields, whatever their modes', t => {
  /** @type {string[]} */
  const order = [];
  class Far extends Reactor {
    in = this.input();
    out = this.output();
    r = this.reaction({ triggers: this.in, effects: this.out }, () => this.out.set(1));
  }
  class Main extends Reactor {
    tick = this.timer(0, 1);
    far = this.bank(4, Far);
    A = this.mode({ initial: true });
    B = this.mode();
    first = this.reaction({ triggers: this.tick, effects: this.far.get(0).in }, () =>
      this.far.get(0).in.set(1),
    );
    chain = this.connect(this.far.port('out').slice(0, -1), this.far.port('in').slice(1));
    toB = this.reaction({ mode: this.A, triggers: this.startup, effects: this.B.reset }, () =>
      this.B.reset.set(),
    );
    a = this.reaction({ mode: this.A, triggers: this.shutdown, sources: this.far.get(3).out }, () =>
      order.push('a'),
    );
    b = this.reaction({ mode: this.B, triggers: this.tick }, () => order.push('b'));
    c = this.reaction({ mode: this.A, triggers: this.shutdown }, () => order.push('c'));
    d = this.reaction({ mode: this.B, triggers: this.shutdown }, () => order.push('d'));
  }
  runFast(new Main(), { timeout: 1 });
  t.deepEqual(order, ['a', 'b', 'c', 'd']);
});

for (const innerFirst of [true, false]) {
  test(`the reset of an outer mode wins, ${innerFirst ? 'behind' : 'before'} the inner reaction`, t => {
    /** @type {string[]} */
    const seen = [];
    class Inner extends Reactor {
      out = this.output();
      t = this.timer(1);
      poll = this.timer(0, 1);
      X = this.mode({ initial: true });
      Y = this.mode();
      go = this.reaction(
        { mode: this.X, triggers: this.t, effects: [this.Y.reset, this.out] },
        () => {
          this.out.set(1);
          this.Y.reset.set();
        },
      );
      begun = this.reaction({ mode: this.Y, triggers: this.startup }, () => seen.push('Y begins'));
      x = this.reaction({ mode: this.X, triggers: this.poll }, () => seen.push(`${now(this)} X`));
      y = this.reaction({ mode: this.Y, triggers: this.poll }, () => seen.push(`${now(this)} Y`));
    }
    class Main extends Reactor {
      A = this.mode({ initial: true });
      inner = new Inner(this.A);
      tick = this.timer(1, 0, this.A);
      n = 0;
      r = this.reaction(
        {
          mode: this.A,
          triggers: innerFirst ? this.inner.out : this.tick,
          effects: this.A.reset,
        },
        () => {
          this.n += 1;
          if (this.n === 1) this.A.reset.set();
        },
      );
    }
    runFast(new Main(), { timeout: 2 });
    // After the reset, the inner reactor's time begins anew: at 2 it goes to Y, which begins for the first time.
    t.deepEqual(seen, ['0.0 X', '1.0 X', '1.1 X', '2.0 X']);
  });
}

test('a mode that is left by the outer one keeps what was asked for in it', t => {
  /** @type {string[]} */
  const seen = [];
  class Inner extends Reactor {
    t = this.timer(1);
    X = this.mode({ initial: true });
    Y = this.mode();
    go = this.reaction({ mode: this.X, triggers: this.t, effects: this.Y.reset }, () =>
      this.Y.reset.set(),
    );
    later = this.timer(2, 0, this.Y);
    begun = this.reaction({ mode: this.Y, triggers: this.startup }, () =>
      seen.push(`${now(this)} Y begins`),
    );
    y = this.reaction({ mode: this.Y, triggers: this.later }, () => seen.push(`${now(this)} Y`));
  }
  class Main extends Reactor {
    A = this.mode({ initial: true });
    B = this.mode();
    inner = new Inner(this.A);
    one = this.timer(1);
    ten = this.timer(10);
    leave = this.reaction({ mode: this.A, triggers: this.one, effects: this.B.reset }, () =>
      this.B.reset.set(),
    );
    back = this.reaction({ mode: this.B, triggers: this.ten, effects: this.A.history }, () =>
      this.A.history.set(),
    );
  }
  runFast(new Main(), { timeout: 20 });
  t.deepEqual(seen, ['10.1 Y begins', '12.0 Y']);
});

/** @type {[Policy | undefined, number | undefined, number][]} */
const policies = [
  [undefined, undefined, 6],
  ['defer', 2, 8],
  ['replace', 2, 8],
  ['update', 2, 8],
];

for (const [policy, minSpacing, comes] of policies) {
  test(`an event behind one that a reset forgot comes, policy ${policy}`, t => {
    /** @type {string[]} */
    const seen = [];
    class Main extends Reactor {
      A = this.mode({ initial: true });
      a = this.action({ mode: this.A, minSpacing, policy });
      t = this.timer(1);
      go = this.reaction({ triggers: this.t, effects: [this.a, this.A.reset] }, () => {
        this.a.schedule(5, 'forgotten');
        this.A.reset.set();
      });
      again = this.reaction({ mode: this.A, triggers: this.reset, effects: this.a }, () =>
        this.a.schedule(5, 'new'),
      );
      r = this.reaction({ mode: this.A, triggers: this.a }, () =>
        seen.push(`${now(this)} ${this.a.get()}`),
      );
    }
    const main = new Main();
    runFast(main, { timeout: 40, keepalive: true });
    t.deepEqual(seen, [`${comes}.0 new`]);
    t.is(main.node.region?.pending, 0);
  });
}

test('an event that waited with its mode is replaced when the mode is back', t => {
  /** @type {string[]} */
  const seen = [];
  class Main extends Reactor {
    A = this.mode({ initial: true });
    B = this.mode();
    a = this.action({ mode: this.A, minSpacing: 2, policy: 'replace' });
    t1 = this.timer(1);
    t2 = this.timer(3);
    t3 = this.timer(5);
    leave = this.reaction({ triggers: this.t1, effects: [this.a, this.B.reset] }, () => {
      this.a.schedule(20, 'old');
      this.B.reset.set();
    });
    back = this.reaction({ triggers: this.t2, effects: this.A.history }, () =>
      this.A.history.set(),
    );
    put = this.reaction({ triggers: this.t3, effects: this.a }, () => this.a.schedule(1, 'new'));
    r = this.reaction({ mode: this.A, triggers: this.a }, () =>
      seen.push(`${now(this)} ${this.a.get()}`),
    );
  }
  runFast(new Main(), { timeout: 60, keepalive: true });
  t.deepEqual(seen, ['23.0 new']);
});

for (const hasOther of [false, true]) {
  test(`an event for a mode that is not active waits with it${hasOther ? ', whatever other reactors do' : ''}`, t => {
    /** @type {string[]} */
    const seen = [];
    class Other extends Reactor {
      X = this.mode({ initial: true });
      t = this.timer(0, 1);
      r = this.reaction({ mode: this.X, triggers: this.t, effects: this.X.history }, () =>
        this.X.history.set(),
      );
    }
    class Main extends Reactor {
      other = hasOther ? new Other(this) : undefined;
      A = this.mode({ initial: true });
      B = this.mode();
      a = this.action({ mode: this.A });
      t1 = this.timer(1);
      t5 = this.timer(5);
      t20 = this.timer(20);
      leave = this.reaction({ triggers: this.t1, effects: this.B.reset }, () => this.B.reset.set());
      put = this.reaction({ triggers: this.t5, effects: this.a }, () => this.a.schedule(3, 'x'));
      back = this.reaction({ triggers: this.t20, effects: this.A.history }, () =>
        this.A.history.set(),
      );
      r = this.reaction({ mode: this.A, triggers: this.a }, () =>
        seen.push(`${now(this)} ${this.a.get()}`),
      );
    }
    runFast(new Main(), { timeout: 60, keepalive: true });
    t.deepEqual(seen, ['23.0 x']);
  });
}

test('resets at one tag look at the pending events once, however many there are', t => {
  class Modal extends Reactor {
    A = this.mode({ initial: true });
    B = this.mode();
    t = this.timer(1);
    go = this.reaction({ mode: this.A, triggers: this.t, effects: this.B.reset }, () =>
      this.B.reset.set(),
    );
  }
  class Main extends Reactor {
    all = this.bank(10, Modal);
  }
  const program = new Program(new Main(), { fast: true, timeout: 2 });
  let looks = 0;
  const { scheduler } = program;
  const take = scheduler.takeEvents.bind(scheduler);
  scheduler.takeEvents = slots => {
    looks += 1;
    return take(slots);
  };
  while (program.step());
  // Once for the modes that are entered, once for those that are left.
  t.is(looks, 2);
});

/**
 * @param {number} count  reactors, which change their modes one after the other
 * @returns {number} how often an event was taken from a heap
 */
const takesFromHeap = count => {
  class Modal extends Reactor {
    A = this.mode({ initial: true });
    B = this.mode();
    t = this.timer(1 + this.node.bankIndex);
    far = this.timer(1000, 0, this.A);
    leave = this.reaction({ mode: this.A, triggers: this.t, effects: this.B.history }, () =>
      this.B.history.set(),
    );
    rest = this.reaction({ mode: this.A, triggers: this.far }, () => {});
  }
  class Main extends Reactor {
    all = this.bank(count, Modal);
  }
  const program = new Program(new Main(), { fast: true, timeout: 900 });
  const { take } = TagHeap.prototype;
  let taken = 0;
  TagHeap.prototype.take = function () {
    taken += 1;
    return take.call(this);
  };
  try {
    while (program.step());
  } finally {
    TagHeap.prototype.take = take;
  }
  return taken;
};

test('changes of mode at different tags look only at the events of their reactor', t => {
  const few = takesFromHeap(100);
  t.true(takesFromHeap(400) < 5 * few);
});

test('events come back in the order of their microsteps, also those of the next one', t => {
  /** @type {unknown[]} */
  const seen = [];
  class Main extends Reactor {
    A = this.mode({ initial: true });
    B = this.mode();
    leave = this.timer(5);
    enter = this.timer(8);
    act = this.action({ mode: this.A });
    away = this.reaction(
      { mode: this.A, triggers: this.leave, effects: [this.act, this.B.history] },
      () => {
        this.act.scheduleAt({ timeNs: 5, microstep: 3 }, 'later');
        this.act.schedule(0, 'next');
        this.B.history.set();
      },
    );
    back = this.reaction({ mode: this.B, triggers: this.enter, effects: this.A.history }, () =>
      this.A.history.set(),
    );
    come = this.reaction({ mode: this.A, triggers: this.act }, () =>
      seen.push(`${now(this)} ${this.act.get()}`),
    );
  }
  runFast(new Main(), { timeout: 10 });
  t.deepEqual(seen, ['8.1 next', '8.2 later']);
});

test('values of delayed connections to one input wait each with its own mode', t => {
  /** @type {unknown[]} */
  const seen = [];
  class Sink extends Reactor {
    in = this.input();
    come = this.reaction({ triggers: this.in }, () => seen.push(`${now(this)} ${this.in.get()}`));
  }
  class Source extends Reactor {
    out = this.output();
    tick = this.timer(1, 10);
    send = this.reaction({ triggers: this.tick, effects: this.out }, () =>
      this.out.set(this.util.getCurrentTag().timeNs),
    );
  }
  class Main extends Reactor {
    A = this.mode({ initial: true });
    B = this.mode();
    turn = this.timer(5, 10);
    sink = new Sink(this);
    source = new Source(this);
    toA = this.connect(this.source.out, this.sink.in, { after: 7, mode: this.A });
    toB = this.connect(this.source.out, this.sink.in, { after: 6, mode: this.B });
    go = this.reaction({ mode: this.A, triggers: this.turn, effects: this.B.history }, () =>
      this.B.history.set(),
    );
    back = this.reaction({ mode: this.B, triggers: this.turn, effects: this.A.history }, () =>
      this.A.history.set(),
    );
  }
  runFast(new Main(), { timeout: 40 });
  t.deepEqual(seen, ['18.0 1', '27.0 11', '38.0 21']);
});

test('events of modes that are left do not pile up', t => {
  class Main extends Reactor {
    A = this.mode({ initial: true });
    B = this.mode();
    tick = this.timer(1, 1);
    far = this.timer(1_000_000, 0, this.A);
    turn = this.reaction({ triggers: this.tick, effects: [this.A.history, this.B.history] }, () =>
      (this.A.active ? this.B : this.A).history.set(),
    );
    come = this.reaction({ mode: this.A, triggers: this.far }, () => {});
  }
  let most = 0;
  const { putBack } = TagHeap.prototype;
  TagHeap.prototype.putBack = function (event) {
    putBack.call(this, event);
    most = Math.max(most, this.size);
  };
  try {
    runFast(new Main(), { timeout: 2000 });
  } finally {
    TagHeap.prototype.putBack = putBack;
  }
  t.true(most < 100);
});

test('a reactor that is deleted enters no mode any more', t => {
  class Inner extends Reactor {
    /** @param {any} container @param {Traced} main */
    constructor(container, main) {
      super(container);
      this.reaction({ triggers: this.shutdown }, () => main.log('shutdown of what is gone'));
    }
  }
  class Child extends Reactor {
    A = this.mode({ initial: true });
    B = this.mode();
    t = this.timer('5 ms');
    /** @param {Traced} main */
    constructor(main) {
      super(main);
      new Inner(this.B, main);
      this.reaction({ mode: this.A, triggers: this.t, effects: this.B.reset }, () =>
        this.B.reset.set(),
      );
    }
  }
  class Main extends Traced {
    c = new Child(this);
    t = this.timer('5 ms');
    m = this.mutation({ triggers: this.t }, () => this.delete(this.c));
    end = this.reaction({ triggers: this.shutdown }, () => this.log('end'));
  }
  const main = new Main();
  const program = runFast(main, { timeout: '10 ms', keepalive: true });
  t.deepEqual(main.trace, ['10.0 end']);
  t.is(program.scheduler.endings.size, 1);
});

test('a reactor that is made in one that is deleted at the same tag begins and ends at it', t => {
  class Leaf extends Reactor {
    /** @param {any} container @param {string[]} seen */
    constructor(container, seen) {
      super(container);
      this.reaction({ triggers: this.startup }, () => seen.push(`${tagOf(this)} begins`));
      this.reaction({ triggers: this.shutdown }, () => seen.push(`${tagOf(this)} ends`));
    }
  }
  /** @type {string[]} */
  const seen = [];
  class Child extends Reactor {
    t = this.timer('1 ms');
    r = this.reaction({ triggers: this.t }, () => void new Leaf(this, seen));
  }
  class Main extends Reactor {
    c = new Child(this);
    t = this.timer('1 ms');
    m = this.mutation({ triggers: this.t }, () => this.delete(this.c));
  }
  const program = runFast(new Main(), { timeout: '9 ms', keepalive: true });
  t.deepEqual(seen, ['1.0 begins', '1.0 ends']);
  t.is(program.scheduler.endings.size, 0);
});

for (const [name, connect, message] of /** @type {[string, (main: any) => void, string][]} */ ([
  [
    'a connection from one mode into another',
    main => main.connect(main.a.out, main.b.in),
    'Built: a connection leads from a.out in A to b.in in B; modes are not active together, so join what lies in one of them',
  ],
  [
    'a connection of one mode that begins in another',
    main => main.connect(main.b.out, main.out, { mode: main.A }),
    'Built: a connection of A names b.out, which lies in B; modes are not active together, so join what lies in one of them',
  ],
  [
    'a connection of one mode that ends in another',
    main => main.connect(main.in, main.b.in, { mode: main.A }),
    'Built: a connection of A names b.in, which lies in B; modes are not active together, so join what lies in one of them',
  ],
])) {
  test(`${name} is refused`, t => {
    class Inner extends Reactor {
      in = this.input();
      out = this.output();
    }
    class Built extends Reactor {
      in = this.input();
      out = this.output();
      A = this.mode({ initial: true });
      B = this.mode();
      a = new Inner(this.A);
      b = new Inner(this.B);
      wires = connect(this);
    }
    t.throws(() => runFast(new Built()), { message, name: 'UserError' });
  });
}

for (const [part, options] of /** @type {[string, (main: any) => object][]} */ ([
  ['trigger far.out', main => ({ triggers: main.far.out })],
  ['trigger tick', main => ({ triggers: main.tick })],
  ['source far.out', main => ({ triggers: main.startup, sources: main.far.out })],
  ['effect far.in', main => ({ triggers: main.startup, effects: main.far.in })],
  ['effect wide.channel', main => ({ triggers: main.startup, effects: main.far.wide.channel(0) })],
  ['effect act', main => ({ triggers: main.startup, effects: main.act })],
])) {
  test(`a reaction of one mode has no ${part.replace(/ .*/, '')} in another: ${part}`, t => {
    class Far extends Reactor {
      in = this.input();
      wide = this.inputs(2);
      out = this.output();
    }
    /** @param {'A' | 'B'} mode */
    const make = mode =>
      class Main extends Reactor {
        A = this.mode({ initial: true });
        B = this.mode();
        far = new Far(/** @type {any} */ (this.B));
        tick = this.timer(0, 1, this.B);
        act = this.action({ mode: this.B });
        r = this.reaction(/** @type {any} */ ({ mode: this[mode], ...options(this) }), () => {});
      };
    t.throws(() => new Program(new (make('A'))()), {
      name: 'UserError',
      message:
        /^r0: it is in A, and its (trigger|source|effect) .* in B; modes are not active together/,
    });
    t.notThrows(() => new Program(new (make('B'))()));
  });
}
