// After ActionDelay, ActionImplicitDelay, DelayedAction, DelayedReaction, ManualDelayedReaction, Schedule,
// ScheduleLogicalAction, ScheduleValue, LogicalExecutionTime, GetMicroStep, ActionScheduleMicrostep, ActionWithNoReaction
// of Lingua Franca.

import { Part, program, reactorBuilder } from '../../program.js';
import { Count, Once, Print } from '../parts.js';

/** @import { Action, InPort } from 'swingset-runner/reactor' */

class GeneratedDelay extends Part {
  in = this.input();
  out = this.output();
  act = this.action({ minDelay: this.params.minDelay });
  take = this.reaction({ triggers: this.in, effects: this.act }, () =>
    this.act.schedule(this.params.extra ?? 0, this.in.get()),
  );
  send = this.reaction({ triggers: this.act, effects: this.out }, () =>
    this.out.set(this.act.get()),
  );
}

export const actionDelay = program({
  name: 'ActionDelay',
  rule: 'an action comes after its minimum delay',
  parts: { source: Once, g: [GeneratedDelay, { minDelay: '100 ms' }], sink: Print },
  connections: [{ from: ['source.out', 'g.out'], to: ['g.in', 'sink.in'] }],
  trace: { sink: ['100000000.0 1'] },
});

class Repeats extends Part {
  act = this.action({ minDelay: '40 ms' });
  count = 1;
  first = this.reaction({ triggers: this.startup, effects: this.act }, () => this.act.schedule());
  r = this.reaction({ triggers: this.act, effects: this.act }, () => {
    this.note(this.count);
    this.count += 1;
    if (this.count <= 4) this.act.schedule();
  });
}

export const actionImplicitDelay = program({
  name: 'ActionImplicitDelay',
  rule: 'an action that schedules itself without a delay keeps its minimum delay',
  parts: { main: Repeats },
  trace: { main: ['40000000.0 1', '80000000.0 2', '120000000.0 3', '160000000.0 4'] },
});

class TimerAndAction extends Part {
  tick = this.timer(0, 1000);
  a = this.action();
  count = 0;
  go = this.reaction({ triggers: this.tick, effects: this.a }, () => this.a.schedule(100));
  r = this.reaction({ triggers: this.a }, () => {
    this.note(this.count);
    this.count += 1;
  });
}

export const delayedAction = program({
  name: 'DelayedAction',
  rule: 'an action comes a delay after the timer that schedules it',
  parts: { main: TimerAndAction },
  options: { timeout: 3000 },
  trace: { main: ['100.0 0', '1100.0 1', '2100.0 2'] },
});

export const delayedReaction = program({
  name: 'DelayedReaction',
  rule: 'a reaction behind a delayed connection comes at the delayed time',
  parts: { source: Once, sink: Print },
  connections: [{ from: ['source.out'], to: ['sink.in'], after: '100 ms' }],
  trace: { sink: ['100000000.0 1'] },
});

export const manualDelayedReaction = program({
  name: 'ManualDelayedReaction',
  rule: 'the delay of the action and that of the call add up',
  parts: { source: Once, g: [GeneratedDelay, { minDelay: 0, extra: '100 ms' }], sink: Print },
  connections: [{ from: ['source.out', 'g.out'], to: ['g.in', 'sink.in'] }],
  options: { timeout: '2 s' },
  trace: { sink: ['100000000.0 1'] },
});

class Schedules extends Part {
  x = this.input();
  a = this.action();
  take = this.reaction({ triggers: this.x, effects: this.a }, () => {
    this.note('scheduling');
    this.a.schedule('200 ns');
  });
  r = this.reaction({ triggers: this.a }, () => this.note('action'));
}

export const schedule = program({
  name: 'Schedule',
  rule: 'an input schedules an action 200 units later',
  parts: { source: Once, a: Schedules },
  connections: [{ from: ['source.out'], to: ['a.x'] }],
  trace: { a: ['0.0 scheduling', '200.0 action'] },
});

class Echoes extends Part {
  x = this.input();
  y = this.output();
  a = this.action();
  take = this.reaction({ triggers: this.x, effects: this.a }, () => this.a.schedule(200));
  send = this.reaction({ triggers: this.a, effects: this.y }, () => this.y.set(-42));
}

class Toggles extends Part {
  x1 = this.input();
  x2 = this.input();
  r1 = this.reaction({ triggers: this.x1 }, () => this.note('x1', this.x1.get()));
  r2 = this.reaction({ triggers: this.x2 }, () => this.note('x2', this.x2.get()));
}

export const scheduleLogicalAction = program({
  name: 'ScheduleLogicalAction',
  rule: 'input and action of a period each come in turn',
  parts: { f: Echoes, p: Toggles, source: [Count, { start: 42, step: 0, period: 500 }] },
  connections: [
    { from: ['source.out'], to: ['f.x'] },
    { from: ['source.out', 'f.y'], to: ['p.x1', 'p.x2'] },
  ],
  options: { timeout: 1200 },
  trace: {
    p: [
      '0.0 x1 42',
      '200.0 x2 -42',
      '500.0 x1 42',
      '700.0 x2 -42',
      '1000.0 x1 42',
      '1200.0 x2 -42',
    ],
  },
});

class Values extends Part {
  a = this.action({ minDelay: 5 });
  go = this.reaction({ triggers: this.startup, effects: this.a }, () =>
    this.a.schedule(0, 'Hello'),
  );
  r = this.reaction({ triggers: this.a }, () => this.note(this.a.get()));
}

export const scheduleValue = program({
  name: 'ScheduleValue',
  rule: 'an action carries its value to its tag',
  parts: { main: Values },
  trace: { main: ['5.0 Hello'] },
});

class LogicalExecution extends Part {
  /** @type {InPort<any>} */
  x = this.input();
  y = this.output();
  a = this.action({ minDelay: '500 ns' });
  send = this.reaction({ triggers: this.a, effects: this.y }, () => this.y.set(this.a.get()));
  take = this.reaction({ triggers: this.x, effects: this.a }, () =>
    this.a.schedule(0, 2 * this.x.get()),
  );
}

export const logicalExecutionTime = program({
  name: 'LogicalExecutionTime',
  rule: 'a result appears when the logical execution time is over',
  parts: { clock: [Count, { period: 200 }], et: LogicalExecution, p: Print },
  connections: [{ from: ['clock.out', 'et.y'], to: ['et.x', 'p.in'] }],
  options: { timeout: 900 },
  trace: { p: ['500.0 2', '700.0 4', '900.0 6'] },
});

class Microsteps extends Part {
  l = this.action();
  count = 1;
  go = this.reaction({ triggers: this.startup, effects: this.l }, () => this.l.schedule());
  r = this.reaction({ triggers: this.l, effects: this.l }, () => {
    this.note(this.count);
    this.count += 1;
    if (this.count <= 10) this.l.schedule();
  });
}

export const getMicroStep = program({
  name: 'GetMicroStep',
  rule: 'an action without delays comes at the next microstep, again and again',
  parts: { main: Microsteps },
  trace: { main: Array.from({ length: 10 }, (_, i) => `0.${i + 1} ${i + 1}`) },
});

class MicrostepThenTime extends Part {
  /** @type {Action<any>} */
  a = this.action();
  go = this.reaction({ triggers: this.startup, effects: this.a }, () => this.a.schedule(0, 0));
  r = this.reaction({ triggers: this.a, effects: this.a }, () => {
    const n = this.a.get();
    this.note(n);
    if (n < 4) this.a.schedule(n === 1 ? 7 : 0, n + 1);
  });
}

export const actionScheduleMicrostep = program({
  name: 'ActionScheduleMicrostep',
  rule: 'microsteps begin again at 0 when time goes on',
  parts: { main: MicrostepThenTime },
  trace: { main: ['0.1 0', '0.2 1', '7.0 2', '7.1 3', '7.2 4'] },
});

class Unheard extends Part {
  x = this.input();
  a = this.action();
  r = this.reaction({ triggers: this.x, effects: this.a }, () => {
    this.note('x', this.x.get());
    this.a.schedule(500);
  });
}

export const actionWithNoReaction = program({
  name: 'ActionWithNoReaction',
  rule: 'an action that nothing reacts to may be scheduled',
  parts: { source: [Count, { period: 1000 }], foo: Unheard },
  connections: [{ from: ['source.out'], to: ['foo.x'], after: 10 }],
  options: { timeout: 2500 },
  trace: { foo: ['10.0 x 1', '1010.0 x 2', '2010.0 x 3'] },
});

export const buildReactor = reactorBuilder(
  actionDelay,
  actionImplicitDelay,
  delayedAction,
  delayedReaction,
  manualDelayedReaction,
  schedule,
  scheduleLogicalAction,
  scheduleValue,
  logicalExecutionTime,
  getMicroStep,
  actionScheduleMicrostep,
  actionWithNoReaction,
);
