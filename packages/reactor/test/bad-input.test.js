import test from 'ava';
import { Action, InPort, Program, Reactor, runFast } from '../index.js';
import { hours, minutes, msec, nsec, sec, usec } from '../index.js';

class Inner extends Reactor {
  in = this.input();
  out = this.output();
  wide = this.inputs(3);
  wideOut = this.outputs(3);
}

/**
 * @param {(main: Main) => void} build
 */
const failing = build => {
  class Built extends Main {
    constructor() {
      super();
      build(this);
    }
  }
  return () => runFast(new Built());
};

class Main extends Reactor {
  /** @type {any} */
  missing = undefined;
  in = this.input();
  out = this.output();
  act = this.action();
  a = new Inner(this);
  b = new Inner(this);
}

for (const [name, build, message] of /** @type {[string, (main: Main) => void, string][]} */ ([
  [
    'two sources on one input',
    main => {
      main.connect(main.a.out, main.b.in);
      main.connect(main.in, main.b.in);
    },
    'b.in has two sources, a.out and in; an input takes one, so merge them in a reactor or use a multiport',
  ],
  [
    'a source and a reaction on one input',
    main => {
      main.connect(main.a.out, main.b.in);
      main.reaction({ triggers: main.startup, effects: main.b.in }, () => {});
    },
    'b.in has two sources, a.out and r0; an input takes one, so disconnect it or take it from the effects of the reaction',
  ],
  [
    'widths that do not match',
    main => main.connect([main.a.out, main.b.out], main.a.wide),
    'Built: a connection from a.out, b.out (2 channels) to a.wide (3 channels); make the widths equal, or set "repeat" ' +
      'to broadcast or "partial" to leave the rest unconnected',
  ],
  [
    'nothing to repeat',
    main => main.connect([], main.a.wide, { repeat: true }),
    'Built: a connection from  (0 channels) to a.wide (3 channels); make the widths equal, or set "repeat" ' +
      'to broadcast or "partial" to leave the rest unconnected',
  ],
  [
    'a port that does not exist',
    main => main.connect(main.a.out, [main.b.in, main.missing]),
    'Built: destination 2 of a connection is undefined; give a port that exists',
  ],
  [
    'a source that is an input of a contained reactor',
    main => main.connect(main.a.in, main.b.in),
    'Built: a.in cannot be the source of a connection here; it takes one of its own inputs or an output of a reactor ' +
      'directly in it',
  ],
  [
    'a destination that is an output of a contained reactor',
    main => main.connect(main.a.out, main.b.out),
    'Built: b.out cannot be the destination of a connection here; it takes one of its own outputs or an input of a ' +
      'reactor directly in it',
  ],
  [
    'a channel that does not exist',
    main => main.connect(main.a.out, main.b.wide.channel(3)),
    'b.wide has no channel 3; it has 0 to 2',
  ],
  [
    'a channel by a name that lists have',
    main =>
      main.reaction({ triggers: main.startup, effects: main.a.wide }, () =>
        main.a.wide.set(/** @type {any} */ ('length'), 1),
      ),
    'r0 failed at 0ns.0: a.wide has no channel "length"; it has 0 to 2',
  ],
  [
    'a delay with an unknown unit',
    main => main.connect(main.a.out, main.b.in, { after: '3 fortnights' }),
    'Built: "after" of a connection: "3 fortnights" is not a duration; write a number and ns, us, ms, s, min, h or d, ' +
      'at most 104 days',
  ],
  [
    'scheduling into the past',
    main =>
      main.reaction({ triggers: main.startup, effects: main.act }, () => main.act.schedule(-5)),
    'r0 failed at 0ns.0: act was scheduled -5 ns from now; an action may not be scheduled into the past',
  ],
  [
    'a port that was not declared as an effect',
    main => main.reaction({ triggers: main.startup }, () => main.out.set(1)),
    'r0 failed at 0ns.0: r0 writes out, which it did not declare; add it to the effects of the reaction',
  ],
  [
    'a port that was not declared as a source',
    main => main.reaction({ triggers: main.startup }, () => main.a.out.get()),
    'r0 failed at 0ns.0: r0 reads a.out, which it did not declare; add it to the triggers or sources of the reaction',
  ],
  [
    'an action that was not declared as an effect',
    main => main.reaction({ triggers: main.startup }, () => main.act.schedule()),
    'r0 failed at 0ns.0: r0 schedules act, which it did not declare; add it to the effects of the reaction',
  ],
  [
    'a trigger that is an output of its own',
    main => main.reaction({ triggers: main.out }, () => {}),
    'r0: trigger out is not one that it can have; a reaction reads inputs of its own reactor, outputs of directly ' +
      'contained ones, and its own actions and timers',
  ],
  [
    'an effect that is an input of its own',
    main => main.reaction({ triggers: main.startup, effects: main.in }, () => {}),
    'r0: effect in is not one that it can have; a reaction writes outputs of its own reactor, inputs of directly ' +
      'contained ones, and its own actions and modes',
  ],
  [
    'an effect that does not exist',
    main => main.reaction({ triggers: main.startup, effects: main.missing?.x ?? null }, () => {}),
    'r0: effect null is not one that it can have; a reaction writes outputs of its own reactor, inputs of directly ' +
      'contained ones, and its own actions and modes',
  ],
  [
    'a body that is no function',
    main => main.reaction({ triggers: main.startup }, /** @type {any} */ ('go')),
    'r0: its body is "go"; give a function',
  ],
  [
    'a policy that does not exist',
    main => void new Action(main, 'logical', 0, 0, /** @type {any} */ ('forget')),
    'Built: an action\'s policy is one of defer, drop, replace, update; got "forget"',
  ],
  [
    'a policy without a spacing',
    main => void main.action({ policy: 'drop' }),
    'Built: an action has the policy "drop" and no minimum spacing, so that no event comes too soon; give "minSpacing" ' +
      'too, 0 for events of one time',
  ],
  [
    'a width that is no number',
    main => main.inputs(/** @type {any} */ ('two')),
    'Built: a multiport\'s width is a whole number from 0, got "two"',
  ],
  [
    'a duration that is no number',
    main => main.timer(NaN),
    'Built: the offset of a timer: NaN is not a duration; write a number and ns, us, ms, s, min, h or d, at most 104 days',
  ],
  [
    'a late handler without a deadline',
    main => main.reaction({ triggers: main.startup, late: () => {} }, () => {}),
    'r0: it has "late" and no "deadline", so "late" would never run; give a deadline',
  ],
  [
    'a flag that is a string',
    main => main.connect(main.a.out, main.b.in, { physical: /** @type {any} */ ('no') }),
    'Built: a connection: its option "physical" is "no"; give true or false',
  ],
  [
    'an initial mode that is a string',
    main => void main.mode({ initial: /** @type {any} */ ('yes') }),
    'a mode: its option "initial" is "yes"; give true or false',
  ],
  [
    'a tag with a misspelt field',
    main =>
      main.reaction({ triggers: main.startup, effects: main.act }, () =>
        main.act.scheduleAt(/** @type {any} */ ({ timeNs: 5, microstp: 1 })),
      ),
    'r0 failed at 0ns.0: the tag at which act is scheduled: there is no option "microstp"; did you mean "microstep"?',
  ],
  [
    'a bank of a function that makes nothing',
    main => main.bank(2, /** @type {any} */ (() => {})),
    'a bank: its members are made from a Function; give a width, then a class that extends Reactor',
  ],
  [
    'a bank of a class that is no reactor',
    main => main.bank(2, /** @type {any} */ (class Plain {})),
    'a bank: its member is a Plain, which is no reactor; give a width, then a class that extends Reactor',
  ],
  [
    'a transient child without a class',
    main => main.transient(/** @type {any} */ ({}), ['out']),
    'Built: a transient child is made from an Object; give a class that extends Reactor',
  ],
  [
    'results of a transient child that are no list',
    main => main.transient(Inner, /** @type {any} */ ('out')),
    'Built: the results of a transient child are "out"; give a list of names of its outputs',
  ],
  [
    'a reaction of reactor-ts without arguments',
    main => main.addReaction([main.startup], /** @type {any} */ (undefined), () => {}),
    'Built: a reaction lacks its arguments; give a list of each',
  ],
  [
    'a reactor that is deleted before the program runs',
    main => main.delete(main.a),
    'Built: a reactor was deleted in it before it runs, and so not by a reaction of its own; a reaction or mutation of it may',
  ],
  [
    'a container that is an action',
    main => void new Inner(main.act),
    'Inner: its container is act; give the reactor (or the mode) that it belongs to, mostly "this"',
  ],
  [
    'a port without a container',
    () => void new InPort(undefined),
    'an input: its container is undefined; give the reactor (or the mode) that it belongs to, mostly "this"',
  ],
])) {
  test(name, t => {
    t.throws(failing(build), { message, name: 'UserError' });
  });
}

test('nothing is written or scheduled outside a reaction', t => {
  const main = new Main();
  t.throws(() => main.out.set(1), {
    message: 'out is used before its program runs, or in a reactor that was deleted',
  });
  t.throws(() => main.act.schedule(), { message: 'act is scheduled before its program runs' });
  new Program(main, { fast: true }).step();
  t.throws(() => main.out.set(1), {
    message: 'out was written outside a reaction; only reactions write ports',
  });
  t.throws(() => main.act.schedule(), {
    message:
      'act is a logical action and was scheduled outside a reaction; a physical action may be',
  });
});

test('parts cannot be added to a reactor that runs', t => {
  const main = new Main();
  new Program(main, { fast: true });
  t.throws(() => main.input(), {
    message:
      "Main: a port cannot be added while it runs; a reactor's own parts are made in its constructor",
  });
  t.throws(() => new Program(main), {
    message: 'Main is part of a program already; a main reactor is made without a container',
  });
  t.throws(() => new Inner(main), {
    message:
      'Main: a reactor was made in it while it runs, but not by a reaction of its own; a reaction or mutation of it may',
  });
});

for (const [name, options, message] of /** @type {[string, any, string][]} */ ([
  ['flag', { keepalive: 'no' }, 'its option "keepalive" is "no"; give true or false'],
  ['clock', { clock: {} }, 'its clock is an Object; give an object that can nowNs'],
  [
    'observer',
    { observer: 5 },
    'its observer is 5; give an object that has tagBegan, reacted, ended',
  ],
  ['start', { startTime: 0 }, 'its startTime is 0; give nanoseconds as a bigint, like 0n'],
  ['limit', { maxMicrosteps: NaN }, 'its maxMicrosteps is NaN; give a number from 0'],
])) {
  test(`a program with a wrong ${name} is refused`, t => {
    t.throws(() => runFast(new Main(), options), {
      message: `a program: ${message}`,
      name: 'UserError',
    });
  });
}

test('a program whose reaction threw has stopped, and fails again however it is run', async t => {
  class Failing extends Reactor {
    ticks = 0;

    tick = this.timer(0, 1);

    count = this.reaction({ triggers: this.tick }, () => {
      this.ticks += 1;
      if (this.ticks === 2) throw Error('at two');
    });
  }
  const main = new Failing();
  const program = new Program(main, { fast: true, timeout: 5 });
  const failure = { message: 'count failed at 1ns.0: at two', name: 'UserError' };
  t.throws(() => program.runFast(), failure);
  t.false(program.step());
  t.throws(() => program.runFast(), failure);
  await t.throwsAsync(program.run(), failure);
  t.is(main.ticks, 2);
  t.is(program.tag, '1ns.0');
});

test('a program is made only of a reactor', t => {
  t.throws(() => new Program(/** @type {any} */ (Main)), {
    message:
      'a program is made from its main reactor; give an instance of a class that extends Reactor',
  });
});

test('a duration is counted in numbers', t => {
  for (const make of [nsec, usec, msec, sec, minutes, hours])
    for (const count of /** @type {any[]} */ ([5n, '5', undefined, Symbol('five'), {}]))
      t.throws(() => make(count), { name: 'UserError', message: /^\w+\(\) takes a number, got / });
});
