// After ScheduleAt of Lingua Franca: events at tags that are named. Where its runtime tells of a tag that is over and goes
// on, ours throws.

import { Part, program, reactorBuilder } from '../../program.js';

/** By the order of the calls: times in units, microsteps. */
const tags = [
  [0, 1],
  [0, 1],
  [0, 2],
  [0, 2],
  [400, 0],
  [400, 0],
  [400, 1],
  [400, 1],
  [800, 0],
  [800, 2],
  [800, 3],
  [800, 3],
  [900, 4],
  [900, 4],
  [900, 5],
];

class At extends Part {
  act = this.action(this.params);
  start = this.reaction({ triggers: this.startup, effects: this.act }, () => {
    tags.forEach(([timeNs, microstep], i) => this.act.scheduleAt({ timeNs, microstep }, i));
  });
  r = this.reaction({ triggers: this.act }, () => this.note(this.act.get()));
}

export const scheduleAtTags = program({
  name: 'ScheduleAtTags',
  rule: 'each event comes at its tag, or at the first microstep behind it that has none of the action',
  parts: { at: At },
  options: { timeout: 1000 },
  trace: {
    at: [
      '0.1 0',
      '0.2 1',
      '0.3 2',
      '0.4 3',
      '400.0 4',
      '400.1 5',
      '400.2 6',
      '400.3 7',
      '800.0 8',
      '800.2 9',
      '800.3 10',
      '800.4 11',
      '900.4 12',
      '900.5 13',
      '900.6 14',
    ],
  },
});

export const scheduleAtSpaced = program({
  name: 'ScheduleAtSpaced',
  rule: 'a spacing is kept, and the minimum delay does not count',
  parts: { at: [At, { minDelay: 7, minSpacing: 300, policy: 'drop' }] },
  options: { timeout: 1000 },
  trace: { at: ['0.1 0', '400.0 4', '800.0 8'] },
});

class Mixed extends Part {
  act = this.action();
  tick = this.timer(10);
  start = this.reaction({ triggers: this.startup, effects: this.act }, () => {
    this.act.scheduleAt({ timeNs: 10, microstep: 2 }, 'named');
    this.act.schedule(10, 'a');
    this.act.schedule(10, 'b');
    this.act.schedule(10, 'c');
    this.act.scheduleAt({ timeNs: 10, microstep: 1 }, 'behind');
  });
  r = this.reaction({ triggers: this.act, effects: this.act }, () => {
    this.note(this.act.get());
    if (this.act.get() !== 'a') return;
    this.act.schedule(0, 'd');
    this.act.scheduleAt({ timeNs: 10, microstep: 1 }, 'e');
  });
}

export const scheduleAtMixed = program({
  name: 'ScheduleAtMixed',
  rule: 'events that pile up and events at named tags take their places in the order of the calls',
  parts: { mixed: Mixed },
  options: { timeout: 50 },
  trace: {
    mixed: ['10.0 a', '10.1 b', '10.2 named', '10.3 c', '10.4 behind', '10.5 d', '10.6 e'],
  },
});

export const buildReactor = reactorBuilder(scheduleAtTags, scheduleAtSpaced, scheduleAtMixed);
