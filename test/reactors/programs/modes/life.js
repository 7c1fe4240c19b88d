// After ModalStartup, ModalStartupShutdown, ModalStateReset, ModalStateResetAuto, BanksModalStateReset,
// ResetStateVariableOfTypeTime, ResetStateVariableWithParameterizedValue, TransitionTrigger, MixedReactions of Lingua
// Franca.

import { Part, program, reactorBuilder } from '../../program.js';
import { Count } from '../parts.js';
import { Stepper, TwoModes } from './parts.js';

class Startup extends Part {
  next = this.input();
  modes = [this.mode({ initial: true }), this.mode(), this.mode()];
  reactions = this.modes.map((mode, i) => {
    const then = this.modes[(i + 1) % 3];
    const how = i === 0 ? then.reset : then.history;
    this.reaction({ mode, triggers: this.startup }, () => this.note('startup', i + 1));
    this.reaction({ mode, triggers: this.reset }, () => this.note('reset', i + 1));
    this.reaction({ mode, triggers: this.next, effects: how }, () => {
      this.note('leaves', i + 1);
      how.set();
    });
  });
}

export const modalStartup = program({
  name: 'ModalStartup',
  rule: 'a mode starts once, when it is first entered, by whatever transition',
  parts: { stepper: [Stepper, { period: 1000 }], modal: Startup },
  connections: [{ from: ['stepper.out'], to: ['modal.next'] }],
  options: { timeout: 4000 },
  trace: {
    modal: [
      '0.0 startup 1',
      '1000.0 leaves 1',
      '1000.1 startup 2',
      '1000.1 reset 2',
      '2000.0 leaves 2',
      '2000.1 startup 3',
      '3000.0 leaves 3',
      '4000.0 leaves 1',
    ],
  },
});

class Shutdown extends Part {
  next = this.input();
  modes = [0, 1, 2, 3, 4].map(i => this.mode({ initial: i === 0 }));
  reactions = this.modes.map((mode, i) => {
    const then = this.modes[Math.min(i + 1, 3)];
    if (i !== 2) this.reaction({ mode, triggers: this.startup }, () => this.note('startup', i + 1));
    if (i > 2) this.reaction({ mode, triggers: this.reset }, () => this.note('reset', i + 1));
    if (i < 4) {
      this.reaction({ mode, triggers: this.next, effects: then.reset }, () => {
        this.note('to', Math.min(i + 2, 4));
        then.reset.set();
      });
    }
    if (i > 0) this.reaction({ mode, triggers: this.shutdown }, () => this.note('shutdown', i + 1));
  });
}

export const modalStartupShutdown = program({
  name: 'ModalStartupShutdown',
  rule: 'every mode that was ever entered is shut down, active or not',
  // Nothing orders reactions of different modes.
  unordered: true,
  parts: { stepper: [Stepper, { period: 500 }], modal: Shutdown },
  connections: [{ from: ['stepper.out'], to: ['modal.next'] }],
  options: { timeout: 3000 },
  trace: {
    modal: [
      '0.0 startup 1',
      '500.0 to 2',
      '500.1 startup 2',
      '1000.0 to 3',
      '1500.0 to 4',
      '1500.1 startup 4',
      '1500.1 reset 4',
      '2000.0 to 4',
      '2000.1 reset 4',
      '2500.0 to 4',
      '2500.1 reset 4',
      '3000.0 shutdown 2',
      '3000.0 shutdown 3',
      '3000.0 to 4',
      '3000.0 shutdown 4',
    ],
  },
});

/** Counts in each mode; the count of mode two is set back by a reset, by itself or by a reaction. */
class Counts extends TwoModes {
  count1 = this.state(0, this.one);
  count2 = this.state(-2, this.params.auto ? this.two : this.one);
  t1 = this.timer(0, 250, this.one);
  t2 = this.timer(0, 250, this.two);
  onReset = this.reaction({ mode: this.two, triggers: this.reset }, () => {
    if (!this.params.auto) this.count2.set(-2);
  });
  r1 = this.reaction({ mode: this.one, triggers: this.t1 }, () => {
    this.note('one', this.count1.get());
    this.count1.set(this.count1.get() + 1);
  });
  r2 = this.reaction({ mode: this.two, triggers: this.t2 }, () => {
    this.note('two', this.count2.get());
    this.count2.set(this.count2.get() + 1);
  });
}

const counted = [
  '0.0 one 0',
  '250.0 one 1',
  '500.0 one 2',
  '750.0 one 3',
  '1000.0 to two',
  '1000.0 one 4',
  '1000.1 two -2',
  '1250.0 two -1',
  '1500.0 two 0',
  '1750.0 two 1',
  '2000.0 to one',
  '2000.0 two 2',
  '2250.0 one 5',
  '2500.0 one 6',
  '2750.0 one 7',
  '3000.0 to two',
  '3000.0 one 8',
  '3000.1 two -2',
  '3250.0 two -1',
];

/** @type {(name: string, auto: boolean) => any} */
const stateReset = (name, auto) =>
  program({
    name,
    rule: `state is set back ${auto ? 'by a reset itself' : 'by a reaction to reset'}, and kept by history`,
    parts: { stepper: [Stepper, { period: 1000 }], modal: [Counts, { auto }] },
    connections: [{ from: ['stepper.out'], to: ['modal.next'] }],
    options: { timeout: 3300 },
    trace: { modal: counted },
  });

export const modalStateReset = stateReset('ModalStateReset', false);
export const modalStateResetAuto = stateReset('ModalStateResetAuto', true);

class CountsBank extends Part {
  next = this.input();
  members = this.bank(2, Counts, { auto: true });
  wire = this.connect(this.next, this.members.port('next'), { repeat: true });
}

export const banksModalStateReset = program({
  name: 'BanksModalStateReset',
  rule: 'each member of a bank has modes of its own',
  parts: { stepper: [Stepper, { period: 1000 }], modal: CountsBank },
  connections: [{ from: ['stepper.out'], to: ['modal.next'] }],
  options: { timeout: 3300 },
  unordered: true,
  trace: { modal: counted.flatMap(line => [line, line]) },
});

class Inner extends Part {
  trigger = this.input();
  i = this.state(this.params.init);
  r = this.reaction({ triggers: this.trigger }, () => {
    this.note('i', this.i.get());
    this.i.set(this.i.get() + 10);
  });
}

class WithInner extends Part {
  tick = this.input();
  a = this.mode({ initial: true });
  b = this.mode();
  c = new Inner(this.a, { init: this.params.init });
  inA = this.reaction(
    { mode: this.a, triggers: this.tick, effects: [this.b.reset, this.c.trigger] },
    () => {
      this.note('in a');
      this.c.trigger.set(true);
      this.b.reset.set();
    },
  );
  inB = this.reaction({ mode: this.b, triggers: this.tick, effects: this.a.reset }, () => {
    this.note('in b');
    this.a.reset.set();
  });
}

/** @type {(name: string, init: number) => any} */
const innerReset = (name, init) =>
  program({
    name,
    rule: 'state of a reactor in a mode begins again with its parameter',
    parts: { timer: [Count, { period: 1000 }], modal: [WithInner, { init }] },
    connections: [{ from: ['timer.out'], to: ['modal.tick'] }],
    options: { timeout: 3000 },
    trace: {
      modal: [
        '0.0 in a',
        `0.0 i ${init}`,
        '1000.0 in b',
        '2000.0 in a',
        `2000.0 i ${init}`,
        '3000.0 in b',
      ],
    },
  });

export const resetStateParameter = innerReset('ResetStateVariableWithParameterizedValue', -1);
export const resetStateTime = innerReset('ResetStateVariableOfTypeTime', 2_000_000_000);

class Source extends Part {
  x = this.output();
  y = this.output();
  r = this.reaction({ triggers: this.startup, effects: [this.x, this.y] }, () => this.y.set(true));
}

class Destination extends Part {
  x = this.input();
  y = this.input();
  a = this.mode({ initial: true });
  b = this.mode();
  go = this.reaction({ mode: this.a, triggers: this.y, effects: this.b.reset }, () => {
    if (this.y.get()) this.b.reset.set();
  });
  reached = this.reaction({ mode: this.b, triggers: this.reset }, () => this.note('reached b'));
}

export const transitionTrigger = program({
  name: 'TransitionTrigger',
  rule: 'an input triggers a transition though another one is never written',
  parts: { ui: Source, dlc: Destination },
  connections: [{ from: ['ui.x', 'ui.y'], to: ['dlc.x', 'dlc.y'] }],
  trace: { dlc: ['0.1 reached b'] },
});

class Mixed extends Part {
  tick = this.input();
  x = 0;
  a = this.mode({ initial: true });
  b = this.mode();
  r1 = this.reaction({ triggers: this.tick }, () => this.add(1));
  r2 = this.reaction({ triggers: this.tick }, () => this.add(2));
  r3 = this.reaction({ mode: this.a, triggers: this.tick, effects: this.b.reset }, () => {
    this.add(3);
    this.b.reset.set();
  });
  r4 = this.reaction({ triggers: this.tick }, () => this.add(4));
  r5 = this.reaction({ mode: this.b, triggers: this.tick }, () => this.add(5));
  r6 = this.reaction({ triggers: this.tick }, () => this.note(this.x));
  /** @param {number} digit */
  add(digit) {
    this.x = this.x * 10 + digit;
  }
}

export const mixedReactions = program({
  name: 'MixedReactions',
  rule: 'reactions in and outside modes run in lexical order',
  parts: { timer: [Count, { period: 100 }], main: Mixed },
  connections: [{ from: ['timer.out'], to: ['main.tick'] }],
  options: { timeout: 110 },
  trace: { main: ['0.0 1234', '100.0 12341245'] },
});

export const buildReactor = reactorBuilder(
  modalStartup,
  modalStartupShutdown,
  modalStateReset,
  modalStateResetAuto,
  banksModalStateReset,
  resetStateParameter,
  resetStateTime,
  transitionTrigger,
  mixedReactions,
);
