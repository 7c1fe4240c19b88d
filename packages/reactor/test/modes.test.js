// After ModalTimers, ModalActions, ModalAfter, ModalStartupShutdown, ModalStateReset, ModalStateResetAuto,
// BanksModalStateReset, ModalCycleBreaker, ModalNestedReactions, Count3Modes, ConvertCaseTest, MultipleOutputFeeder of
// Lingua Franca; the times are those of the traces there.

import test from 'ava';
import { Reactor, Timer } from '../index.js';
import { Traced } from './helpers.js';
import { traceOf, stepping, TwoModes } from './mode-programs.js';

/** @import { InPort } from '../index.js' */

test('timers stand still with their mode, go on after history, and begin anew after a reset', t => {
  class Modal extends TwoModes {
    t1 = this.timer(0, '750 ms', this.one);
    t2 = this.timer(0, '750 ms', this.two);
    r1 = this.reaction({ mode: this.one, triggers: this.t1 }, () => this.log('T1'));
    r2 = this.reaction({ mode: this.two, triggers: this.t2 }, () => this.log('T2'));
  }
  t.deepEqual(
    traceOf(
      stepping(main => new Modal(main)),
      { timeout: '4 s' },
    ),
    [
      '0.0 T1',
      '750.0 T1',
      '1000.0 to two',
      '1000.1 T2',
      '1750.0 T2',
      '2000.0 to one',
      '2500.0 T1',
      '3000.0 to two',
      '3000.1 T2',
      '3750.0 T2',
      '4000.0 to one',
    ],
  );
});

test('actions stand still with their mode, and are forgotten by a reset', t => {
  class Modal extends TwoModes {
    t1 = this.timer(0, '750 ms', this.one);
    a1 = this.action({ minDelay: '500 ms', mode: this.one });
    t2 = this.timer(0, '750 ms', this.two);
    a2 = this.action({ minDelay: '500 ms', mode: this.two });
    reactions = [
      this.reaction({ mode: this.one, triggers: this.t1, effects: this.a1 }, () => {
        this.log('T1');
        this.a1.schedule();
      }),
      this.reaction({ mode: this.one, triggers: this.a1 }, () => this.log('a1')),
      this.reaction({ mode: this.two, triggers: this.t2, effects: this.a2 }, () => {
        this.log('T2');
        this.a2.schedule();
      }),
      this.reaction({ mode: this.two, triggers: this.a2 }, () => this.log('a2')),
    ];
  }
  t.deepEqual(
    traceOf(
      stepping(main => new Modal(main)),
      { timeout: '4 s' },
    ),
    [
      '0.0 T1',
      '500.0 a1',
      '750.0 T1',
      '1000.0 to two',
      '1000.1 T2',
      '1500.0 a2',
      '1750.0 T2',
      '2000.0 to one',
      '2250.0 a1',
      '2500.0 T1',
      '3000.0 to two',
      '3000.0 a1',
      '3000.1 T2',
      '3500.0 a2',
      '3750.0 T2',
      '4000.0 to one',
    ],
  );
});

test('delayed connections and reactors in a mode stand still with it', t => {
  class Producer extends Reactor {
    product = this.output();
    constructor(/** @type {any} */ mode, /** @type {any} */ main, /** @type {number} */ id) {
      super(mode);
      this.t = new Timer(this, 0, '750 ms');
      this.reaction({ triggers: this.t, effects: this.product }, () => {
        main.log('produced', id);
        this.product.set(id);
      });
    }
  }
  class Consumer extends Reactor {
    product = this.input();
    constructor(/** @type {any} */ mode, /** @type {any} */ main) {
      super(mode);
      this.reaction({ triggers: this.product }, () => main.log('consumed', this.product.get()));
    }
  }
  class Modal extends TwoModes {
    constructor(/** @type {any} */ main) {
      super(main);
      [this.one, this.two].forEach((mode, i) => {
        const producer = new Producer(mode, main, i + 1);
        const consumer = new Consumer(mode, main);
        this.connect(producer.product, consumer.product, { mode, after: '500 ms' });
      });
    }
  }
  t.deepEqual(
    traceOf(
      stepping(main => new Modal(main)),
      { timeout: '4 s' },
    ).sort(),
    [
      '0.0 produced 1',
      '500.0 consumed 1',
      '750.0 produced 1',
      '1000.0 to two',
      '1000.1 produced 2',
      '1500.0 consumed 2',
      '1750.0 produced 2',
      '2000.0 to one',
      '2250.0 consumed 1',
      '2500.0 produced 1',
      '3000.0 to two',
      '3000.0 consumed 1',
      '3000.1 produced 2',
      '3500.0 consumed 2',
      '3750.0 produced 2',
      '4000.0 to one',
    ].sort(),
  );
});

test('a mode starts once, when it is first entered, and ends only if it started', t => {
  class Modal extends Reactor {
    next = this.input();
    m1 = this.mode({ initial: true });
    m2 = this.mode();
    m3 = this.mode();
    m4 = this.mode();
    m5 = this.mode();
    constructor(/** @type {any} */ main) {
      super(main);
      const { startup, shutdown, reset, next } = this;
      const note = (
        /** @type {import('../index.js').Mode} */ mode,
        /** @type {any} */ trigger,
        /** @type {string} */ text,
      ) => this.reaction({ mode, triggers: trigger }, () => main.log(text));
      const go = (
        /** @type {import('../index.js').Mode} */ from,
        /** @type {import('../index.js').Mode} */ to,
        /** @type {string} */ text,
      ) =>
        this.reaction({ mode: from, triggers: next, effects: to.reset }, () => {
          main.log(text);
          to.reset.set();
        });
      note(this.m1, startup, 'startup 1');
      go(this.m1, this.m2, 'to 2');
      note(this.m2, startup, 'startup 2');
      go(this.m2, this.m3, 'to 3');
      note(this.m2, shutdown, 'shutdown 2');
      go(this.m3, this.m4, 'to 4');
      note(this.m3, shutdown, 'shutdown 3');
      note(this.m4, startup, 'startup 4');
      note(this.m4, reset, 'reset 4');
      go(this.m4, this.m4, 'to 4');
      note(this.m4, shutdown, 'shutdown 4');
      note(this.m5, startup, 'startup 5');
      note(this.m5, reset, 'reset 5');
      note(this.m5, shutdown, 'shutdown 5');
    }
  }
  t.deepEqual(
    traceOf(
      stepping(main => new Modal(main), '500 ms'),
      { timeout: '3 s' },
    ),
    [
      '0.0 startup 1',
      '500.0 to 2',
      '500.1 startup 2',
      '1000.0 to 3',
      '1500.0 to 4',
      '1500.1 startup 4',
      '1500.1 reset 4',
      '2000.0 to 4',
      '2000.1 reset 4',
      '2500.0 to 4',
      '2500.1 reset 4',
      '3000.0 shutdown 2',
      '3000.0 shutdown 3',
      '3000.0 to 4',
      '3000.0 shutdown 4',
    ],
  );
});

for (const byItself of [false, true]) {
  test(`state of a mode is set back by a reset, ${byItself ? 'by itself' : 'in a reaction'}, and kept by history`, t => {
    class Modal extends TwoModes {
      counter0 = 0;
      counter1 = this.state(0, this.one);
      counter2 = this.state(-2, byItself ? this.two : this.one);
      t1 = this.timer(0, '250 ms', this.one);
      t2 = this.timer(0, '250 ms', this.two);
      reactions = [
        this.reaction({ triggers: this.next }, () => {
          this.log('count0', this.counter0);
          this.counter0 += 1;
        }),
        this.reaction({ mode: this.two, triggers: this.reset }, () => {
          if (!byItself) this.counter2.set(-2);
        }),
        this.reaction({ mode: this.one, triggers: this.t1 }, () => {
          this.counter1.set(this.counter1.get() + 1);
        }),
        this.reaction({ mode: this.two, triggers: this.t2 }, () => {
          this.counter2.set(this.counter2.get() + 1);
        }),
        this.reaction({ triggers: this.shutdown }, () =>
          this.log(this.counter1.get(), this.counter2.get()),
        ),
      ];
    }
    // One runs from 0 to 1 s and from 2 s to 3 s: 5 and 4 counts. Two runs from 3 s to 4 s: 5 counts from -2.
    t.deepEqual(
      traceOf(
        stepping(main => new Modal(main)),
        { timeout: '4 s' },
      ).filter(x => !x.includes('to')),
      ['1000.0 count0 0', '2000.0 count0 1', '3000.0 count0 2', '4000.0 count0 3', '4000.0 9 3'],
    );
  });
}

test('reactions of different modes are no cycle, though their order would make one', t => {
  class Modal extends Reactor {
    /** @type {InPort<any>} */
    in1 = this.input();
    in2 = this.input();
    out = this.output();
    two = this.mode();
    one = this.mode({ initial: true });
    wait = this.timer('150 ms', '1 s', this.two);
    reactions = [
      this.reaction({ mode: this.two, triggers: this.in2 }, () => {}),
      this.reaction({ mode: this.two, triggers: this.wait, effects: this.one.reset }, () =>
        this.one.reset.set(),
      ),
      this.reaction({ mode: this.one, triggers: this.in1, effects: this.out }, () =>
        this.out.set(this.in1.get()),
      ),
      this.reaction({ mode: this.one, triggers: this.in1, effects: this.two.reset }, () => {
        if (this.in1.get() % 5 === 4) this.two.reset.set();
      }),
    ];
  }
  class Main extends Traced {
    tick = this.timer(0, '100 ms');
    modal = new Modal(this);
    count = 0;
    wire = this.connect(this.modal.out, this.modal.in2);
    r1 = this.reaction({ triggers: this.tick, effects: this.modal.in1 }, () => {
      this.modal.in1.set(this.count);
      this.count += 1;
    });
    r2 = this.reaction({ triggers: this.modal.out }, () => this.log(this.modal.out.get()));
  }
  t.deepEqual(traceOf(new Main(), { timeout: '950 ms' }), [
    '0.0 0',
    '100.0 1',
    '200.0 2',
    '300.0 3',
    '400.0 4',
    '600.0 6',
    '700.0 7',
    '800.0 8',
    '900.0 9',
  ]);
});

test('one output may have a connection in each of several modes', t => {
  class Feeder extends Reactor {
    out = this.output();
    constructor(/** @type {any} */ mode, /** @type {string} */ name) {
      super(mode);
      this.t = this.timer('100 ms', '300 ms');
      this.reaction({ triggers: this.t, effects: this.out }, () => this.out.set(name));
    }
  }
  class Modal extends TwoModes {
    out = this.output();
    a = new Feeder(this.one, 'a');
    b = new Feeder(this.two, 'b');
    wires = [
      this.connect(this.a.out, this.out, { mode: this.one }),
      this.connect(this.b.out, this.out, { mode: this.two }),
    ];
  }
  class Main extends Traced {
    stepper = this.timer('500 ms', '500 ms');
    modal = new Modal(this);
    r1 = this.reaction({ triggers: this.stepper, effects: this.modal.next }, () =>
      this.modal.next.set(true),
    );
    r2 = this.reaction({ triggers: this.modal.out }, () => this.log(this.modal.out.get()));
  }
  t.deepEqual(traceOf(new Main(), { timeout: '1400 ms' }), [
    '100.0 a',
    '400.0 a',
    '500.0 to two',
    '600.0 b',
    '900.0 b',
    '1000.0 to one',
    '1200.0 a',
  ]);
});

test('a reactor runs through three modes in turn', t => {
  class Counter extends Reactor {
    next = this.input();
    modes = [this.mode({ initial: true }), this.mode(), this.mode()];
    constructor(/** @type {any} */ main) {
      super(main);
      this.modes.forEach((mode, i) => {
        const then = this.modes[(i + 1) % 3];
        this.reaction({ mode, triggers: this.next, effects: then.history }, () => {
          main.log(i + 1);
          then.history.set();
        });
      });
    }
  }
  t.deepEqual(
    traceOf(
      stepping(main => new Counter(main)),
      { timeout: '5 s' },
    ),
    ['1000.0 1', '2000.0 2', '3000.0 3', '4000.0 1', '5000.0 2'],
  );
});
