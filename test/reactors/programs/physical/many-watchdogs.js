// After WatchdogMultiple, WatchdogBank, WatchdogRestartTerminated, WatchdogAction, ModesWithWatchdog of Lingua Franca.

import { Part, program, reactorBuilder } from '../../program.js';
import { Count } from '../parts.js';

class WithWatchdog extends Part {
  count = 0;
  dog = this.watchdog(10, () => {
    this.count += 1;
    this.note('expired');
  });
  start = this.reaction({ triggers: this.startup, effects: this.dog }, () => this.dog.start());
  end = this.reaction({ triggers: this.shutdown }, () => this.note('count', this.count));
}

const expired = ['10.0 expired', '2000.0 count 1'];

export const watchdogMultiple = program({
  name: 'WatchdogMultiple',
  rule: 'two expire at one tag',
  parts: { w1: WithWatchdog, w2: WithWatchdog, timer: [Count, { offset: 2000, period: 0 }] },
  options: { timeout: 2000 },
  trace: { w1: expired, w2: expired },
});

class BankOfThree extends Part {
  w = this.bank(3, WithWatchdog);
}

export const watchdogBank = program({
  name: 'WatchdogBank',
  rule: 'each member of a bank has one of its own',
  parts: { bank: BankOfThree },
  options: { timeout: 2000, keepalive: true },
  unordered: true,
  trace: { bank: [...expired, ...expired, ...expired] },
});

class Restarting extends Part {
  count = 0;
  again = this.action();
  dog = this.watchdog(1, { effects: this.again }, () => {
    this.count += 1;
    this.again.schedule();
  });
  start = this.reaction({ triggers: this.startup, effects: this.dog }, () => this.dog.start());
  r = this.reaction({ triggers: this.again, effects: this.dog }, () => {
    this.note(this.count);
    if (this.count < 10) this.dog.start();
  });
}

export const watchdogRestart = program({
  name: 'WatchdogRestartTerminated',
  rule: 'one that has expired may be started again, ten times',
  parts: { r: Restarting },
  options: { timeout: 2000 },
  trace: { r: Array.from({ length: 10 }, (_, i) => `${i + 1}.1 ${i + 1}`) },
});

class Watcher extends Part {
  d = this.output();
  t = this.timer(1000, 1000);
  a = this.action();
  dog = this.watchdog(1500, { effects: this.a }, () => {
    this.note('expired');
    this.a.schedule();
  });
  r1 = this.reaction({ triggers: this.t, effects: [this.dog, this.d] }, () => {
    this.dog.start();
    this.d.set(42);
  });
  r2 = this.reaction({ triggers: this.a, effects: this.d }, () => this.d.set(1));
  end = this.reaction({ triggers: this.shutdown, effects: this.dog }, () => {
    this.note('stops', this.dog.isRunning());
    this.dog.stop();
  });
}

class Viewer extends Part {
  d = this.input();
  r = this.reaction({ triggers: this.d }, () => this.note(this.d.get()));
}

export const watchdogAction = program({
  name: 'WatchdogAction',
  rule: 'its handler schedules an action, and it expires if a reaction took too long',
  parts: { w: Watcher, view: Viewer },
  connections: [{ from: ['w.d'], to: ['view.d'] }],
  // A reaction at 4000 takes until 5600.
  options: { timeout: 7000, clock: [[5000, 5600]] },
  trace: {
    w: ['5500.0 expired', '7000.0 stops true'],
    view: [
      '1000.0 42',
      '2000.0 42',
      '3000.0 42',
      '4000.0 42',
      '5000.0 42',
      '5500.1 1',
      '6000.0 42',
      '7000.0 42',
    ],
  },
});

class Arbitrator extends Part {
  in1 = this.input();
  in2 = this.input();
  primary = this.mode({ initial: true });
  backup = this.mode();
  expired = this.action();
  dog = this.watchdog(15, { effects: this.expired }, () => {
    this.note('timeout');
    this.expired.schedule();
  });
  r1 = this.reaction({ mode: this.primary, triggers: this.in1, effects: this.dog }, () => {
    if (/** @type {any} */ (this.in1).get() < 3) this.dog.start();
  });
  r2 = this.reaction(
    { mode: this.primary, triggers: this.expired, effects: this.backup.reset },
    () => {
      this.note('to backup');
      this.backup.reset.set();
    },
  );
  r3 = this.reaction({ mode: this.backup, triggers: this.in2, effects: this.dog }, () => {
    this.note('backup', this.in2.get());
    this.dog.start();
  });
}

export const modesWithWatchdog = program({
  name: 'ModesWithWatchdog',
  rule: 'one outside modes expires in any of them; the mode is entered a microstep after the reaction to it',
  parts: { source: [Count, { start: 1, period: 10 }], ar: Arbitrator },
  connections: [{ from: ['source.out'], to: ['ar.in1', 'ar.in2'], repeat: true }],
  options: { timeout: 50 },
  trace: {
    ar: ['25.0 timeout', '25.1 to backup', '30.0 backup 4', '40.0 backup 5', '50.0 backup 6'],
  },
});

export const buildReactor = reactorBuilder(
  watchdogMultiple,
  watchdogBank,
  watchdogRestart,
  watchdogAction,
  modesWithWatchdog,
);
