// Deadlines, the clock and physical actions. After Deadline, SimpleDeadline, DeadlineHandledAbove, DeadlineZero,
// DeadlinePriority, DeadlineInherited, DeadlineWithAfterDelay, DeadlineWithBanks, SlowingClockPhysical,
// PhysicalConnection, PhysicalConnectionCycle, AsyncCallback, AsyncCallbackDrop/Replace/Update,
// PhysicalActionWakesSleepingScheduler, PhysicalActionCanBeScheduledSynchronously, PhysicalActionWithKeepalive of LF.

import test from 'ava';
import { Program, Reactor, run, systemClock } from '../index.js';
import { Traced, testClock } from './helpers.js';

const ms = 1_000_000;

test('a reaction that is late has its handler run instead', async t => {
  const clock = testClock();
  class Late extends Reactor {
    x = this.input();
    out = this.output();
    constructor(/** @type {any} */ main) {
      super(main);
      this.reaction(
        {
          triggers: this.x,
          effects: this.out,
          deadline: '10 ms',
          late: () => {
            main.log('late', this.x.get());
            this.out.set('late');
          },
        },
        () => main.log('in time', this.x.get()),
      );
    }
  }
  class Main extends Traced {
    tick = this.timer(0, '100 ms');
    d = new Late(this);
    count = 0;
    r = this.reaction({ triggers: this.tick, effects: this.d.x }, () => {
      // 10 ms is in time, more is not.
      clock.now += [0, 10, 10.000001, 50][this.count] * ms;
      this.d.x.set(this.count);
      this.count += 1;
    });
    got = this.reaction({ triggers: this.d.out }, () => this.log('got', this.d.out.get()));
  }
  const main = new Main();
  const program = await run(main, { timeout: '300 ms', clock });
  t.deepEqual(main.trace, [
    '0.0 in time 0',
    '100.0 in time 1',
    '200.0 late 2',
    '200.0 got late',
    '300.0 late 3',
    '300.0 got late',
  ]);
  t.is(program.counts.deadlineMisses, 2);
});

test('a deadline of 0 is always missed', async t => {
  class Main extends Traced {
    tick = this.timer(0, '1 ms');
    r = this.reaction({ triggers: this.tick, deadline: 0, late: () => this.log('late') }, () =>
      this.log('in time'),
    );
  }
  const main = new Main();
  await run(main, { timeout: '1 ms', clock: testClock() });
  t.deepEqual(main.trace, ['0.0 late', '1.0 late']);
});

test('a reaction that is late and has no handler does nothing', async t => {
  const clock = testClock();
  class Main extends Traced {
    r1 = this.reaction({ triggers: this.startup }, () => {
      clock.now += 5 * ms;
    });
    r2 = this.reaction({ triggers: this.startup, deadline: '1 ms' }, () => this.log('r2'));
    r3 = this.reaction({ triggers: this.startup }, () => this.log('r3'));
  }
  const main = new Main();
  await run(main, { clock });
  t.deepEqual(main.trace, ['0.0 r3']);
});

test('a deadline is looked at when the reaction is about to run, behind a delay too', async t => {
  const clock = testClock();
  class Source extends Reactor {
    y = this.output();
    r = this.reaction({ triggers: this.startup, effects: this.y }, () => this.y.set(1));
  }
  class Main extends Traced {
    source = new Source(this);
    slow = this.timer('5 ms');
    sink = new (class extends Reactor {
      x = this.input();
      constructor(/** @type {any} */ main) {
        super(main);
        this.reaction({ triggers: this.x, deadline: '1 ms', late: () => main.log('late') }, () =>
          main.log('in time'),
        );
      }
    })(this);
    wire = this.connect(this.source.y, this.sink.x, { after: '5 ms' });
    r = this.reaction({ triggers: this.slow, effects: [] }, () => {
      clock.now += 3 * ms;
    });
  }
  const main = new Main();
  await run(main, { clock });
  t.is(main.trace.length, 1);
});

test('at one level the earliest deadline goes first, and what it depends on inherits it', async t => {
  /** @type {string[]} */
  const order = [];
  class Plain extends Reactor {
    r = this.reaction({ triggers: this.startup }, () => order.push('plain'));
  }
  class Relaxed extends Reactor {
    r = this.reaction({ triggers: this.startup, deadline: '10 s' }, () => order.push('relaxed'));
  }
  class Urgent extends Reactor {
    first = this.reaction({ triggers: this.startup }, () => order.push('before urgent'));
    second = this.reaction({ triggers: this.startup, deadline: '1 s' }, () => order.push('urgent'));
  }
  class Main extends Reactor {
    a = new Plain(this);
    b = new Relaxed(this);
    c = new Urgent(this);
  }
  await run(new Main(), { clock: testClock() });
  t.deepEqual(order, ['before urgent', 'urgent', 'relaxed', 'plain']);
});

test('a deadline can be changed while the program runs', async t => {
  const clock = testClock();
  class Main extends Traced {
    tick = this.timer(0, '10 ms');
    r = this.reaction({ triggers: this.tick }, () => {
      clock.now += 5 * ms;
    });
    d = this.reaction(
      { triggers: this.tick, deadline: '10 ms', late: () => this.log('late') },
      () => {
        this.log('in time');
        this.d.setDeadline('4 ms');
      },
    );
  }
  const main = new Main();
  await run(main, { timeout: '20 ms', clock });
  t.deepEqual(main.trace, ['0.0 in time', '10.0 late', '20.0 late']);
});

test('a reaction that takes long looks at its deadline', async t => {
  const clock = testClock();
  class Main extends Traced {
    r = this.reaction({ triggers: this.startup, deadline: '10 ms', late: () => t.fail() }, () => {
      let rounds = 0;
      while (!this.util.checkDeadline()) {
        rounds += 1;
        clock.now += 3 * ms;
      }
      this.log(rounds);
    });
    bad = this.reaction({ triggers: this.shutdown }, () => this.util.checkDeadline());
  }
  const main = new Main();
  await t.throwsAsync(run(main, { clock }), {
    message: 'bad failed at 0ns.1: bad checks its deadline and has none; give the reaction one',
  });
  t.deepEqual(main.trace, ['0.0 4']);
});

test('each member of a bank has a deadline of its own', async t => {
  const clock = testClock();
  class Worker extends Reactor {
    constructor(/** @type {any} */ main) {
      super(main);
      const index = this.getBankIndex();
      this.reaction(
        {
          triggers: this.startup,
          deadline: `${[30, 10, 20][index]} ms`,
          late: () => main.log('late', index),
        },
        () => {
          main.log(index);
          clock.now += 25 * ms;
        },
      );
    }
  }
  class Main extends Traced {
    workers = this.bank(3, Worker);
  }
  const main = new Main();
  await run(main, { clock });
  // The earliest deadline first: after member 1 it is 25 ms, too late for member 2 and not for member 0.
  t.deepEqual(main.trace, ['0.0 1', '0.0 late 2', '0.0 0']);
});

test('a tag does not run before the clock reaches its time', async t => {
  const clock = testClock();
  class Main extends Traced {
    tick = this.timer(0, '10 ms');
    r = this.reaction({ triggers: this.tick }, () => this.log(clock.now / ms));
  }
  const main = new Main();
  await run(main, { timeout: '20 ms', clock });
  t.deepEqual(main.trace, ['0.0 0', '10.0 10', '20.0 20']);
});

test('a physical action takes the time of the clock, and may land on microstep 0', async t => {
  const clock = testClock();
  class Main extends Traced {
    a = this.physicalAction();
    b = this.physicalAction({ minDelay: '2 ms' });
    r = this.reaction({ triggers: this.startup, effects: [this.a, this.b] }, () => {
      clock.now = 5 * ms;
      this.a.schedule(0, 'a');
      this.b.schedule('1 ms', 'b');
    });
    onA = this.reaction({ triggers: this.a }, () => this.log(this.a.get()));
    onB = this.reaction({ triggers: this.b }, () => this.log(this.b.get()));
  }
  const main = new Main();
  await run(main, { clock, keepalive: false });
  t.deepEqual(main.trace, ['5.0 a', '8.0 b']);
});

test('a physical action never comes before the present tag, in a fast program either', async t => {
  const clock = testClock();
  class Main extends Traced {
    tick = this.timer('100 ms');
    a = this.physicalAction();
    r = this.reaction({ triggers: this.tick, effects: this.a }, () => this.a.schedule(0, 'a'));
    onA = this.reaction({ triggers: this.a }, () => this.log(this.a.get()));
  }
  const main = new Main();
  await run(main, { clock, fast: true });
  t.is(clock.now, 0);
  t.deepEqual(main.trace, ['100.1 a']);
});

test('delays of a physical action count from the time of a clock that slows down', async t => {
  const clock = testClock();
  class Main extends Traced {
    a = this.physicalAction({ minDelay: '100 ms' });
    n = 0;
    go = this.reaction({ triggers: this.startup, effects: this.a }, () => this.a.schedule());
    r = this.reaction({ triggers: this.a, effects: this.a }, () => {
      this.log();
      this.n += 1;
      clock.now += this.n * ms;
      if (this.n < 4) this.a.schedule(`${this.n * 10} ms`);
    });
  }
  const main = new Main();
  await run(main, { clock, keepalive: false });
  t.deepEqual(main.trace, ['100.0', '211.0', '333.0', '466.0']);
});

for (const { policy, expected } of /** @type {const} */ ([
  { policy: 'defer', expected: ['10.0 0', '25.0 1', '40.0 2'] },
  { policy: 'drop', expected: ['10.0 0'] },
  { policy: 'replace', expected: ['10.0 2'] },
  { policy: 'update', expected: ['14.0 2'] },
])) {
  test(`a physical action with a spacing, policy ${policy}`, async t => {
    const clock = testClock();
    class Main extends Traced {
      a = this.physicalAction({ minDelay: '10 ms', minSpacing: '15 ms', policy });
      r = this.reaction({ triggers: this.startup, effects: this.a }, () => {
        for (let i = 0; i < 3; i += 1) {
          this.a.schedule(0, i);
          clock.now += 2 * ms;
        }
      });
      onA = this.reaction({ triggers: this.a }, () => this.log(this.a.get()));
    }
    const main = new Main();
    await run(main, { clock, keepalive: false });
    t.deepEqual(main.trace, expected);
  });
}

test('a physical connection goes by the clock, and breaks a cycle', async t => {
  const clock = testClock();
  class Loop extends Reactor {
    in = this.input();
    out = this.output();
    n = 0;
    constructor(/** @type {any} */ main) {
      super(main);
      this.reaction({ triggers: [this.startup, this.in], effects: this.out }, () => {
        main.log(this.n);
        clock.now += 3 * ms;
        this.n += 1;
        if (this.n < 3) this.out.set(this.n);
      });
    }
  }
  for (const [options, expected] of /** @type {const} */ ([
    [{ physical: true }, ['0.0 0', '3.0 1', '6.0 2']],
    [{ physical: true, after: '1 ms' }, ['0.0 0', '4.0 1', '8.0 2']],
  ])) {
    clock.now = 0;
    class Main extends Traced {
      loop = new Loop(this);
      wire = this.connect(this.loop.out, this.loop.in, options);
    }
    const main = new Main();
    await run(main, { clock });
    t.deepEqual(main.trace, expected);
  }
});

test('a physical action wakes a program that sleeps', async t => {
  class Main extends Traced {
    far = this.timer('1 h');
    a = this.physicalAction();
    never = this.reaction({ triggers: this.far }, () => t.fail());
    r = this.reaction({ triggers: this.a }, () => {
      this.log(this.a.get());
      this.requestStop();
    });
    end = this.reaction({ triggers: this.shutdown }, () => this.log('end'));
  }
  const main = new Main();
  const program = new Program(main, { clock: systemClock() });
  t.true(program.keepalive, 'because it has a physical action');
  const ended = program.run();
  await new Promise(resolve => setTimeout(resolve, 5));
  main.a.schedule(0, 'hello');
  await ended;
  const [first, last] = main.trace;
  t.regex(first, /^[\d.]+\.0 hello$/);
  t.is(last, first.replace('.0 hello', '.1 end'));
});

test("physical time begins with the run, not when the program's reactors are made", async t => {
  let elapsedNs = Infinity;
  class Main extends Reactor {
    r = this.reaction({ triggers: this.startup }, () => {
      elapsedNs = this.util.getElapsedPhysicalTime();
    });
  }
  for (const fast of [false, true]) {
    const program = new Program(new Main(), { fast });
    await new Promise(resolve => setTimeout(resolve, 20));
    t.is(program.clock.nowNs(), 0);
    const startMs = performance.now();
    await program.run();
    t.true(elapsedNs <= (performance.now() - startMs) * 1e6 + 1, `${elapsedNs} ns`);
  }
});

test('a fast program lets others run from time to time', async t => {
  class Main extends Reactor {
    tick = this.timer(0, '1 ms');
    stop = this.physicalAction();
    r = this.reaction({ triggers: this.stop }, () => this.requestStop());
    spin = this.reaction({ triggers: this.tick }, () => {});
  }
  const main = new Main();
  setTimeout(() => main.stop.schedule(), 1);
  const { counts } = await run(main, { fast: true });
  t.true(counts.tags > 1);
});

test('absolute times are bigints, elapsed times numbers', async t => {
  const clock = testClock();
  class Main extends Reactor {
    tick = this.timer('2 ms');
    /** @type {any[]} */
    got = [];
    r = this.reaction({ triggers: this.tick }, () => {
      clock.now += 7;
      const { util } = this;
      this.got = [
        util.getStartTime(),
        util.getCurrentLogicalTime(),
        util.getCurrentPhysicalTime(),
        util.getElapsedLogicalTime(),
        util.getElapsedPhysicalTime(),
      ];
    });
  }
  const main = new Main();
  const startTime = 1_700_000_000_000_000_000n;
  await run(main, { clock, startTime });
  t.deepEqual(main.got, [
    startTime,
    startTime + 2_000_000n,
    startTime + 2_000_007n,
    2_000_000,
    2_000_007,
  ]);
});
