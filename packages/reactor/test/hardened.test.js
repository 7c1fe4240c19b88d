// In a hardened realm, where every prototype is frozen, and with no clock but the one that is given.

import '#testkit/lockdown.js';
import test from 'ava';
import { testClock } from './helpers.js';

/** @import { InPort } from '../index.js' */

test('programs run in a locked-down realm', async t => {
  const { Reactor, run, runFast } = await import('../index.js');
  class Child extends Reactor {
    /** @type {InPort<any>} */
    in = this.input();
    out = this.output();
    n = this.state(0);
    r = this.reaction({ triggers: this.in, effects: this.out }, () => {
      this.n.set(this.n.get() + this.in.get());
      this.out.set(harden({ sum: this.n.get() }));
    });
  }
  class Main extends Reactor {
    one = this.mode({ initial: true });
    two = this.mode();
    tick = this.timer(0, '1 ms');
    late = this.physicalAction({ minSpacing: '1 ms' });
    child = this.transient(Child, ['out']);
    wide = this.bank(3, Child);
    /** @type {any[]} */
    got = [];
    r0 = this.reaction({ triggers: this.tick, effects: [this.child, this.wide.port('in')] }, () => {
      this.child.spawn(this.util.getElapsedLogicalTime());
      for (const child of this.wide) child.in.set(1);
    });
    r1 = this.reaction({ triggers: this.child.out, effects: this.late }, () => {
      this.got.push(this.child.out.get().sum);
      this.late.schedule();
    });
    r2 = this.reaction(
      { mode: this.one, triggers: this.wide.port('out'), effects: this.two.reset },
      () => {
        this.got.push(...this.wide.port('out').map(port => port.get().sum));
        this.two.reset.set();
      },
    );
    m = this.mutation({ triggers: this.late }, () => {
      this.extra = new Child(this);
    });
  }
  for (const fast of [true, false]) {
    const main = new Main();
    await run(main, { timeout: '2 ms', fast, clock: testClock() });
    t.deepEqual(main.got, [0, 1, 1, 1, 1_000_000, 2_000_000]);
  }
  const main = new Main();
  runFast(main, { timeout: 0 });
  t.deepEqual(main.got, [0, 1, 1, 1]);
});
