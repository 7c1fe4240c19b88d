import test from 'ava';
import fc from 'fast-check';
import { Reactor, runFast } from '../index.js';
import { Traced } from './helpers.js';

/** @import { InPort, OutPort } from '../index.js' */

class Sum extends Reactor {
  /** @type {InPort<any>} */
  low = this.input();
  /** @type {InPort<any>} */
  high = this.input();
  sum = this.output();
  left = this.transient(Sum, ['sum']);
  right = this.transient(Sum, ['sum']);

  split = this.reaction(
    { triggers: [this.low, this.high], effects: [this.sum, this.left, this.right] },
    () => {
      const low = this.low.get();
      const high = this.high.get();
      const middle = low + Math.floor((high - low) / 2);
      if (low === high) {
        this.sum.set(low);
      } else {
        this.left.spawn(low, middle);
        this.right.spawn(middle + 1, high);
      }
    },
  );

  add = this.reaction({ triggers: [this.left.sum, this.right.sum], effects: this.sum }, () =>
    this.sum.set(this.left.sum.get() + this.right.sum.get()),
  );
}

class Main extends Traced {
  constructor(/** @type {number} */ high) {
    super();
    this.all = this.transient(Sum, ['sum']);
    this.reaction({ triggers: this.startup, effects: this.all }, () => this.all.spawn(0, high));
    this.reaction({ triggers: this.all.sum }, () => this.log(this.all.sum.get()));
  }
}

test('transient children compute a sum by divide and conquer, at one tag', t => {
  fc.assert(
    fc.property(fc.nat(300), high => {
      const main = new Main(high);
      const program = runFast(main);
      t.deepEqual(main.trace, [`0.0 ${(high * (high + 1)) / 2}`]);
      // A split and an addition for each inner node, a split for each leaf, and two of the main reactor.
      t.is(program.counts.reactions, 2 * high + high + 1 + 2);
    }),
  );
});

test('a chain of children may be as deep as it likes', t => {
  class Chain extends Reactor {
    /** @type {InPort<any>} */
    depth = this.input();
    out = this.output();
    next = this.transient(Chain, ['out']);
    down = this.reaction({ triggers: this.depth, effects: [this.out, this.next] }, () => {
      if (this.depth.get() === 0) this.out.set(0);
      else this.next.spawn(this.depth.get() - 1);
    });
    up = this.reaction({ triggers: this.next.out, effects: this.out }, () =>
      this.out.set(this.next.out.get() + 1),
    );
  }
  class Deep extends Traced {
    chain = this.transient(Chain, ['out']);
    r1 = this.reaction({ triggers: this.startup, effects: this.chain }, () =>
      this.chain.spawn(20_000),
    );
    r2 = this.reaction({ triggers: this.chain.out }, () => this.log(this.chain.out.get()));
  }
  const main = new Deep();
  runFast(main);
  t.deepEqual(main.trace, ['0.0 20000']);
});

test('children run to their end before anything else of their creator', t => {
  class Child extends Reactor {
    /** @type {InPort<any>} */
    name = this.input();
    out = this.output();
    constructor(/** @type {any} */ container) {
      super(container);
      this.reaction({ triggers: this.name }, () => this.name.get().log('child r0'));
      this.reaction({ triggers: this.name, effects: this.out }, () => {
        this.name.get().log('child r1');
        this.out.set('done');
      });
    }
  }
  class Parent extends Traced {
    a = this.transient(Child, ['out']);
    b = this.transient(Child, ['out']);
    r0 = this.reaction({ triggers: this.startup, effects: [this.a, this.b] }, () => {
      this.a.spawn(this);
      this.b.spawn(this);
      this.log('r0');
    });
    r1 = this.reaction({ triggers: this.startup }, () => this.log('r1'));
    r2 = this.reaction({ triggers: this.a.out, sources: this.b.out }, () =>
      this.log('r2', this.a.out.get(), this.b.out.get()),
    );
  }
  const main = new Parent();
  runFast(main);
  t.deepEqual(main.trace, [
    '0.0 r0',
    '0.0 child r0',
    '0.0 child r1',
    '0.0 child r0',
    '0.0 child r1',
    '0.0 r1',
    '0.0 r2 done done',
  ]);
});

test('a child is fresh each time: startup again, states set back', t => {
  class Child extends Reactor {
    /** @type {InPort<any>} */
    in = this.input();
    out = this.output();
    n = this.state(0);
    start = this.reaction({ triggers: this.startup }, () => this.n.set(this.n.get() + 10));
    r = this.reaction({ triggers: this.in, effects: this.out }, () => {
      this.n.set(this.n.get() + this.in.get());
      this.out.set(this.n.get());
    });
  }
  class Parent extends Traced {
    tick = this.timer(0, '1 ms');
    child = this.transient(Child, ['out']);
    i = 0;
    r0 = this.reaction({ triggers: this.tick, effects: this.child }, () => {
      this.i += 1;
      this.child.spawn(this.i);
    });
    r1 = this.reaction({ triggers: this.child.out }, () => this.log(this.child.out.get()));
  }
  const main = new Parent();
  runFast(main, { timeout: '2 ms' });
  t.deepEqual(main.trace, ['0.0 11', '1.0 12', '2.0 13']);
});

test('a child may contain reactors', t => {
  class Double extends Reactor {
    /** @type {InPort<any>} */
    in = this.input();
    out = this.output();
    r = this.reaction({ triggers: this.in, effects: this.out }, () =>
      this.out.set(2 * this.in.get()),
    );
  }
  class Child extends Reactor {
    /** @type {InPort<any>} */
    in = this.input();
    out = this.output();
    stages = this.bank(3, Double);
    wires = this.connect([this.in, this.stages.port('out')], [this.stages.port('in'), this.out]);
  }
  class Parent extends Traced {
    tick = this.timer(0, '1 ms');
    child = this.transient(Child, ['out']);
    r0 = this.reaction({ triggers: this.tick, effects: this.child }, () => this.child.spawn(5));
    r1 = this.reaction({ triggers: this.child.out }, () => this.log(this.child.out.get()));
  }
  const main = new Parent();
  runFast(main, { timeout: '1 ms' });
  t.deepEqual(main.trace, ['0.0 40', '1.0 40']);
});

test('a child that is not finished becomes a reactor like any other, until it is deleted', t => {
  class Slow extends Reactor {
    in = this.input();
    out = this.output();
    a = this.action({ minDelay: '2 ms' });
    r0 = this.reaction({ triggers: this.in, effects: this.a }, () =>
      this.a.schedule(0, this.in.get()),
    );
    r1 = this.reaction({ triggers: this.a, effects: this.out }, () => this.out.set(this.a.get()));
    constructor(/** @type {any} */ container) {
      super(container);
      this.reaction({ triggers: this.shutdown }, () => {});
    }
  }
  class Parent extends Traced {
    tick = this.timer(0, '5 ms');
    child = this.transient(Slow, ['out']);
    r0 = this.reaction({ triggers: this.tick, effects: this.child }, () => this.child.spawn('x'));
    r1 = this.reaction({ triggers: this.child.out }, () => {
      this.log(this.child.out.get());
      this.delete(this.child.adopted.reactor);
    });
  }
  const main = new Parent();
  runFast(main, { timeout: '10 ms' });
  t.deepEqual(main.trace, ['2.0 x', '7.0 x']);
  t.is(main.node.children.length, 0);
});

test('a child ends before it is gone, each time, and starts in its initial mode', t => {
  class Child extends Reactor {
    /** @type {InPort<any>} */
    main = this.input();
    /** @type {OutPort<any>} */
    out = this.output();
    one = this.mode({ initial: true });
    two = this.mode();
    r0 = this.reaction(
      { mode: this.one, triggers: this.main, effects: [this.out, this.two.reset] },
      () => {
        this.main.get().log('one');
        this.out.set('result');
        this.two.reset.set();
      },
    );
    r1 = this.reaction({ mode: this.two, triggers: this.main }, () => t.fail());
    r2 = this.reaction({ triggers: this.shutdown, sources: [this.main, this.out] }, () =>
      this.main.get().log('end', this.out.get()),
    );
  }
  class Parent extends Traced {
    tick = this.timer(0, '1 ms');
    child = this.transient(Child, ['out']);
    r0 = this.reaction({ triggers: this.tick, effects: this.child }, () => this.child.spawn(this));
    r1 = this.reaction({ triggers: this.child.out }, () => this.log(this.child.out.get()));
  }
  const main = new Parent();
  runFast(main, { timeout: '1 ms' });
  t.deepEqual(main.trace, [
    '0.0 one',
    '0.0 end result',
    '0.0 result',
    '1.0 one',
    '1.0 end result',
    '1.0 result',
  ]);
});

test('a child whose value is under way in it is not finished, and does not end', t => {
  class Echo extends Reactor {
    in = this.input();
    out = this.output();
    r = this.reaction({ triggers: this.in, effects: this.out }, () => this.out.set(this.in.get()));
  }
  class Child extends Reactor {
    in = this.input();
    out = this.output();
    a = new Echo(this);
    b = new Echo(this);
    wires = [
      this.connect(this.in, this.a.in),
      this.connect(this.a.out, this.b.in, { after: '2 ms' }),
      this.connect(this.b.out, this.out),
    ];
    constructor(/** @type {any} */ container) {
      super(container);
      this.reaction({ triggers: this.shutdown }, () =>
        ended.push(this.util.getCurrentTag().timeNs),
      );
    }
  }
  /** @type {number[]} */
  const ended = [];
  class Parent extends Traced {
    child = this.transient(Child, ['out']);
    r0 = this.reaction({ triggers: this.startup, effects: this.child }, () =>
      this.child.spawn('x'),
    );
    r1 = this.reaction({ triggers: this.child.out }, () => this.log(this.child.out.get()));
  }
  const main = new Parent();
  runFast(main);
  t.deepEqual(main.trace, ['2.0 x']);
  t.deepEqual(ended, [2_000_000]);
});

test('the plain fields of a child cannot be assigned to', t => {
  class Child extends Reactor {
    in = this.input();
    out = this.output();
    count = 0;
    r = this.reaction({ triggers: this.in }, () => {
      this.count += 1;
    });
  }
  class Parent extends Reactor {
    child = this.transient(Child, ['out']);
    r0 = this.reaction({ triggers: this.startup, effects: this.child }, () => this.child.spawn(1));
  }
  t.throws(() => runFast(new Parent()), {
    message: /^child\.r failed at 0ns\.0: Cannot assign to read only property 'count'/,
  });
});

for (const [
  name,
  build,
  message,
] of /** @type {[string, (main: any) => void, RegExp | string][]} */ ([
  [
    'spawned without being declared',
    main => main.reaction({ triggers: main.startup }, () => main.all.spawn(0, 1)),
    'r0 failed at 0ns.0: all is spawned by r0, which did not declare it; add it to the effects of the reaction',
  ],
  [
    'spawned twice',
    main =>
      main.reaction({ triggers: main.startup, effects: main.all }, () => {
        main.all.spawn(0, 1);
        main.all.spawn(0, 1);
      }),
    /all was spawned again before its child was gone; use one for each child, or delete the child$/,
  ],
  [
    'too many values',
    main =>
      main.reaction({ triggers: main.startup, effects: main.all }, () => main.all.spawn(0, 1, 2)),
    /all was spawned with 3 values; Sum has 2 inputs$/,
  ],
  [
    'a result that it does not have',
    main =>
      main.reaction({ triggers: main.startup, effects: main.wrong }, () => main.wrong.spawn(0, 1)),
    /wrong: Sum has no output "total"; name its results as it does$/,
  ],
  [
    'a result read by the reaction that spawns',
    main => main.reaction({ triggers: [main.startup, main.all.sum], effects: main.all }, () => {}),
    /^zero-delay cycle: r0 → all\.sum → r0; /,
  ],
])) {
  test(`a transient child, ${name}: an error`, t => {
    class Bad extends Reactor {
      all = this.transient(Sum, ['sum']);
      wrong = this.transient(Sum, ['total']);
      constructor() {
        super();
        build(this);
      }
    }
    t.throws(() => runFast(new Bad()), { message });
  });
}

for (const isDelayed of [true, false])
  test(`a child stays whose result comes ${isDelayed ? 'over a delay' : 'by the second of several channels'}`, t => {
    class Both extends Reactor {
      in = this.input();
      out = this.outputs(2);
      later = this.timer('3 ms');
      r = this.reaction({ triggers: [this.in, this.later], effects: this.out }, () => {
        this.out.set(0, 'wrong');
        this.out.set(1, this.in.get() ?? 'later');
      });
    }
    class Child extends Reactor {
      /** @type {InPort<any>} */
      x = this.input();
      y = this.output();
      both = new Both(this);
      wires = [
        this.connect(this.x, this.both.in),
        this.connect(this.both.out.channel(1), this.y, isDelayed ? { after: '1 ms' } : {}),
      ];
    }
    class Parent extends Traced {
      child = this.transient(Child, ['y']);
      r = this.reaction({ triggers: this.startup, effects: this.child }, () =>
        this.child.spawn(21),
      );
      got = this.reaction({ triggers: this.child.y }, () => this.log(this.child.y.get()));
    }
    const main = new Parent();
    runFast(main, { timeout: '6 ms' });
    t.deepEqual(main.trace, isDelayed ? ['1.0 21', '4.0 later'] : ['0.0 21', '3.0 later']);
  });
