// Watchdogs and events at named tags, as far as the programs of test/reactors do not show them.

import test from 'ava';
import { Program, Reactor, run, runFast } from '../index.js';
import { testClock } from './helpers.js';

/** @type {string[]} */
const noLines = [];

class Watched extends Reactor {
  seen = noLines.slice();
  tick = this.timer(0, 10);
  dog = this.watchdog(15, () => this.seen.push(`expired at ${this.util.getElapsedLogicalTime()}`));
  work = () => {};
  kick = this.reaction({ triggers: this.tick, effects: this.dog }, () => {
    this.work();
    this.dog.start();
  });
}

test('in a fast program physical time is logical time: what is started again in time does not expire', t => {
  const main = new Watched();
  const until = Date.now() + 5;
  main.work = () => {
    while (Date.now() < until);
  };
  runFast(main, { timeout: 40 });
  t.deepEqual(main.seen, []);
});

test('a reaction that comes late by the clock finds its watchdog expired', async t => {
  const clock = testClock();
  const main = new Watched();
  main.work = () => {
    if (main.util.getElapsedLogicalTime() === 20) clock.now = 26;
  };
  await run(main, { timeout: 40, clock });
  t.deepEqual(main.seen, ['expired at 25']);
});

test('a watchdog is an event to wait for', t => {
  class Main extends Reactor {
    /** @type {number[]} */
    seen = [];
    dog = this.watchdog(5, () => this.seen.push(this.util.getElapsedLogicalTime()));
    go = this.reaction({ triggers: this.startup, effects: this.dog }, () => this.dog.start('1 us'));
  }
  const main = new Main();
  t.is(runFast(main).tag, '1005ns.1');
  t.deepEqual(main.seen, [1005]);
});

test('a reaction that a watchdog triggers needs no handler, and may read it', t => {
  /** @type {unknown[]} */
  const seen = [];
  class Main extends Reactor {
    dog = this.watchdog(5, { sources: [] }, () => seen.push(this.dog.isPresent()));
    go = this.reaction({ triggers: this.startup, effects: this.dog }, () => {
      this.dog.stop();
      seen.push(this.dog.isRunning());
      this.dog.start();
      seen.push(this.dog.isRunning());
    });
    r = this.reaction({ triggers: this.dog }, () => seen.push(this.dog.isRunning()));
  }
  runFast(new Main());
  t.deepEqual(seen, [false, true, true, false]);
});

for (const [name, build, message] of /** @type {[string, (main: any) => void, string][]} */ ([
  [
    'a watchdog that was not declared as an effect',
    main => main.reaction({ triggers: main.startup }, () => main.dog.start()),
    'r1 failed at 0ns.0: r1 starts or stops dog, which it did not declare; add it to the effects of the reaction',
  ],
  [
    'a watchdog without a handler',
    main => main.watchdog(5, { effects: main.act }),
    'r1: its body is an Object; give a function',
  ],
  [
    'an unknown option of a watchdog',
    main => main.watchdog(5, { effect: main.act }, () => {}),
    'Main: a watchdog: there is no option "effect"; did you mean "effects"?',
  ],
  [
    'a timeout that is no duration',
    main => main.watchdog(-5, () => {}),
    'Main: the timeout of a watchdog: -5 is not a duration; write a number and ns, us, ms, s, min, h or d, at most 104 days',
  ],
  [
    'a tag that is over',
    main =>
      main.reaction({ triggers: main.startup, effects: main.act }, () =>
        main.act.scheduleAt({ timeNs: 0, microstep: 0 }),
      ),
    'r1 failed at 0ns.0: act was scheduled at 0ns.0, and it is 0ns.0; an action may not be scheduled into the past, or ' +
      'at the present tag',
  ],
  [
    'what is no tag',
    main =>
      main.reaction({ triggers: main.startup, effects: main.act }, () => main.act.scheduleAt(5)),
    'r1 failed at 0ns.0: act was scheduled at 5; give a tag like { timeNs: 5, microstep: 1 }',
  ],
  [
    'a microstep that is none',
    main =>
      main.reaction({ triggers: main.startup, effects: main.act }, () =>
        main.act.scheduleAt({ timeNs: 5, microstep: 2 ** 40 }),
      ),
    'r1 failed at 0ns.0: act was scheduled at microstep 1099511627776; a microstep is a whole number, at most 2147483647',
  ],
  [
    'a tag of a physical action',
    main =>
      main.reaction({ triggers: main.startup, effects: main.phys }, () =>
        main.phys.scheduleAt({ timeNs: 5 }),
      ),
    'r1 failed at 0ns.0: phys is a physical action, which takes its tag from the clock; a logical one is scheduled at a tag',
  ],
  [
    'a tag for an action that was not declared',
    main => main.reaction({ triggers: main.startup }, () => main.act.scheduleAt({ timeNs: 5 })),
    'r1 failed at 0ns.0: r1 schedules act, which it did not declare; add it to the effects of the reaction',
  ],
])) {
  test(`${name} is an error`, t => {
    class Main extends Reactor {
      act = this.action();
      phys = this.physicalAction();
      dog = this.watchdog(5, () => {});
      constructor() {
        super();
        build(this);
      }
    }
    t.throws(() => runFast(new Main()), { message, name: 'UserError' });
  });
}

test('a watchdog is not started from outside', t => {
  const main = new Watched();
  t.throws(() => main.dog.start(), {
    message: 'dog is used before its program runs, or in a reactor that was deleted',
  });
  new Program(main, { fast: true }).step();
  t.throws(() => main.dog.stop(), {
    message:
      'dog was started or stopped outside a reaction; a reaction that has it as an effect may',
  });
});

test('an event that an update moves from behind the end to before it comes', t => {
  /** @type {unknown[]} */
  const seen = [];
  class Main extends Reactor {
    a = this.action({ minSpacing: 5, policy: 'update' });
    go = this.reaction({ triggers: this.startup, effects: this.a }, () => {
      this.a.schedule(100, 'far');
      this.a.schedule(7, 'near');
    });
    r = this.reaction({ triggers: this.a }, () => seen.push(this.a.get()));
  }
  runFast(new Main(), { timeout: 50 });
  t.deepEqual(seen, ['near']);
});
