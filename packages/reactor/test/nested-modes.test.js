// Modes in modes, resets, and transitions of one tag.

import test from 'ava';
import { Reactor, runFast } from '../index.js';
import { Traced } from './helpers.js';
import { traceOf, stepping, TwoModes } from './mode-programs.js';

test('a reset sets nested modes back to their initial ones, history does not', t => {
  for (const kind of /** @type {const} */ (['reset', 'history'])) {
    class Inner extends Reactor {
      a = this.mode({ initial: true });
      b = this.mode();
      t = this.timer('10 ms', 0, this.a);
      tb = this.timer(0, '400 ms', this.b);
      constructor(/** @type {any} */ mode, /** @type {any} */ main) {
        super(mode);
        this.reaction({ mode: this.a, triggers: this.t, effects: this.b.reset }, () => {
          main.log('a to b');
          this.b.reset.set();
        });
        this.reaction({ mode: this.b, triggers: this.tb }, () => main.log('b'));
        this.reaction({ triggers: this.reset }, () => main.log('inner reset'));
      }
    }
    class Modal extends Reactor {
      next = this.input();
      one = this.mode({ initial: true });
      two = this.mode();
      constructor(/** @type {any} */ main) {
        super(main);
        this.inner = new Inner(this.one, main);
        this.reaction({ mode: this.one, triggers: this.next, effects: this.two.history }, () =>
          this.two.history.set(),
        );
        this.reaction({ mode: this.two, triggers: this.next, effects: this.one[kind] }, () =>
          this.one[kind].set(),
        );
      }
    }
    t.deepEqual(
      traceOf(
        stepping(main => new Modal(main)),
        { timeout: '2500 ms' },
      ),
      kind === 'reset'
        ? [
            '10.0 a to b',
            '10.1 b',
            '410.0 b',
            '810.0 b',
            '2000.1 inner reset',
            '2010.0 a to b',
            '2010.1 b',
            '2410.0 b',
          ]
        : ['10.0 a to b', '10.1 b', '410.0 b', '810.0 b', '2210.0 b'],
    );
  }
});

test('reactors deeper in a mode stand still with it, too', t => {
  class Leaf extends Reactor {
    tick = this.timer('100 ms', '700 ms');
    a = this.action({ minDelay: '50 ms' });
    constructor(/** @type {any} */ container, /** @type {any} */ main) {
      super(container);
      this.reaction({ triggers: this.tick, effects: this.a }, () => this.a.schedule());
      this.reaction({ triggers: this.a }, () => main.log('leaf'));
      this.reaction({ triggers: this.shutdown }, () => main.log('end'));
    }
  }
  class Shell extends Reactor {
    constructor(/** @type {any} */ mode, /** @type {any} */ main) {
      super(mode);
      this.leaf = new Leaf(this, main);
    }
  }
  class Modal extends TwoModes {
    constructor(/** @type {any} */ main) {
      super(main);
      this.a = new Shell(this.one, main);
      this.b = new Shell(this.two, main);
    }
  }
  t.deepEqual(
    traceOf(
      stepping(main => new Modal(main), '500 ms'),
      { timeout: '1600 ms' },
    ),
    [
      '150.0 leaf',
      '500.0 to two',
      '650.0 leaf',
      '1000.0 to one',
      '1350.0 leaf',
      '1500.0 to two',
      '1600.0 end',
      '1600.0 end',
    ],
  );
});

test('the last transition of a tag counts', t => {
  class Main extends Traced {
    one = this.mode({ initial: true });
    two = this.mode();
    three = this.mode();
    r1 = this.reaction(
      { mode: this.one, triggers: this.startup, effects: [this.two.reset, this.three.reset] },
      () => {
        this.two.reset.set();
        this.three.reset.set();
      },
    );
    r2 = this.reaction({ mode: this.two, triggers: this.startup }, () => this.log('two'));
    r3 = this.reaction({ mode: this.three, triggers: this.startup }, () => this.log('three'));
  }
  t.deepEqual(traceOf(new Main()), ['0.1 three']);
});

test('a reactor with modes has one initial mode', t => {
  class Main extends Reactor {
    one = this.mode();
    two = this.mode();
  }
  t.throws(() => runFast(new Main()), {
    message: 'Main: 0 of its 2 modes are initial; one of them has to be',
  });
});

test('a mode is entered by what is declared', t => {
  class Main extends Reactor {
    one = this.mode({ initial: true });
    two = this.mode();
    r = this.reaction({ triggers: this.startup, effects: this.two.reset }, () =>
      this.two.history.set(),
    );
  }
  t.throws(() => runFast(new Main()), {
    message:
      "r failed at 0ns.0: r enters two by history, which it did not declare; add the mode's history to the effects of the reaction",
  });
});
