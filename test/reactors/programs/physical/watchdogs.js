// After Watchdog of Lingua Franca, where the handler runs when physical time has come, whatever logical time is; and what
// follows for modes, for a handler that goes on, and for two starts.

import { Part, program, reactorBuilder } from '../../program.js';
import { Count, Print } from '../parts.js';

class Watched extends Part {
  in = this.input();
  alarm = this.output();
  dog = this.watchdog(this.params.timeout, { effects: this.alarm }, () => {
    this.note('alarm');
    this.alarm.set('alarm');
  });
  kick = this.reaction({ triggers: this.in, effects: this.dog }, () => {
    this.note('kick', this.in.get(), this.dog.isRunning());
    if (this.in.get() === this.params.last) this.dog.stop();
    else this.dog.start(this.params.extra);
  });
}

export const watchdog = program({
  name: 'Watchdog',
  rule: 'it expires if it is not started again in time, and its handler writes outputs',
  parts: {
    source: [Count, { start: 1, period: 100, offset: 0 }],
    watched: [Watched, { timeout: 150 }],
    view: Print,
  },
  connections: [{ from: ['source.out', 'watched.alarm'], to: ['watched.in', 'view.in'] }],
  options: { timeout: 400, clock: [[200, 251]] },
  trace: {
    // At 200 it is 251 already, so the watchdog that was started at 100 has expired at 250.
    watched: [
      '0.0 kick 1 false',
      '100.0 kick 2 true',
      '200.0 kick 3 true',
      '250.0 alarm',
      '300.0 kick 4 true',
      '400.0 kick 5 true',
    ],
    view: ['250.0 alarm'],
  },
});

export const watchdogStopped = program({
  name: 'WatchdogStopped',
  rule: 'one that is stopped in time does not expire, and a start may give it more time',
  parts: {
    source: [Count, { start: 1, period: 100, offset: 0 }],
    watched: [Watched, { timeout: 50, extra: 60, last: 4 }],
  },
  connections: [{ from: ['source.out'], to: ['watched.in'] }],
  options: { timeout: 350, clock: [[200, 210]] },
  trace: {
    watched: ['0.0 kick 1 false', '100.0 kick 2 true', '200.0 kick 3 true', '300.0 kick 4 true'],
  },
});

class Repeating extends Part {
  n = 0;
  go = this.timer(5);
  dog = this.watchdog(10, () => {
    this.n += 1;
    this.note('expired', this.n);
    if (this.n < 3) this.dog.start(this.n - 1);
  });
  start = this.reaction({ triggers: this.go, effects: this.dog }, () => this.dog.start());
}

export const watchdogRepeating = program({
  name: 'WatchdogRepeating',
  rule: 'a handler may start its watchdog again',
  parts: { r: Repeating },
  options: { timeout: 100 },
  trace: { r: ['15.0 expired 1', '25.0 expired 2', '36.0 expired 3'] },
});

class Modal extends Part {
  A = this.mode({ initial: true });
  B = this.mode();
  poll = this.timer(0, 10);
  dog = this.watchdog(25, { mode: this.A, effects: this.B.reset }, () => {
    this.note('expired');
    this.B.reset.set();
  });
  begin = this.reaction(
    { mode: this.A, triggers: [this.startup, this.reset], effects: this.dog },
    () => {
      this.note('A');
      this.dog.start();
    },
  );
  leave = this.timer(45);
  left = this.reaction({ mode: this.A, triggers: this.leave, effects: this.B.reset }, () => {
    this.note('leaves');
    this.B.reset.set();
  });
  wait = this.timer(10, 0, this.B);
  back = this.reaction({ mode: this.B, triggers: this.wait, effects: this.A.reset }, () => {
    this.note('B');
    this.A.reset.set();
  });
}

export const watchdogModal = program({
  name: 'WatchdogModal',
  rule: 'one of a mode is stopped when the mode is left',
  parts: { m: Modal },
  options: { timeout: 90 },
  trace: {
    m: [
      '0.0 A',
      '25.0 expired',
      '35.0 B',
      '35.1 A',
      '45.0 leaves',
      '55.0 B',
      '55.1 A',
      '80.0 expired',
      '90.0 B',
    ],
  },
});

export const buildReactor = reactorBuilder(
  watchdog,
  watchdogStopped,
  watchdogRepeating,
  watchdogModal,
);
