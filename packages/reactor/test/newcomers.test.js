// Mistakes of somebody who writes a first program: each is an error that says what to write instead.

import test from 'ava';
import { Reactor, runFast } from '../index.js';

class Stage extends Reactor {
  in = this.input();
  out = this.output();
}

/** Without its container. */
class Forgetful extends Reactor {
  /** @param {any} container @param {number} size */
  constructor(container, size) {
    super();
    this.size = [container, size];
  }
}

/** @type {any} */
const nothing = undefined;

for (const [
  name,
  build,
  message,
  options,
] of /** @type {[string, (main: any) => void, string, any?][]} */ ([
  [
    'an unknown option of a connection',
    main => main.connect(main.a.out, main.b.in, { aftr: '1 ms' }),
    'Main: a connection: there is no option "aftr"; did you mean "after"?',
  ],
  [
    'an unknown option of a reaction',
    main => main.reaction({ trigger: main.t }, () => {}),
    'Main: a reaction: there is no option "trigger"; did you mean "triggers"?',
  ],
  [
    'an unknown option of a mutation',
    main => main.mutation({ triggers: main.t, effect: main.act }, () => {}),
    'Main: a reaction: there is no option "effect"; did you mean "effects"?',
  ],
  [
    'an unknown option of an action',
    main => main.action({ mindelay: '1 ms' }),
    'Main: a logical action: there is no option "mindelay"; did you mean "minDelay"?',
  ],
  [
    'an unknown option of a physical action',
    main => main.physicalAction({ delay: 1 }),
    'Main: a physical action: there is no option "delay"; it takes minDelay, minSpacing, policy, mode',
  ],
  [
    'an unknown option of a mode',
    main => main.mode({ inital: true }),
    'a mode: there is no option "inital"; did you mean "initial"?',
  ],
  [
    'an unknown option of a program',
    () => {},
    'a program: there is no option "timeot"; did you mean "timeout"?',
    { timeot: '1 ms' },
  ],
  [
    'options that are no object',
    main => main.connect(main.a.out, main.b.in, '1 ms'),
    'Main: a connection: its options are "1 ms"; give an object, with any of after, physical, repeat, partial, mode',
  ],
  [
    'a timer with options',
    main => main.timer({ period: 1 }),
    'Main: the offset of a timer: {"period":1} is not a duration; write one like "10 ms"',
  ],
  [
    'a mode of a timer that is none',
    main => main.timer(0, 1, main.a),
    'Main: the mode of a timer is a Timed; give a mode of the reactor',
  ],
  [
    'a trigger that is made later',
    main => main.reaction({ triggers: main.later }, () => {}),
    'r0: its triggers are undefined; fields are made in order, so make what triggers it first',
  ],
  [
    'a reaction without triggers',
    main => main.reaction({ effects: main.act }, () => {}),
    'r0: it has no triggers, so it would never run; name what it reacts to, or write "triggers: []"',
  ],
  [
    'a reaction without options',
    main => main.reaction(() => {}),
    'Main: a reaction is made of a Function; give its triggers and the like, then its body',
  ],
  [
    'a trigger in place of the options',
    main => main.reaction(main.t, () => {}),
    'Main: a reaction is made of t; give its triggers and the like, then its body',
  ],
  [
    'an async body',
    main => main.reaction({ triggers: main.t }, async () => {}),
    'r0: its body is async; a reaction is over when its body returns, so give a plain function, and schedule a physical ' +
      'action when something is done later',
  ],
  [
    'an async handler of a deadline',
    main => main.reaction({ triggers: main.t, deadline: 0, late: async () => {} }, () => {}),
    'r0: its body is async; a reaction is over when its body returns, so give a plain function, and schedule a physical ' +
      'action when something is done later',
  ],
  [
    'a body that is a generator',
    main => main.reaction({ triggers: main.t }, function* body() {}),
    'r0: its body is a generator; a reaction is over when its body returns, so give a plain function, and schedule a ' +
      'physical action when something is done later',
  ],
  [
    'a body that returns a promise',
    main => main.reaction({ triggers: main.t }, () => Promise.resolve()),
    'r0 failed at 0ns.0: r0: its body returned a promise; a reaction is over when its body returns, so nothing waits for ' +
      'it. Give a body that returns nothing, as "() => { … }" does',
  ],
  [
    'a handler that returns a thenable',
    main =>
      main.reaction({ triggers: main.t, deadline: 0, late: () => ({ then: () => {} }) }, () => {}),
    'r0 failed at 0ns.0: r0: its body returned a promise; a reaction is over when its body returns, so nothing waits for ' +
      'it. Give a body that returns nothing, as "() => { … }" does',
  ],
  [
    'a reactor without its container',
    main => {
      main.lost = new Stage();
    },
    'lost was made without its container, so it is no part of the program; write new Stage(this), and let a constructor ' +
      'of its own call super(container)',
  ],
  [
    'a constructor that forgets the container',
    main => {
      main.lists = [[new Forgetful(main, 3)]];
    },
    'lists[0][0] was made without its container, so it is no part of the program; write new Forgetful(this), and let a ' +
      'constructor of its own call super(container)',
  ],
  [
    'a width that is not there yet',
    main => main.inputs(nothing),
    "Main: a multiport's width is a whole number from 0, got undefined; fields are made before the constructor's body runs, " +
      'so a part that depends on a parameter is made in the body',
  ],
  [
    'a bank of a width that is not there yet',
    main => main.bank(nothing, Stage),
    "a bank of Stage: its width is a whole number from 0, got undefined; fields are made before the constructor's body " +
      'runs, so a part that depends on a parameter is made in the body',
  ],
  [
    'a width beyond all measure',
    main => main.inputs(2 ** 31),
    "Main: a multiport's width is at most 1048576, got 2147483648",
  ],
  [
    'a bank beyond all measure',
    main => main.bank(2 ** 40, Stage),
    'a bank of Stage: its width is at most 1048576, got 1099511627776',
  ],
  [
    'a reactor that lies too deep',
    main => {
      for (let i = 0; i < 100_000; i += 1) main = new Stage(main);
    },
    'Stage: reactors lie in each other at most 500 deep; this one would be deeper',
  ],
  [
    'a bank whose arguments are swapped',
    main => main.bank(Stage, 2),
    'a bank: its members are made from 2; give a width, then a class that extends Reactor',
  ],
  [
    'a port that the members of a bank do not have',
    main => main.bank(2, Stage).port('inn'),
    'a bank of Stage: there is no port "inn"; its members have in, out; did you mean "in"?',
  ],
  [
    'a mode as an effect',
    main => main.reaction({ triggers: main.t, effects: main.B }, () => {}),
    'r0: effect B is a mode, which can be entered in two ways; name B.reset or B.history, and enter it by its set()',
  ],
  [
    'a mode that is set itself',
    main => main.reaction({ triggers: main.t, effects: main.B.reset }, () => main.B.set()),
    'r0 failed at 0ns.0: B cannot be set itself; enter it by B.reset.set() or B.history.set(), and name the same among ' +
      'the effects of the reaction',
  ],
  [
    'a timer that is deleted',
    main => main.reaction({ triggers: main.t }, () => main.delete(main.a.clock)),
    'r0 failed at 0ns.0: r0 deletes a.clock, which is no reactor; give a reactor that is directly in Main',
  ],
  [
    'a port that is deleted',
    main => main.mutation({ triggers: main.t }, () => main.delete(main.a.in)),
    'm0 failed at 0ns.0: m0 deletes a.in, which is no reactor; give a reactor that is directly in Main',
  ],
  [
    'a mode that is deleted',
    main => main.reaction({ triggers: main.t }, () => main.delete(main.B)),
    'r0 failed at 0ns.0: r0 deletes B, which is no reactor; give a reactor that is directly in Main',
  ],
])) {
  test(`${name} is an error`, t => {
    class Timed extends Stage {
      clock = this.timer(0, 1);
    }
    class Main extends Reactor {
      t = this.timer(0, 1);
      act = this.action();
      A = this.mode({ initial: true });
      B = this.mode();
      a = new Timed(this);
      b = new Stage(this);
      constructor() {
        super();
        build(this);
      }
    }
    t.throws(() => runFast(new Main(), { timeout: 2, ...options }), { message, name: 'UserError' });
  });
}

test('a reaction may have an empty list of triggers, and never runs', t => {
  class Main extends Reactor {
    r = this.reaction({ triggers: [] }, () => t.fail());
  }
  t.notThrows(() => runFast(new Main()));
});

test('parameters are set before what depends on them is made', t => {
  class Sum extends Reactor {
    out = this.output();

    /** @param {any} container @param {number} width */
    constructor(container, width) {
      super(container);
      this.in = this.inputs(width);
      this.reaction({ triggers: this.in, effects: this.out }, () => this.out.set(this.in.width));
    }
  }
  /** @type {unknown[]} */
  const seen = [];
  class Main extends Reactor {
    sum = new Sum(this, 4);
    start = this.reaction({ triggers: this.startup, effects: this.sum.in }, () =>
      this.sum.in.set(3, 1),
    );
    r = this.reaction({ triggers: this.sum.out }, () => seen.push(this.sum.out.get()));
  }
  runFast(new Main());
  t.deepEqual(seen, [4]);
});
