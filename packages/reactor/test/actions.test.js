// After ActionDelay, Schedule, ScheduleLogicalAction, GetMicroStep, Microsteps, ScheduleTwice, DelayedActionDuplicate,
// LastTimeDefer, LastTimeDrop, LastTimeReplace, LastTimeUpdate, ActionIsPresent, ActionIsPresentReset, ActionValues,
// ActionValuesCleanup, ActionImplicitDelay, DoubleTrigger, DoubleInvocation of Lingua Franca.

import test from 'ava';
import { Action, Reactor, TimeValue, msec, runFast } from '../index.js';
import { Traced } from './helpers.js';

/**
 * A main reactor that schedules an action at startup (or by a timer) and notes when it comes.
 *
 * @param {import('../reactor.js').ActionOptions} options
 * @param {(a: Action<any>, step: number) => void} act
 * @param {{ every?: string }} [timer]
 */
const scheduling = (options, act, { every } = {}) => {
  class Main extends Traced {
    tick = this.timer(0, every ?? 0);
    a = this.action(options);
    step = 0;
    go = this.reaction({ triggers: this.tick, effects: this.a }, () => {
      act(this.a, this.step);
      this.step += 1;
    });
    seen = this.reaction({ triggers: this.a }, () => this.log(this.a.get()));
  }
  return new Main();
};

/** @typedef {{ name: string, options: any, act: (a: Action<any>) => void, expected: string[] }} Case */

/** @type {(main: Traced, options?: object) => string[]} */
const traceOf = (main, options) => {
  runFast(main, options);
  return main.trace;
};

for (const { name, options, act, expected } of /** @type {Case[]} */ ([
  {
    name: 'without delays an action comes at the next microstep',
    options: {},
    act: a => a.schedule(0, 'x'),
    expected: ['0.1 x'],
  },
  {
    name: 'the minimum delay is kept',
    options: { minDelay: '50 ms' },
    act: a => a.schedule(0, 'x'),
    expected: ['50.0 x'],
  },
  {
    name: 'the additional delay comes on top of the minimum delay',
    options: { minDelay: '100 ms' },
    act: a => a.schedule(msec(200), 'x'),
    expected: ['300.0 x'],
  },
  {
    name: 'a delay may be a text with a unit',
    options: {},
    act: a => a.schedule('1.5 ms', 'x'),
    expected: ['1.5.0 x'],
  },
  {
    name: 'an action that is scheduled twice for the next microstep piles up',
    options: {},
    act: a => {
      a.schedule(0, 1);
      a.schedule(0, 2);
      a.schedule(0, 3);
    },
    expected: ['0.1 1', '0.2 2', '0.3 3'],
  },
  {
    name: 'an action that is scheduled twice for one later time piles up',
    options: {},
    act: a => {
      a.schedule('5 ms', 1);
      a.schedule('5 ms', 2);
    },
    expected: ['5.0 1', '5.1 2'],
  },
  {
    name: 'events that are scheduled out of order come in the order of their times',
    options: {},
    act: a => {
      a.schedule('3 ms', 3);
      a.schedule('1 ms', 1);
      a.schedule('2 ms', 2);
      a.schedule('1 ms', 11);
    },
    expected: ['1.0 1', '1.1 11', '2.0 2', '3.0 3'],
  },
  {
    name: 'a spacing defers what comes too early, also behind an event that is later',
    options: { minSpacing: '10 ms' },
    act: a => {
      a.schedule('100 ms', 1);
      a.schedule('99 ms', 2);
      a.schedule('101 ms', 3);
    },
    expected: ['100.0 1', '110.0 2', '120.0 3'],
  },
  {
    name: 'a spacing of 0 piles up by the policy defer',
    options: { minSpacing: 0 },
    act: a => {
      a.schedule('100 ms', 1);
      a.schedule('100 ms', 2);
    },
    expected: ['100.0 1', '100.1 2'],
  },
  {
    name: 'a spacing of 0 drops the second event at one tag by the policy drop',
    options: { minSpacing: 0, policy: 'drop' },
    act: a => {
      a.schedule('100 ms', 1);
      a.schedule('100 ms', 2);
    },
    expected: ['100.0 1'],
  },
  {
    name: 'a spacing of 0 keeps the second value at one tag by the policy replace',
    options: { minSpacing: 0, policy: 'replace' },
    act: a => {
      a.schedule('100 ms', 1);
      a.schedule('100 ms', 2);
    },
    expected: ['100.0 2'],
  },
  {
    name: 'the policy update moves the pending event',
    options: { minSpacing: '10 ms', policy: 'update' },
    act: a => {
      a.schedule('100 ms', 1);
      a.schedule('95 ms', 2);
      a.schedule('103 ms', 3);
    },
    expected: ['103.0 3'],
  },
])) {
  test(name, t => {
    t.deepEqual(traceOf(scheduling(options, act)), expected);
  });
}

const every = { every: '100 ms' };
/** @type {(a: Action<any>, step: number) => void} */
const count = (a, step) => a.schedule(0, step);

for (const { policy, expected } of /** @type {const} */ ([
  { policy: 'defer', expected: ['1.0 0', '301.0 1', '601.0 2', '901.0 3'] },
  { policy: 'drop', expected: ['1.0 0', '301.0 3', '601.0 6', '901.0 9'] },
  { policy: 'replace', expected: ['1.0 0', '301.0 3', '601.0 6', '901.0 9'] },
  { policy: 'update', expected: ['1.0 0', '301.0 3', '601.0 6', '901.0 9'] },
])) {
  test(`an action every 100 ms with a spacing of 300 ms, policy ${policy}`, t => {
    const main = scheduling({ minDelay: '1 ms', minSpacing: '300 ms', policy }, count, every);
    t.deepEqual(traceOf(main, { timeout: '1 s' }), expected);
  });
}

test('an action may schedule itself, and counts microsteps', t => {
  class Main extends Traced {
    a = this.action();
    r = this.reaction({ triggers: [this.startup, this.a], effects: this.a }, () => {
      this.log('r');
      if (this.util.getCurrentTag().microstep < 3) this.a.schedule();
    });
  }
  t.deepEqual(traceOf(new Main()), ['0.0 r', '0.1 r', '0.2 r', '0.3 r']);
});

test('value and presence of an action are gone at the next tag', t => {
  class Main extends Traced {
    a = this.action();
    b = this.action();
    go = this.reaction({ triggers: this.startup, effects: [this.a, this.b] }, () => {
      this.a.schedule(0, 'a');
      this.b.schedule('1 ms');
      this.log(this.a.isPresent(), this.a.get());
    });
    seen = this.reaction({ triggers: [this.a, this.b] }, () =>
      this.log(this.a.isPresent(), this.a.get(), this.b.isPresent(), this.b.get()),
    );
  }
  t.deepEqual(traceOf(new Main()), ['0.0 false ', '0.1 true a false ', '1.0 false  true ']);
});

test('a reaction runs once a tag, however many of its triggers are present', t => {
  class Main extends Traced {
    t1 = this.timer(0, '1 ms');
    t2 = this.timer(0, '1 ms');
    a = this.action({ minDelay: '1 ms' });
    r = this.reaction(
      { triggers: [this.startup, this.t1, this.t2, this.a], effects: this.a },
      () => {
        this.a.schedule();
        this.log(this.t1.isPresent(), this.t2.isPresent(), this.a.isPresent());
      },
    );
  }
  t.deepEqual(traceOf(new Main(), { timeout: '2 ms' }), [
    '0.0 true true false',
    '1.0 true true true',
    '2.0 true true true',
  ]);
});

test('an action of reactor-ts works with the same lines', t => {
  class Main extends Traced {
    a = new Action(this, 'logical', TimeValue.msec(10));
    /** @type {number[]} */
    got = [];
    constructor() {
      super();
      this.addReaction([this.startup], [this.schedulable(this.a)], function (a) {
        a.schedule(0, 7);
      });
      this.addReaction([this.a], [this.a], a => this.log(a.get()));
    }
  }
  t.deepEqual(traceOf(new Main()), ['10.0 7']);
});

test('an event after the last tag is discarded', t => {
  class Main extends Traced {
    a = this.action();
    tick = this.timer('1 ms');
    go = this.reaction({ triggers: [this.startup, this.shutdown], effects: this.a }, () => {
      this.log('go');
      this.a.schedule('1 s');
      this.a.schedule(0);
    });
    seen = this.reaction({ triggers: this.a }, () => this.log('a'));
  }
  t.deepEqual(traceOf(new Main(), { timeout: '1 ms' }), ['0.0 go', '0.1 a', '1.0 go']);
});

test('an action of another reactor is refused as a trigger', t => {
  class Inner extends Reactor {
    a = this.action();
  }
  class Main extends Reactor {
    inner = new Inner(this);
    r = this.reaction({ triggers: this.inner.a }, () => {});
  }
  t.throws(() => new Main(), {
    message:
      'r0: trigger inner.a belongs to another reactor; actions, timers and modes are used in their own',
  });
});
