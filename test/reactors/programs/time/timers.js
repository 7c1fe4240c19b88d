// After Timers, TimerDefaults, TimerPeriodic, TimerIsPresent, SimpleTimer, PeriodicDesugared, TimeLimit, CountTest, Stride,
// GetTime, Microsteps, SlowingClock, TimeState, PeriodicTask of Lingua Franca.

import { Part, program, reactorBuilder } from '../../program.js';
import { Count, Print } from '../parts.js';

/** @import { InPort } from 'swingset-runner/reactor' */

class Two extends Part {
  t = this.timer(0, 2000);
  t2 = this.timer(0, 1000);
  counter = 0;
  r2 = this.reaction({ triggers: this.t2 }, () => {
    this.counter += 2;
  });
  r = this.reaction({ triggers: this.t }, () => {
    this.counter -= 1;
  });
  end = this.reaction({ triggers: this.shutdown }, () => this.note(this.counter));
}

export const timers = program({
  name: 'Timers',
  rule: 'two timers count each by its period, up to the timeout',
  parts: { main: Two },
  options: { timeout: 10000 },
  trace: { main: ['10000.0 16'] },
});

class Ticks extends Part {
  t = this.timer(this.params.offset, this.params.period);
  r = this.reaction({ triggers: this.t }, () => this.note('tick'));
}

export const timerDefaults = program({
  name: 'TimerDefaults',
  rule: 'a timer without offset and period comes once, at the start',
  parts: { main: Ticks },
  options: { timeout: 10 },
  trace: { main: ['0.0 tick'] },
});

export const simpleTimer = program({
  name: 'SimpleTimer',
  rule: 'a timer with an offset and no period comes once',
  parts: { main: [Ticks, { offset: 10 }] },
  options: { timeout: 100 },
  trace: { main: ['10.0 tick'] },
});

export const timerPeriodic = program({
  name: 'TimerPeriodic',
  rule: 'a timer comes at its offset, then every period',
  parts: { main: [Ticks, { offset: 20, period: 30 }] },
  options: { timeout: 110 },
  trace: { main: ['20.0 tick', '50.0 tick', '80.0 tick', '110.0 tick'] },
});

class Presence extends Part {
  t1 = this.timer(0, 2);
  t2 = this.timer(1, 2);
  t3 = this.timer(3, 3);
  r = this.reaction({ triggers: [this.startup, this.t1, this.t2, this.t3] }, () =>
    this.note(
      ...[this.startup, this.t1, this.t2, this.t3].map(trigger => Number(trigger.isPresent())),
    ),
  );
}

export const timerIsPresent = program({
  name: 'TimerIsPresent',
  rule: 'one can ask which of several timers it is',
  parts: { main: Presence },
  options: { timeout: 6 },
  trace: {
    main: [
      '0.0 1 1 0 0',
      '1.0 0 0 1 0',
      '2.0 0 1 0 0',
      '3.0 0 0 1 1',
      '4.0 0 1 0 0',
      '5.0 0 0 1 0',
      '6.0 0 1 0 1',
    ],
  },
});

class Desugared extends Part {
  init = this.action({ minDelay: this.params.offset });
  recur = this.action({ minDelay: this.params.period });
  count = 0;
  start = this.reaction({ triggers: this.startup, effects: [this.init, this.recur] }, () => {
    if (this.params.offset === 0) this.recur.schedule();
    else this.init.schedule();
  });
  again = this.reaction({ triggers: [this.init, this.recur], effects: this.recur }, () => {
    this.note('periodic', this.count);
    this.count += 1;
    this.recur.schedule();
  });
}

export const periodicDesugared = program({
  name: 'PeriodicDesugared',
  rule: 'two actions do what a timer does',
  parts: { main: [Desugared, { offset: 50, period: 500 }] },
  options: { timeout: 1050 },
  trace: { main: ['50.0 periodic 0', '550.0 periodic 1', '1050.0 periodic 2'] },
});

class Last extends Part {
  /** @type {InPort<any>} */
  x = this.input();
  last = 0;
  gaps = 0;
  r = this.reaction({ triggers: this.x }, () => {
    if (this.x.get() !== this.last + 1) this.gaps += 1;
    this.last = this.x.get();
  });
  end = this.reaction({ triggers: this.shutdown }, () => this.note(this.last, this.gaps));
}

export const timeLimit = program({
  name: 'TimeLimit',
  rule: 'a clock of the shortest period ticks at every unit of time, the last included',
  parts: { c: Count, d: Last },
  connections: [{ from: ['c.out'], to: ['d.x'] }],
  options: { timeout: 1000 },
  trace: { d: ['1000.0 1001 0'] },
});

export const countTest = program({
  name: 'CountTest',
  rule: 'a source that counts, and a sink that sees every count',
  parts: { a: [Count, { period: 1000 }], b: Print },
  connections: [{ from: ['a.out'], to: ['b.in'] }],
  options: { timeout: 3000 },
  trace: { b: ['0.0 1', '1000.0 2', '2000.0 3', '3000.0 4'] },
});

export const stride = program({
  name: 'Stride',
  rule: 'a source counts by its stride',
  parts: { c: [Count, { start: 0, step: 2, period: 100 }], d: Print },
  connections: [{ from: ['c.out'], to: ['d.in'] }],
  options: { timeout: 300 },
  trace: { d: ['0.0 0', '100.0 2', '200.0 4', '300.0 6'] },
});

class Time extends Part {
  t = this.timer(0, 100);
  r = this.reaction({ triggers: this.t }, () => {
    const { util } = this;
    this.note(
      util.getElapsedLogicalTime(),
      util.getCurrentLogicalTime() - util.getStartTime(),
      util.getElapsedPhysicalTime() >= util.getElapsedLogicalTime(),
    );
  });
}

export const getTime = program({
  name: 'GetTime',
  rule: 'logical time stands still in a reaction, and physical time is not behind it',
  parts: { main: Time },
  options: { timeout: 200, clock: [[100, 103]] },
  trace: { main: ['0.0 0 0 true', '100.0 100 100 true', '200.0 200 200 true'] },
});

class StepDestination extends Part {
  x = this.input();
  y = this.input();
  r = this.reaction({ triggers: [this.x, this.y] }, () =>
    this.note(this.x.isPresent() ? 'x' : '-', this.y.isPresent() ? 'y' : '-'),
  );
}

class Repeater extends Part {
  x = this.output();
  y = this.output();
  repeat = this.action();
  first = this.reaction({ triggers: this.startup, effects: [this.x, this.repeat] }, () => {
    this.x.set(1);
    this.repeat.schedule();
  });
  second = this.reaction({ triggers: this.repeat, effects: this.y }, () => this.y.set(1));
}

export const microsteps = program({
  name: 'Microsteps',
  rule: 'what is a microstep later is not present at the same tag',
  parts: { start: Repeater, d: StepDestination },
  connections: [{ from: ['start.x', 'start.y'], to: ['d.x', 'd.y'] }],
  trace: { d: ['0.0 x -', '0.1 - y'] },
});

class Slowing extends Part {
  a = this.action({ minDelay: 100 });
  interval = 100;
  go = this.reaction({ triggers: this.startup, effects: this.a }, () => this.a.schedule());
  r = this.reaction({ triggers: this.a, effects: this.a }, () => {
    this.note(this.interval);
    this.a.schedule(this.interval);
    this.interval += 100;
  });
}

export const slowingClock = program({
  name: 'SlowingClock',
  rule: 'each interval is longer than the last by the delay of the call',
  parts: { main: Slowing },
  options: { timeout: 1000 },
  trace: { main: ['100.0 100', '300.0 200', '600.0 300', '1000.0 400'] },
});

class Baz extends Part {
  /** @type {InPort<any>} */
  in = this.input();
  sum = this.state(42);
  r = this.reaction({ triggers: this.in }, () => {
    this.note(this.sum.get());
    this.sum.set(this.sum.get() + this.in.get());
  });
}

export const timeState = program({
  name: 'TimeState',
  rule: 'state is there between reactions',
  parts: { source: [Count, { period: 10 }], baz: Baz },
  connections: [{ from: ['source.out'], to: ['baz.in'] }],
  options: { timeout: 20 },
  trace: { baz: ['0.0 42', '10.0 43', '20.0 45'] },
});

class Periods extends Part {
  a = this.timer(0, 10);
  b = this.timer(0, 15);
  ra = this.reaction({ triggers: this.a }, () => this.note('a'));
  rb = this.reaction({ triggers: this.b }, () => this.note('b'));
}

export const periodicTask = program({
  name: 'PeriodicTask',
  rule: 'tasks of different periods meet at common multiples, in lexical order',
  parts: { main: Periods },
  options: { timeout: 30 },
  trace: { main: ['0.0 a', '0.0 b', '10.0 a', '15.0 b', '20.0 a', '30.0 a', '30.0 b'] },
});

export const buildReactor = reactorBuilder(
  timers,
  timerDefaults,
  simpleTimer,
  timerPeriodic,
  timerIsPresent,
  periodicDesugared,
  timeLimit,
  countTest,
  stride,
  getTime,
  microsteps,
  slowingClock,
  timeState,
  periodicTask,
);
