// After Timers, TimerIsPresent, TimerDefaults, TimerPeriodic, TimeLimit, PeriodicTask, Hello of Lingua Franca.

import test from 'ava';
import { Reactor, Timer, runFast } from '../index.js';
import { Traced } from './helpers.js';

/** @import { InPort } from '../index.js' */

for (const { name, offset, period, expected } of [
  { name: 'a timer without offset and period comes once, at the start', expected: ['0.0'] },
  { name: 'an offset alone comes once', offset: '3 ms', expected: ['3.0'] },
  { name: 'a period begins at the start', period: '4 ms', expected: ['0.0', '4.0', '8.0'] },
  {
    name: 'a period begins at the offset',
    offset: '1 ms',
    period: '5 ms',
    expected: ['1.0', '6.0'],
  },
  { name: 'a timer comes at the timeout itself', period: '5 ms', expected: ['0.0', '5.0', '10.0'] },
  { name: 'a timer beyond the timeout never comes', offset: '11 ms', expected: [] },
]) {
  test(name, t => {
    class Main extends Traced {
      tick = this.timer(offset, period);
      r = this.reaction({ triggers: this.tick }, () => this.log());
    }
    const main = new Main();
    runFast(main, { timeout: '10 ms' });
    t.deepEqual(main.trace, expected);
  });
}

test('timers are present together, each at its own times', t => {
  class Main extends Traced {
    a = this.timer(0, '2 ms');
    b = this.timer('1 ms', '1 ms');
    c = this.timer('3 ms');
    r = this.reaction({ triggers: [this.a, this.b, this.c] }, () =>
      this.log(...[this.a, this.b, this.c].map(timer => Number(timer.isPresent()))),
    );
  }
  const main = new Main();
  runFast(main, { timeout: '4 ms' });
  t.deepEqual(main.trace, ['0.0 1 0 0', '1.0 0 1 0', '2.0 1 1 0', '3.0 0 1 1', '4.0 1 1 0']);
});

test('a timer that is present gives its tag, as in reactor-ts', t => {
  class Main extends Reactor {
    tick = new Timer(this, '1 ms');
    /** @type {any} */
    tag;
    r = this.reaction({ triggers: this.tick }, () => {
      this.tag = this.tick.get();
    });
  }
  const main = new Main();
  runFast(main);
  t.deepEqual(main.tag, { timeNs: 1_000_000, microstep: 0 });
});

test('a timer with a period of 1 ns ticks once a nanosecond', t => {
  class Clock extends Reactor {
    y = this.output();
    tick = this.timer(0, 1);
    i = 0;
    r = this.reaction({ triggers: this.tick, effects: this.y }, () => {
      this.i += 1;
      this.y.set(this.i);
    });
  }
  class Destination extends Reactor {
    /** @type {InPort<any>} */
    x = this.input();
    last = 0;
    r = this.reaction({ triggers: this.x }, () => {
      t.is(this.x.get(), this.last + 1);
      this.last = this.x.get();
    });
  }
  class Main extends Reactor {
    clock = new Clock(this);
    d = new Destination(this);
    wire = this.connect(this.clock.y, this.d.x);
  }
  const main = new Main();
  const program = runFast(main, { timeout: 1000 });
  t.is(main.d.last, 1001);
  t.like(program.counts, { tags: 1001, reactions: 2002, events: 1001, portWrites: 1001 });
  t.is(program.tag, '1000ns.0');
});

for (const [text, message] of /** @type {const} */ ([
  ['10 parsecs', /^Main: the period of a timer: "10 parsecs" is not a duration/],
  [-1, /^Main: the period of a timer: -1 is not a duration/],
  [0.5, /^Main: the period of a timer: 0.5 is not a duration/],
  [null, /^Main: the period of a timer: null is not a duration/],
])) {
  test(`a period of ${text} is refused`, t => {
    class Main extends Reactor {
      tick = this.timer(0, /** @type {any} */ (text));
    }
    t.throws(() => new Main(), { message });
  });
}
