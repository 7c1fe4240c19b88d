// After LastTimeDefer, LastTimeDrop, LastTimeReplace, LastTimeUpdate, DelayedActionDuplicate, ScheduleTwice, ScheduleAt
// of Lingua Franca.

import { Part, program, reactorBuilder } from '../../program.js';

/** Every 100 an event that may come 1 later, with 300 between two. */
class Spaced extends Part {
  tick = this.timer(0, 100);
  a = this.action({ minDelay: 1, minSpacing: 300, policy: this.params.policy });
  count = 0;
  go = this.reaction({ triggers: this.tick, effects: this.a }, () => {
    this.a.schedule(0, this.count);
    this.count += 1;
  });
  r = this.reaction({ triggers: this.a }, () => this.note(this.a.get()));
}

/** @type {(name: string, policy: string, rule: string, main: string[]) => any} */
const lastTime = (name, policy, rule, main) =>
  program({
    name,
    rule,
    parts: { main: [Spaced, { policy }] },
    options: { timeout: 1000 },
    trace: { main },
  });

export const lastTimeDefer = lastTime(
  'LastTimeDefer',
  'defer',
  'defer: every event comes, as late as the spacing wants',
  ['1.0 0', '301.0 1', '601.0 2', '901.0 3'],
);

export const lastTimeDrop = lastTime(
  'LastTimeDrop',
  'drop',
  'drop: what comes too early does not come at all',
  ['1.0 0', '301.0 3', '601.0 6', '901.0 9'],
);

export const lastTimeReplace = lastTime(
  'LastTimeReplace',
  'replace',
  'replace: the pending event takes the last value that came too early',
  ['1.0 0', '301.0 3', '601.0 6', '901.0 9'],
);

export const lastTimeUpdate = lastTime(
  'LastTimeUpdate',
  'update',
  'update: the pending event takes the last value, and the time that it may have',
  ['1.0 0', '301.0 3', '601.0 6', '901.0 9'],
);

class Duplicates extends Part {
  tick = this.timer(0, 1000);
  a = this.action();
  b = this.action({ minSpacing: 0, policy: 'drop' });
  c = this.action({ minSpacing: 0, policy: 'replace' });
  count = 0;
  go = this.reaction({ triggers: this.tick, effects: [this.a, this.b, this.c] }, () => {
    for (let i = 0; i < 2; i += 1) {
      for (const action of [this.a, this.b, this.c]) action.schedule(100, this.count);
      this.count += 1;
    }
  });
  ra = this.reaction({ triggers: this.a }, () => this.note('a', this.a.get()));
  rb = this.reaction({ triggers: this.b }, () => this.note('b', this.b.get()));
  rc = this.reaction({ triggers: this.c }, () => this.note('c', this.c.get()));
}

export const delayedActionDuplicate = program({
  name: 'DelayedActionDuplicate',
  rule: 'two events at one tag: without a spacing both come, by drop the first, by replace the second',
  parts: { main: Duplicates },
  options: { timeout: 1100 },
  trace: {
    main: [
      '100.0 a 0',
      '100.0 b 0',
      '100.0 c 1',
      '100.1 a 1',
      '1100.0 a 2',
      '1100.0 b 2',
      '1100.0 c 3',
    ],
  },
});

class Twice extends Part {
  a = this.action();
  go = this.reaction({ triggers: this.startup, effects: this.a }, () => {
    this.a.schedule('100 ms', 42);
    this.a.schedule('100 ms', 84);
  });
  r = this.reaction({ triggers: this.a }, () => this.note(this.a.get()));
}

export const scheduleTwice = program({
  name: 'ScheduleTwice',
  rule: 'two events of one action at one tag pile up in microsteps',
  parts: { main: Twice },
  trace: { main: ['100000000.0 42', '100000000.1 84'] },
});

class Many extends Part {
  a = this.action();
  go = this.reaction({ triggers: this.startup, effects: this.a }, () => {
    for (const [i, delay] of [0, 0, 400, 400, 0, 800, 400, 900, 800].entries())
      this.a.schedule(delay, i);
  });
  r = this.reaction({ triggers: this.a }, () => this.note(this.a.get()));
}

export const scheduleAt = program({
  name: 'ScheduleAt',
  rule: 'events that pile up at several times come in the order of the calls, at each',
  parts: { main: Many },
  trace: {
    main: [
      '0.1 0',
      '0.2 1',
      '0.3 4',
      '400.0 2',
      '400.1 3',
      '400.2 6',
      '800.0 5',
      '800.1 8',
      '900.0 7',
    ],
  },
});

class SpacedZero extends Part {
  a = this.action({ minSpacing: 0 });
  go = this.reaction({ triggers: this.startup, effects: this.a }, () => {
    for (let i = 0; i < 3; i += 1) this.a.schedule(0, i);
  });
  r = this.reaction({ triggers: this.a }, () => this.note(this.a.get()));
}

export const spacingZero = program({
  name: 'MinSpacingZero',
  rule: 'a spacing of 0 with defer is a microstep between two events',
  parts: { main: SpacedZero },
  trace: { main: ['0.1 0', '0.2 1', '0.3 2'] },
});

export const buildReactor = reactorBuilder(
  lastTimeDefer,
  lastTimeDrop,
  lastTimeReplace,
  lastTimeUpdate,
  delayedActionDuplicate,
  scheduleTwice,
  scheduleAt,
  spacingZero,
);
