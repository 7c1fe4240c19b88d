// After Timeout, TimeoutZero, Stop, StopZero, RequestStop, StopTimeoutExact, StopTopology, StopIdempotence, StopCleanup,
// StopDuringStartup, StopNoEvent, Starvation, StarveZero, ShutdownSync, SubclassesAndStartup, Hierarchical startup and
// shutdown, PhysicalActionWithKeepalive of Lingua Franca.

import test from 'ava';
import { Program, Reactor, run, runFast } from '../index.js';
import { Traced, testClock } from './helpers.js';

test('events at the timeout run, and shutdown with them', t => {
  class Main extends Traced {
    tick = this.timer(0, '1 ms');
    a = this.action();
    r = this.reaction({ triggers: this.tick, effects: this.a }, () => {
      this.log('tick');
      this.a.schedule();
    });
    later = this.reaction({ triggers: this.a }, () => this.log('a'));
    end = this.reaction({ triggers: this.shutdown }, () => this.log('shutdown'));
  }
  const main = new Main();
  const program = runFast(main, { timeout: '2 ms' });
  t.deepEqual(main.trace, ['0.0 tick', '0.1 a', '1.0 tick', '1.1 a', '2.0 tick', '2.0 shutdown']);
  t.is(program.tag, '2000000ns.0');
  t.false(program.step(), 'nothing comes after the last tag');
});

test('what comes before the timeout does not depend on it', t => {
  /** @param {number} timeout */
  const seen = timeout => {
    class Main extends Traced {
      A = this.mode({ initial: true });
      B = this.mode();
      spaced = this.action({ minSpacing: 6, policy: 'drop' });
      begin = this.timer(4);
      there = this.timer(10);
      back = this.timer(11);
      tick = this.timer(2, 30, this.A);
      r = this.reaction({ triggers: this.begin, effects: this.spaced }, () => {
        this.spaced.schedule(12, 'after the timeout of 15');
        this.spaced.schedule(9, 'too close to it');
      });
      r2 = this.reaction({ triggers: this.spaced }, () => this.log(this.spaced.get()));
      leave = this.reaction({ triggers: this.there, effects: this.B.reset }, () =>
        this.B.reset.set(),
      );
      enter = this.reaction({ triggers: this.back, effects: this.A.reset }, () =>
        this.A.reset.set(),
      );
      inA = this.reaction({ mode: this.A, triggers: this.tick }, () => this.log('tick'));
    }
    const main = new Main();
    runFast(main, { timeout, keepalive: true });
    return main.trace.filter(line => Number.parseFloat(line) * 1e6 < 15);
  };
  // The tick after the first one comes after the timeout of 15; the reset at 11 brings one at 13.
  t.deepEqual(seen(15), ['0.000002.0 tick', '0.000013.0 tick']);
  t.deepEqual(seen(15), seen(100));
});

test('a timeout of 0 is startup and shutdown at one tag', t => {
  class Main extends Traced {
    tick = this.timer(0, '1 ms');
    r = this.reaction({ triggers: [this.startup, this.shutdown, this.tick] }, () =>
      this.log(this.startup.isPresent(), this.tick.isPresent(), this.shutdown.isPresent()),
    );
  }
  const main = new Main();
  runFast(main, { timeout: 0 });
  t.deepEqual(main.trace, ['0.0 true true true']);
});

test('requestStop lets the present tag and the next microstep run', t => {
  class Main extends Traced {
    tick = this.timer(0, '1 ms');
    a = this.action();
    b = this.action({ minDelay: '1 ms' });
    r1 = this.reaction({ triggers: this.tick, effects: [this.a, this.b] }, () => {
      this.log('r1');
      this.a.schedule();
      this.b.schedule();
      if (this.util.getElapsedLogicalTime() === 2_000_000) this.requestStop();
    });
    r2 = this.reaction({ triggers: this.tick }, () => this.log('r2'));
    onA = this.reaction({ triggers: this.a, effects: this.a }, () => {
      this.log('a');
      if (this.util.getElapsedLogicalTime() === 2_000_000) this.a.schedule();
    });
    end = this.reaction({ triggers: this.shutdown }, () => this.log('shutdown'));
  }
  const main = new Main();
  runFast(main, { maxMicrosteps: 10 });
  t.deepEqual(main.trace.slice(-4), ['2.0 r1', '2.0 r2', '2.1 a', '2.1 shutdown']);
});

test('requestStop during startup stops at the next microstep', t => {
  class Main extends Traced {
    tick = this.timer('1 ms', '1 ms');
    r = this.reaction({ triggers: this.startup }, () => {
      this.requestStop();
      this.requestStop();
    });
    seen = this.reaction({ triggers: this.tick }, () => this.log('tick'));
    end = this.reaction({ triggers: this.shutdown }, () => {
      this.log('shutdown');
      // Too late to change anything.
      this.requestStop();
    });
  }
  const main = new Main();
  t.is(runFast(main).tag, '0ns.1');
  t.deepEqual(main.trace, ['0.1 shutdown']);
});

test('a request at the timeout comes too late', t => {
  class Main extends Traced {
    tick = this.timer(0, '1 ms');
    r = this.reaction({ triggers: this.tick }, () => {
      if (this.util.getElapsedLogicalTime() === 1_000_000) this.requestStop();
    });
    end = this.reaction({ triggers: this.shutdown }, () => this.log('shutdown'));
  }
  const main = new Main();
  t.is(runFast(main, { timeout: '1 ms' }).tag, '1000000ns.0');
  t.deepEqual(main.trace, ['1.0 shutdown']);
});

test('a program without events starves one microstep after its last one', t => {
  class Main extends Traced {
    a = this.action();
    go = this.reaction({ triggers: this.startup, effects: this.a }, () => this.a.schedule('5 ms'));
    r = this.reaction({ triggers: this.a }, () => this.log('a'));
    end = this.reaction({ triggers: this.shutdown }, () => this.log('shutdown'));
  }
  const main = new Main();
  runFast(main);
  t.deepEqual(main.trace, ['5.0 a', '5.1 shutdown']);
});

test('a program in which nothing ever happens ends at microstep 1', t => {
  class Main extends Traced {
    end = this.reaction({ triggers: this.shutdown }, () => this.log('shutdown'));
  }
  const main = new Main();
  t.is(runFast(main).tag, '0ns.1');
  t.deepEqual(main.trace, ['0.1 shutdown']);
});

test('a timeout does not keep a program alive', t => {
  class Main extends Traced {
    tick = this.timer('1 ms');
    r = this.reaction({ triggers: this.tick }, () => this.log('tick'));
    end = this.reaction({ triggers: this.shutdown }, () => this.log('shutdown'));
  }
  const main = new Main();
  runFast(main, { timeout: '1 s' });
  t.deepEqual(main.trace, ['1.0 tick', '1.1 shutdown']);
});

test('keepalive with a timeout ends at the timeout', async t => {
  class Main extends Traced {
    tick = this.timer('1 ms');
    r = this.reaction({ triggers: this.tick }, () => this.log('tick'));
    end = this.reaction({ triggers: this.shutdown }, () => this.log('shutdown'));
  }
  for (const fast of [true, false]) {
    const main = new Main();
    await run(main, { timeout: '1 s', keepalive: true, fast, clock: testClock() });
    t.deepEqual(main.trace, ['1.0 tick', '1000.0 shutdown']);
  }
});

test('a program that is kept alive for ever cannot be run in one go', t => {
  t.throws(() => runFast(new Reactor(), { keepalive: true }), {
    message: 'a program that is kept alive has no end in one go; use run(), or call requestStop',
  });
});

test('shutdown runs in the order of dependencies', t => {
  class Stage extends Reactor {
    in = this.input();
    out = this.output();
    constructor(/** @type {any} */ main, /** @type {string} */ name) {
      super(main);
      this.reaction({ triggers: [this.in, this.shutdown], effects: this.out }, () => {
        main.log(name, this.in.get());
        this.out.set(name);
      });
    }
  }
  class Main extends Traced {
    c = new Stage(this, 'c');
    b = new Stage(this, 'b');
    a = new Stage(this, 'a');
    wires = this.connect([this.a.out, this.b.out], [this.b.in, this.c.in]);
  }
  const main = new Main();
  runFast(main);
  t.deepEqual(main.trace, ['0.1 a ', '0.1 b a', '0.1 c b']);
});

test('every reactor starts once, at the first tag, subclasses with their base', t => {
  class Base extends Reactor {
    constructor(/** @type {any} */ main, /** @type {string} */ name) {
      super(main);
      this.reaction({ triggers: this.startup }, () => main.log('base', name));
    }
  }
  class Derived extends Base {
    constructor(/** @type {any} */ main, /** @type {string} */ name) {
      super(main, name);
      this.reaction({ triggers: this.startup }, () => main.log('derived', name));
    }
  }
  class Main extends Traced {
    tick = this.timer(0, '1 ms');
    a = new Derived(this, 'a');
    b = new Base(this, 'b');
  }
  const main = new Main();
  runFast(main, { timeout: '2 ms' });
  t.deepEqual(main.trace, ['0.0 base a', '0.0 base b', '0.0 derived a']);
});

test('requestErrorStop ends the program, which then fails with its message', t => {
  class Main extends Traced {
    tick = this.timer(0, '1 ms');
    r = this.reaction({ triggers: this.tick }, () => this.util.requestErrorStop('no more paper'));
    end = this.reaction({ triggers: this.shutdown }, () => this.log('shutdown'));
  }
  const main = new Main();
  t.throws(() => runFast(main), { message: 'Main: no more paper' });
  t.deepEqual(main.trace, ['0.1 shutdown']);
});

test('more microsteps than are allowed are an error', t => {
  class Main extends Reactor {
    a = this.action();
    r = this.reaction({ triggers: [this.startup, this.a], effects: this.a }, () =>
      this.a.schedule(),
    );
  }
  t.throws(() => runFast(new Main(), { maxMicrosteps: 100 }), {
    message: 'more than 100 microsteps at 0 ns; an action or "after" without a delay may go round',
  });
});

test('a reaction that throws ends the program with its name and tag', t => {
  class Inner extends Reactor {
    tick = this.timer('3 ms');
    fail = this.reaction({ triggers: this.tick }, () => {
      throw Error('out of range');
    });
  }
  class Main extends Reactor {
    inner = new Inner(this);
  }
  const error = t.throws(() => runFast(new Main()));
  t.is(error?.message, 'inner.fail failed at 3000000ns.0: out of range');
  t.is(/** @type {any} */ (error)?.cause.message, 'out of range');
});

test('a program can run step by step', t => {
  class Main extends Traced {
    tick = this.timer(0, '1 ms');
    r = this.reaction({ triggers: this.tick }, () => this.log('tick'));
  }
  const main = new Main();
  const program = new Program(main, { timeout: '1 ms', fast: true });
  t.deepEqual(program.scheduler.nextTag(), { timeNs: 0, microstep: 0 });
  t.true(program.step());
  t.deepEqual(program.scheduler.nextTag(), { timeNs: 1_000_000, microstep: 0 });
  t.true(program.step());
  t.is(program.scheduler.nextTag(), undefined);
  t.false(program.step());
  t.deepEqual(main.trace, ['0.0 tick', '1.0 tick']);
});

test.serial(
  'a program without a bound says once that a million microsteps have passed, and goes on',
  t => {
    class Main extends Reactor {
      again = this.action();
      left = 1_000_005;
      r = this.reaction({ triggers: [this.startup, this.again], effects: this.again }, () => {
        this.left -= 1;
        if (this.left > 0) this.again.schedule();
      });
    }
    const { warn } = console;
    /** @type {string[]} */
    const said = [];
    console.warn = text => void said.push(text);
    try {
      t.is(runFast(new Main()).tag, '0ns.1000005');
      runFast(new Main(), { maxMicrosteps: 2_000_000 });
    } finally {
      console.warn = warn;
    }
    t.deepEqual(said, [
      '1000000 microsteps at 0 ns, and the program goes on; an action or "after" without a delay may go round, and ' +
        '"maxMicrosteps" ends such a program',
    ]);
  },
);
