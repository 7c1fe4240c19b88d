// After ModalTimers, ModalActions, ModalAfter, ModalCycleBreaker, DistributedModes of Lingua Franca, with ns for ms.

import { Part, program, reactorBuilder } from '../../program.js';
import { Count, Print } from '../parts.js';
import { Stepper, TwoModes } from './parts.js';

/** @import { InPort } from 'swingset-runner/reactor' */

class Timers extends TwoModes {
  t1 = this.timer(0, 750, this.one);
  t2 = this.timer(0, 750, this.two);
  r1 = this.reaction({ mode: this.one, triggers: this.t1 }, () => this.note('t1'));
  r2 = this.reaction({ mode: this.two, triggers: this.t2 }, () => this.note('t2'));
}

export const modalTimers = program({
  name: 'ModalTimers',
  rule: 'timers stand still with their mode; history goes on, a reset begins anew',
  parts: { stepper: [Stepper, { period: 1000 }], modal: Timers },
  connections: [{ from: ['stepper.out'], to: ['modal.next'] }],
  options: { timeout: 4000 },
  trace: {
    modal: [
      '0.0 t1',
      '750.0 t1',
      '1000.0 to two',
      '1000.1 t2',
      '1750.0 t2',
      '2000.0 to one',
      '2500.0 t1',
      '3000.0 to two',
      '3000.1 t2',
      '3750.0 t2',
      '4000.0 to one',
    ],
  },
});

class Actions extends TwoModes {
  t1 = this.timer(0, 750, this.one);
  a1 = this.action({ minDelay: 500, mode: this.one });
  t2 = this.timer(0, 750, this.two);
  a2 = this.action({ minDelay: 500, mode: this.two });
  s1 = this.reaction({ mode: this.one, triggers: this.t1, effects: this.a1 }, () => {
    this.note('schedules 1');
    this.a1.schedule();
  });
  r1 = this.reaction({ mode: this.one, triggers: this.a1 }, () => this.note('action 1'));
  s2 = this.reaction({ mode: this.two, triggers: this.t2, effects: this.a2 }, () => {
    this.note('schedules 2');
    this.a2.schedule();
  });
  r2 = this.reaction({ mode: this.two, triggers: this.a2 }, () => this.note('action 2'));
}

export const modalActions = program({
  name: 'ModalActions',
  rule: 'delays stand still with their mode; history goes on, a reset forgets them',
  parts: { stepper: [Stepper, { period: 1000 }], modal: Actions },
  connections: [{ from: ['stepper.out'], to: ['modal.next'] }],
  options: { timeout: 4000 },
  trace: {
    modal: [
      '0.0 schedules 1',
      '500.0 action 1',
      '750.0 schedules 1',
      '1000.0 to two',
      '1000.1 schedules 2',
      '1500.0 action 2',
      '1750.0 schedules 2',
      '2000.0 to one',
      '2250.0 action 1',
      '2500.0 schedules 1',
      '3000.0 to two',
      '3000.0 action 1',
      '3000.1 schedules 2',
      '3500.0 action 2',
      '3750.0 schedules 2',
      '4000.0 to one',
    ],
  },
});

class Producer extends Part {
  product = this.output();
  t = this.timer(0, 750);
  r = this.reaction({ triggers: this.t, effects: this.product }, () => {
    this.note('produced', this.params.id);
    this.product.set(this.params.id);
  });
}

class Consumer extends Part {
  product = this.input();
  r = this.reaction({ triggers: this.product }, () => this.note('consumed', this.product.get()));
}

class After extends TwoModes {
  pairs = [this.one, this.two].map((mode, i) => {
    const producer = new Producer(mode, { id: i + 1 });
    const consumer = new Consumer(mode);
    this.connect(producer.product, consumer.product, { mode, after: 500 });
    return [producer, consumer];
  });
}

export const modalAfter = program({
  name: 'ModalAfter',
  rule: 'delayed connections stand still with their mode',
  parts: { stepper: [Stepper, { period: 1000 }], modal: After },
  connections: [{ from: ['stepper.out'], to: ['modal.next'] }],
  options: { timeout: 4000 },
  unordered: true,
  trace: {
    modal: [
      '0.0 produced 1',
      '500.0 consumed 1',
      '750.0 produced 1',
      '1000.0 to two',
      '1000.1 produced 2',
      '1500.0 consumed 2',
      '1750.0 produced 2',
      '2000.0 to one',
      '2250.0 consumed 1',
      '2500.0 produced 1',
      '3000.0 to two',
      '3000.0 consumed 1',
      '3000.1 produced 2',
      '3500.0 consumed 2',
      '3750.0 produced 2',
      '4000.0 to one',
    ],
  },
});

class Breaker extends Part {
  /** @type {InPort<any>} */
  in1 = this.input();
  in2 = this.input();
  out = this.output();
  two = this.mode();
  one = this.mode({ initial: true });
  wait = this.timer(150, 1000, this.two);
  r1 = this.reaction({ mode: this.two, triggers: this.in2 }, () => {});
  r2 = this.reaction({ mode: this.two, triggers: this.wait, effects: this.one.reset }, () =>
    this.one.reset.set(),
  );
  r3 = this.reaction({ mode: this.one, triggers: this.in1, effects: this.out }, () =>
    this.out.set(this.in1.get()),
  );
  r4 = this.reaction({ mode: this.one, triggers: this.in1, effects: this.two.reset }, () => {
    if (this.in1.get() % 5 === 4) this.two.reset.set();
  });
}

export const modalCycleBreaker = program({
  name: 'ModalCycleBreaker',
  rule: 'reactions of different modes make no cycle, though their order would make one',
  parts: { counter: [Count, { start: 0, period: 100 }], modal: Breaker, print: Print },
  connections: [
    { from: ['counter.out'], to: ['modal.in1'] },
    { from: ['modal.out'], to: ['modal.in2', 'print.in'], repeat: true },
  ],
  options: { timeout: 1000 },
  trace: {
    print: [
      '0.0 0',
      '100.0 1',
      '200.0 2',
      '300.0 3',
      '400.0 4',
      '600.0 6',
      '700.0 7',
      '800.0 8',
      '900.0 9',
    ],
  },
});

class Outputs extends Part {
  next = this.input();
  out = this.outputs(2);
  one = this.mode({ initial: true });
  two = this.mode();
  t1 = this.timer(0, 300, this.one);
  t2 = this.timer(0, 300, this.two);
  reactions = [
    this.reaction({ mode: this.one, triggers: this.t1, effects: this.out }, () =>
      this.out.set(0, 1),
    ),
    this.reaction({ mode: this.two, triggers: this.t2, effects: this.out }, () =>
      this.out.set(1, 2),
    ),
    this.reaction({ mode: this.one, triggers: this.next, effects: this.two.reset }, () =>
      this.two.reset.set(),
    ),
    this.reaction({ mode: this.two, triggers: this.next, effects: this.one.history }, () =>
      this.one.history.set(),
    ),
  ];
}

class Merge extends Part {
  left = this.inputs(2);
  right = this.inputs(2);
  r = this.reaction({ triggers: [this.left, this.right] }, () =>
    this.note('left', this.left.present(), 'right', this.right.present()),
  );
}

export const distributedModes = program({
  name: 'DistributedModes',
  rule: 'one step drives two modal reactors, whose outputs arrive after different delays',
  parts: { control: [Stepper, { period: 500 }], m1: Outputs, m2: Outputs, merger: Merge },
  connections: [
    { from: ['control.out'], to: ['m1.next', 'm2.next'], repeat: true },
    { from: ['m1.out'], to: ['merger.left'], after: 200 },
    { from: ['m2.out'], to: ['merger.right'], after: 500 },
  ],
  options: { timeout: 1200 },
  trace: {
    merger: [
      '200.0 left 0 right ',
      '500.0 left 0 right 0',
      // Mode two was entered at 500.1; a delay is of time, so what it sends then arrives at microstep 0.
      '700.0 left 1 right ',
      '800.0 left  right 0',
      '1000.0 left 1 right 1',
      // Mode one was left at 500, 100 before its timer: that comes at 1100, and arrives after the end.
    ],
  },
});

export const buildReactor = reactorBuilder(
  modalTimers,
  modalActions,
  modalAfter,
  modalCycleBreaker,
  distributedModes,
);
