// After Timeout, TimeoutZero, StopTimeout, StopTimeoutExact, StopTopology, StopNoEvent, Starvation, Starve, StarveZero of
// Lingua Franca.

import { Part, program, reactorBuilder } from '../../program.js';
import { Count, Once, Print } from '../parts.js';
import { LoopedSender } from './stop.js';

/** @import { InPort } from 'swingset-runner/reactor' */

class Ends extends Part {
  in = this.input();
  r = this.reaction({ triggers: this.in }, () => this.note(this.in.get()));
  end = this.reaction({ triggers: this.shutdown }, () => this.note('shutdown'));
}

export const timeout = program({
  name: 'Timeout',
  rule: 'at the timeout microstep 0 runs, and nothing after it',
  parts: { consumer: Ends, producer: [LoopedSender, { takeBreakAfter: 3, breakInterval: 11 }] },
  connections: [{ from: ['producer.out'], to: ['consumer.in'] }],
  options: { timeout: 11 },
  trace: { consumer: ['0.0 0', '0.1 1', '0.2 2', '11.0 0', '11.0 shutdown'] },
});

export const timeoutZero = program({
  name: 'TimeoutZero',
  rule: 'a timeout of 0 is one tag',
  parts: { consumer: Ends, producer: [LoopedSender, { takeBreakAfter: 10, breakInterval: 1 }] },
  connections: [{ from: ['producer.out'], to: ['consumer.in'] }],
  options: { timeout: 0 },
  trace: { consumer: ['0.0 0', '0.0 shutdown'] },
});

export const stopTimeout = program({
  name: 'StopTimeout',
  rule: 'a timeout between two ticks',
  parts: { c: [Count, { period: 10 }], e: Ends },
  connections: [{ from: ['c.out'], to: ['e.in'] }],
  options: { timeout: 25 },
  trace: { e: ['0.0 1', '10.0 2', '20.0 3', '25.0 shutdown'] },
});

export const stopTimeoutExact = program({
  name: 'StopTimeoutExact',
  rule: 'a tick at the timeout is there with the end',
  parts: { c: [Count, { period: 10 }], e: Ends },
  connections: [{ from: ['c.out'], to: ['e.in'] }],
  options: { timeout: 20 },
  trace: { e: ['0.0 1', '10.0 2', '20.0 3', '20.0 shutdown'] },
});

class Stage extends Part {
  /** @type {InPort<any>} */
  in = this.input();
  out = this.output();
  r = this.reaction({ triggers: [this.in, this.shutdown], effects: this.out }, () => {
    this.note(this.shutdown.isPresent() ? 'shutdown' : 'input', this.in.get() ?? '-');
    this.out.set((this.in.get() ?? 0) + 1);
  });
}

export const stopTopology = program({
  name: 'StopTopology',
  rule: 'the end goes by dependencies like any other tag, and what is written arrives',
  parts: { c: Stage, b: Stage, a: Stage, print: Print },
  connections: [{ from: ['a.out', 'b.out', 'c.out'], to: ['b.in', 'c.in', 'print.in'] }],
  options: { timeout: 30, keepalive: true },
  trace: {
    a: ['30.0 shutdown -'],
    b: ['30.0 shutdown 1'],
    c: ['30.0 shutdown 2'],
    print: ['30.0 3'],
  },
});

class AtEnd extends Part {
  end = this.timer(30);
  count = 0;
  onEnd = this.reaction({ triggers: this.end }, () => {
    this.count += 1;
  });
  last = this.reaction({ triggers: this.shutdown }, () => this.note(this.count));
}

export const stopTopologyTimer = program({
  name: 'StopTopologyTimer',
  rule: 'a timer at the timeout comes before a later reaction to shutdown',
  parts: { main: AtEnd },
  options: { timeout: 30 },
  trace: { main: ['30.0 1'] },
});

class OnlyEnd extends Part {
  end = this.reaction({ triggers: this.shutdown }, () => this.note('shutdown'));
}

export const stopNoEvent = program({
  name: 'StopNoEvent',
  rule: 'without any event the end is at microstep 1',
  starves: true,
  parts: { main: OnlyEnd },
  trace: { main: ['0.1 shutdown'] },
});

class SuperDense extends Part {
  loop = this.action();
  out = this.output();
  iterator = 0;
  r = this.reaction({ triggers: [this.startup, this.loop], effects: [this.loop, this.out] }, () => {
    if (this.iterator < 10) this.loop.schedule();
    this.iterator += 1;
    this.out.set(42);
  });
  end = this.reaction({ triggers: this.shutdown }, () => this.note('shutdown', this.iterator));
}

export const starvation = program({
  name: 'Starvation',
  rule: 'the end of all comes a microstep after the last event of any',
  starves: true,
  parts: { sender: SuperDense, receiver: Ends },
  connections: [{ from: ['sender.out'], to: ['receiver.in'] }],
  trace: {
    sender: ['0.11 shutdown 11'],
    receiver: [...Array.from({ length: 11 }, (_, i) => `0.${i} 42`), '0.11 shutdown'],
  },
});

class Starves extends Part {
  a = this.action();
  go = this.reaction({ triggers: this.startup, effects: this.a }, () =>
    this.params.delays.forEach((/** @type {number} */ delay) => this.a.schedule(delay)),
  );
  r = this.reaction({ triggers: this.a }, () => this.note('a'));
  end = this.reaction({ triggers: this.shutdown }, () => this.note('shutdown'));
}

export const starve = program({
  name: 'Starve',
  rule: 'after the last of several events',
  starves: true,
  parts: { main: [Starves, { delays: [1, 5, 10] }] },
  trace: { main: ['1.0 a', '5.0 a', '10.0 a', '10.1 shutdown'] },
});

export const starveZero = program({
  name: 'StarveZero',
  rule: 'after an event at a microstep',
  starves: true,
  parts: { main: [Starves, { delays: [0] }] },
  trace: { main: ['0.1 a', '0.2 shutdown'] },
});

export const starveDelayed = program({
  name: 'StarveDelayedConnection',
  rule: 'a value under way in a connection is an event to wait for',
  starves: true,
  parts: { main: [Starves, { delays: [3] }], out: Once, ends: Ends },
  connections: [{ from: ['out.out'], to: ['ends.in'], after: 20 }],
  trace: { main: ['3.0 a', '20.1 shutdown'], ends: ['20.0 1', '20.1 shutdown'] },
});

export const buildReactor = reactorBuilder(
  timeout,
  timeoutZero,
  stopTimeout,
  stopTimeoutExact,
  stopTopology,
  stopTopologyTimer,
  stopNoEvent,
  starvation,
  starve,
  starveZero,
  starveDelayed,
);
