// After PhysicalConnection, PhysicalConnectionCycle, DistributedCountPhysical, DistributedCountPhysicalAfterDelay,
// SlowingClockPhysical, PhysicalActionCanBeScheduledSynchronously, PhysicalActionKeepaliveIsSmart, AsyncCallbackDrop,
// AsyncCallbackReplace, AsyncCallbackUpdate, DelayToPhysicalAction of Lingua Franca. Physical time is what the clock's
// script says at a logical time.

import { Part, program, reactorBuilder } from '../../program.js';
import { Count, Once, Print } from '../parts.js';

/** @import { InPort } from 'swingset-runner/reactor' */

/** @type {(name: string, rule: string, wire: object, clock: [number, number][], print: string[]) => any} */
const physicalConnectionOf = (name, rule, wire, clock, print) =>
  program({
    name,
    rule,
    parts: { source: [Once, { value: 42 }], print: Print },
    connections: [{ from: ['source.out'], to: ['print.in'], physical: true, ...wire }],
    options: { clock },
    trace: { print },
  });

export const physicalConnection = physicalConnectionOf(
  'PhysicalConnection',
  'a value arrives at the time of the clock',
  {},
  [[0, 30]],
  ['30.0 42'],
);
export const physicalConnectionAfter = physicalConnectionOf(
  'PhysicalConnectionAfter',
  'or a delay after it',
  { after: 12 },
  [[0, 30]],
  ['42.0 42'],
);
export const physicalConnectionNow = physicalConnectionOf(
  'PhysicalConnectionNow',
  'if the clock shows the present time, at the next microstep',
  {},
  [],
  ['0.1 42'],
);

export const distributedCountPhysical = program({
  name: 'DistributedCountPhysical',
  rule: 'values keep their order and arrive as late as they are',
  parts: { c: [Count, { offset: 200, period: 1000 }], p: Print },
  connections: [{ from: ['c.out'], to: ['p.in'], physical: true }],
  options: {
    timeout: 2500,
    clock: [
      [200, 215],
      [1200, 1201],
    ],
  },
  trace: { p: ['215.0 1', '1201.0 2', '2200.1 3'] },
});

export const distributedCountPhysicalAfterDelay = program({
  name: 'DistributedCountPhysicalAfterDelay',
  rule: 'with a delay after that',
  parts: { c: [Count, { offset: 200, period: 1000 }], p: Print },
  connections: [{ from: ['c.out'], to: ['p.in'], physical: true, after: 400 }],
  options: {
    timeout: 2500,
    clock: [
      [200, 215],
      [1200, 1201],
    ],
  },
  trace: { p: ['615.0 1', '1601.0 2'] },
});

class Replies extends Part {
  /** @type {InPort<any>} */
  in = this.input();
  out = this.output();
  go = this.reaction({ triggers: [this.startup, this.in], effects: this.out }, () => {
    if (!this.in.isPresent() && !this.params.first) return;
    const n = this.in.get() ?? 0;
    this.note(n);
    if (n < 4) this.out.set(n + 1);
  });
}

export const physicalConnectionCycle = program({
  name: 'PhysicalConnectionCycle',
  rule: 'a physical connection breaks a cycle',
  parts: { ping: [Replies, { first: true }], pong: Replies },
  connections: [
    { from: ['ping.out'], to: ['pong.in'] },
    { from: ['pong.out'], to: ['ping.in'], physical: true },
  ],
  options: {
    clock: [
      [0, 7],
      [7, 19],
    ],
  },
  trace: { ping: ['0.0 0', '7.0 2', '19.0 4'], pong: ['0.0 1', '7.0 3'] },
});

class SlowingPhysical extends Part {
  a = this.physicalAction({ minDelay: 100 });
  interval = 100;
  go = this.reaction({ triggers: this.startup, effects: this.a }, () => this.a.schedule());
  r = this.reaction({ triggers: this.a, effects: this.a }, () => {
    this.note(this.interval);
    this.interval += 100;
    this.a.schedule(this.interval);
  });
}

export const slowingClockPhysical = program({
  name: 'SlowingClockPhysical',
  rule: 'delays of a physical action count from the time of the clock',
  parts: { main: SlowingPhysical },
  options: {
    timeout: 1500,
    clock: [
      [100, 105],
      [405, 420],
    ],
  },
  trace: { main: ['100.0 100', '405.0 200', '820.0 300', '1320.0 400'] },
});

class Synchronous extends Part {
  act = this.physicalAction();
  go = this.reaction({ triggers: this.startup, effects: this.act }, () =>
    this.act.schedule(0, 'now'),
  );
  r = this.reaction({ triggers: this.act }, () => this.note(this.act.get()));
}

export const physicalActionSynchronously = program({
  name: 'PhysicalActionCanBeScheduledSynchronously',
  rule: 'a reaction may schedule a physical action',
  parts: { main: Synchronous },
  options: { clock: [[0, 25]] },
  trace: { main: ['25.0 now'] },
});

export const physicalActionNever = program({
  name: 'PhysicalActionNeverEarly',
  rule: 'it is never tagged before the present tag',
  parts: { main: Synchronous },
  trace: { main: ['0.1 now'] },
});

class Spaced extends Part {
  act = this.physicalAction({ minDelay: 10, minSpacing: 1000, policy: this.params.policy });
  tick = this.timer(200, 200);
  count = 0;
  go = this.reaction({ triggers: this.tick, effects: this.act }, () => {
    this.act.schedule(0, this.count);
    this.count += 1;
  });
  r = this.reaction({ triggers: this.act }, () => this.note(this.act.get()));
}

/** @type {(name: string, policy: string, main: string[]) => any} */
const spaced = (name, policy, main) =>
  program({
    name,
    rule: `spacing of a physical action: ${policy}`,
    parts: { main: [Spaced, { policy }] },
    options: {
      timeout: 2300,
      clock: [
        [200, 203],
        [400, 407],
      ],
    },
    trace: { main },
  });

export const asyncCallbackDefer = spaced('AsyncCallbackDefer', 'defer', [
  '213.0 0',
  '1213.0 1',
  '2213.0 2',
]);
export const asyncCallbackDrop = spaced('AsyncCallbackDrop', 'drop', ['213.0 0', '1410.0 6']);
export const asyncCallbackReplace = spaced('AsyncCallbackReplace', 'replace', [
  '213.0 0',
  '1213.0 5',
  '2213.0 10',
]);
export const asyncCallbackUpdate = spaced('AsyncCallbackUpdate', 'update', [
  '213.0 0',
  '1213.0 5',
  '2213.0 10',
]);

class Receiver extends Part {
  in = this.input();
  out = this.output();
  act = this.physicalAction();
  take = this.reaction({ triggers: this.in, effects: this.act }, () =>
    this.act.schedule(5, this.in.get()),
  );
  send = this.reaction({ triggers: this.act, effects: this.out }, () =>
    this.out.set(this.act.get()),
  );
}

export const delayToPhysicalAction = program({
  name: 'DelayToPhysicalAction',
  rule: 'a delayed value schedules a physical action, whose value goes on at once',
  parts: { s: [Count, { period: 50 }], r: Receiver, p: Print },
  connections: [
    { from: ['s.out'], to: ['r.in'], after: 10 },
    { from: ['r.out'], to: ['p.in'] },
  ],
  options: {
    timeout: 120,
    clock: [
      [10, 17],
      [60, 80],
    ],
  },
  trace: { p: ['22.0 1', '85.0 2', '115.0 3'] },
});

export const buildReactor = reactorBuilder(
  physicalConnection,
  physicalConnectionAfter,
  physicalConnectionNow,
  distributedCountPhysical,
  distributedCountPhysicalAfterDelay,
  physicalConnectionCycle,
  slowingClockPhysical,
  physicalActionSynchronously,
  physicalActionNever,
  asyncCallbackDefer,
  asyncCallbackDrop,
  asyncCallbackReplace,
  asyncCallbackUpdate,
  delayToPhysicalAction,
);
