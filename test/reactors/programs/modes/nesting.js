// After Count3Modes, BanksCount3ModesSimple, BanksCount3ModesComplex, ConvertCaseTest, ModalNestedReactions,
// ModalMultiport, ModalMultiportBank, MultipleOutputFeeder_2Connections, MultipleOutputFeeder_ReactionConnections,
// ImportsInModes of Lingua Franca.

import { Part, program, reactorBuilder } from '../../program.js';
import { Print } from '../parts.js';
import { Counter, CounterCycle, Stepper } from './parts.js';

/** @import { InMultiPort, InPort } from 'swingset-runner/reactor' */

export const count3Modes = program({
  name: 'Count3Modes',
  rule: 'three modes in turn',
  parts: { stepper: [Stepper, { offset: 0, period: 250 }], counter: CounterCycle, print: Print },
  connections: [{ from: ['stepper.out', 'counter.count'], to: ['counter.next', 'print.in'] }],
  options: { timeout: 1000 },
  trace: { print: ['0.0 1', '250.0 2', '500.0 3', '750.0 1', '1000.0 2'] },
});

class CounterBank extends Part {
  next = this.input();
  count = this.outputs(3);
  counters = this.bank(3, CounterCycle);
  wires = [
    this.connect(this.next, this.counters.port('next'), { repeat: true }),
    this.connect(this.counters.port('count'), this.count),
  ];
}

class PrintThree extends Part {
  in = this.inputs(3);
  r = this.reaction({ triggers: this.in }, () => this.note(this.in.values()));
}

export const banksCount3ModesSimple = program({
  name: 'BanksCount3ModesSimple',
  rule: 'a bank of modal reactors',
  parts: { stepper: [Stepper, { offset: 0, period: 250 }], bank: CounterBank, print: PrintThree },
  connections: [{ from: ['stepper.out', 'bank.count'], to: ['bank.next', 'print.in'] }],
  options: { timeout: 1000 },
  trace: { print: ['0.0 1 1 1', '250.0 2 2 2', '500.0 3 3 3', '750.0 1 1 1', '1000.0 2 2 2'] },
});

class MetaCounter extends Part {
  next = this.input();
  always = this.output();
  mode1 = this.output();
  mode2 = this.output();
  outer = new CounterCycle(this);
  one = this.mode({ initial: true });
  two = this.mode();
  c1 = new CounterCycle(this.one);
  c2 = new CounterCycle(this.two);
  t1 = this.timer(500, 250, this.one);
  t2 = this.timer(500, 250, this.two);
  wires = [
    this.connect([this.next, this.outer.count], [this.outer.next, this.always]),
    this.connect([this.next, this.c1.count], [this.c1.next, this.mode1], { mode: this.one }),
    this.connect([this.next, this.c2.count], [this.c2.next, this.mode2], { mode: this.two }),
  ];
  r1 = this.reaction({ mode: this.one, triggers: this.t1, effects: this.two.reset }, () =>
    this.two.reset.set(),
  );
  r2 = this.reaction({ mode: this.two, triggers: this.t2, effects: this.one.history }, () =>
    this.one.history.set(),
  );
}

class MetaPrint extends Part {
  always = this.input();
  mode1 = this.input();
  mode2 = this.input();
  r = this.reaction({ triggers: [this.always, this.mode1, this.mode2] }, () =>
    this.note(...[this.always, this.mode1, this.mode2].map(port => port.get() ?? '-')),
  );
}

export const banksCount3ModesComplex = program({
  name: 'BanksCount3ModesComplex',
  rule: 'modal reactors within modes are reset or go on with them',
  parts: { stepper: [Stepper, { offset: 0, period: 250 }], meta: MetaCounter, print: MetaPrint },
  connections: [
    { from: ['stepper.out'], to: ['meta.next'] },
    {
      from: ['meta.always', 'meta.mode1', 'meta.mode2'],
      to: ['print.always', 'print.mode1', 'print.mode2'],
    },
  ],
  options: { timeout: 3000 },
  trace: {
    print: [
      '0.0 1 1 -',
      '250.0 2 2 -',
      '500.0 3 3 -',
      '750.0 1 - 1',
      '1000.0 2 - 2',
      '1250.0 3 1 -',
      '1500.0 1 - 1',
      '1750.0 2 - 2',
      '2000.0 3 2 -',
      '2250.0 1 - 1',
      '2500.0 2 - 2',
      '2750.0 3 3 -',
      '3000.0 1 - 1',
    ],
  },
});

class Converter extends Part {
  /** @type {InPort<any>} */
  raw = this.input();
  converted = this.output();
  upper = this.mode({ initial: true });
  lower = this.mode();
  r1 = this.reaction(
    { mode: this.upper, triggers: this.raw, effects: [this.converted, this.lower.reset] },
    () => {
      this.converted.set(this.raw.get().toUpperCase());
      if (this.raw.get() === ' ') this.lower.reset.set();
    },
  );
  r2 = this.reaction(
    { mode: this.lower, triggers: this.raw, effects: [this.converted, this.upper.reset] },
    () => {
      this.converted.set(this.raw.get().toLowerCase());
      if (this.raw.get() === ' ') this.upper.reset.set();
    },
  );
}

class Processor extends Part {
  discard = this.input();
  character = this.input();
  converted = this.output();
  converting = this.mode({ initial: true });
  discarding = this.mode();
  back = this.params.history ? this.converting.history : this.converting.reset;
  converter = new Converter(this.converting);
  wires = this.connect(
    [this.character, this.converter.converted],
    [this.converter.raw, this.converted],
    { mode: this.converting },
  );
  r1 = this.reaction(
    { mode: this.converting, triggers: this.discard, effects: this.discarding.reset },
    () => this.discarding.reset.set(),
  );
  r2 = this.reaction(
    { mode: this.discarding, triggers: this.character, effects: this.converted },
    () => this.converted.set('_'),
  );
  r3 = this.reaction({ mode: this.discarding, triggers: this.character, effects: this.back }, () =>
    this.back.set(),
  );
}

class Feeder extends Part {
  character = this.output();
  tick = this.timer(0, 250);
  index = 0;
  r = this.reaction({ triggers: this.tick, effects: this.character }, () => {
    const { message } = this.params;
    if (this.index < message.length) this.character.set(message[this.index]);
    this.index += 1;
  });
}

class TwoTexts extends Part {
  /** @type {InPort<any>} */
  a = this.input();
  /** @type {InPort<any>} */
  b = this.input();
  r = this.reaction({ triggers: [this.a, this.b] }, () =>
    this.note(JSON.stringify(this.a.get() + this.b.get())),
  );
}

const converted = ['HH', 'EE', 'LL', '__', 'OO', '  ', 'ww', '__', 'Rr', 'Ll', 'Dd', '__'];

export const convertCase = program({
  name: 'ConvertCaseTest',
  rule: 'the mode of a nested reactor is set back by a reset, and kept by history',
  parts: {
    stepper: [Stepper, { offset: 500, period: 1000 }],
    feeder: [Feeder, { message: 'Hello World!' }],
    reset: Processor,
    history: [Processor, { history: true }],
    print: TwoTexts,
  },
  connections: [
    { from: ['feeder.character'], to: ['reset.character', 'history.character'], repeat: true },
    { from: ['stepper.out'], to: ['reset.discard', 'history.discard'], repeat: true },
    { from: ['reset.converted', 'history.converted'], to: ['print.a', 'print.b'] },
  ],
  options: { timeout: 4000 },
  trace: { print: converted.map((text, i) => `${i * 250}.0 ${JSON.stringify(text)}`) },
});

class Forward extends Part {
  in = this.input();
  out = this.output();
  r = this.reaction({ triggers: this.in, effects: this.out }, () => this.out.set(this.in.get()));
}

class Nested extends Part {
  next = this.input();
  count = this.output();
  onlyInTwo = this.output();
  never = this.output();
  one = this.mode({ initial: true });
  two = this.mode();
  three = this.mode();
  forward = new Forward(this.two);
  wires = this.connect([this.next, this.forward.out], [this.forward.in, this.onlyInTwo], {
    mode: this.two,
  });
  r1 = this.reaction(
    { mode: this.one, triggers: this.next, effects: [this.count, this.two.reset] },
    () => {
      this.count.set(1);
      this.two.reset.set();
    },
  );
  r2 = this.reaction(
    { mode: this.two, triggers: this.next, effects: [this.count, this.one.reset] },
    () => {
      this.count.set(2);
      this.one.reset.set();
    },
  );
  r3 = this.reaction({ mode: this.three, triggers: this.next, effects: this.never }, () =>
    this.never.set(true),
  );
}

class NestedCheck extends Part {
  count = this.input();
  onlyInTwo = this.input();
  never = this.input();
  r = this.reaction({ triggers: [this.count, this.onlyInTwo, this.never] }, () =>
    this.note(this.count.get(), this.onlyInTwo.isPresent(), this.never.isPresent()),
  );
}

export const modalNestedReactions = program({
  name: 'ModalNestedReactions',
  rule: 'what lies in a mode that is not active does not react',
  parts: { stepper: [Stepper, { offset: 0, period: 250 }], counter: Nested, check: NestedCheck },
  connections: [
    { from: ['stepper.out'], to: ['counter.next'] },
    {
      from: ['counter.count', 'counter.onlyInTwo', 'counter.never'],
      to: ['check.count', 'check.onlyInTwo', 'check.never'],
    },
  ],
  options: { timeout: 750 },
  trace: {
    check: ['0.0 1 false false', '250.0 2 true false', '500.0 1 false false', '750.0 2 true false'],
  },
});

class Answers extends Part {
  /** @type {InMultiPort<number>} */
  req = this.inputs(2);
  rsp = this.outputs(2);
  r = this.reaction({ triggers: this.req, effects: this.rsp }, () =>
    this.req.forEachPresent((value, i) => this.rsp.set(i, value * this.params.factor)),
  );
}

class Selector extends Part {
  /** @type {InMultiPort<number>} */
  req = this.inputs(this.params.width);
  rsp = this.outputs(this.params.width);
  one = this.mode({ initial: true });
  two = this.mode();
  wires = [this.one, this.two].map((mode, i) => {
    const answers = Array.from(
      { length: this.params.width / 2 },
      () => new Answers(mode, { factor: 1 + 9 * i }),
    );
    this.connect(
      this.req,
      answers.map(({ req }) => req),
      { mode },
    );
    this.connect(
      answers.map(({ rsp }) => rsp),
      this.rsp,
      { mode },
    );
  });
  go = this.reaction({ mode: this.one, triggers: this.startup, effects: this.two.reset }, () =>
    this.two.reset.set(),
  );
}

class Asks extends Part {
  req = this.outputs(this.params.width);
  rsp = this.inputs(this.params.width);
  tick = this.timer(0, 1);
  go = this.reaction({ triggers: this.tick, effects: this.req }, () => {
    for (let i = 0; i < this.params.width; i += 1) this.req.set(i, i);
  });
  got = this.reaction({ triggers: this.rsp }, () => this.note(this.rsp.values()));
}

/** @type {(name: string, width: number, src: string[]) => any} */
const modalMultiportOf = (name, width, src) =>
  program({
    name,
    rule: 'multiports lead into the reactors of a mode, and out of them',
    parts: { src: [Asks, { width }], sel: [Selector, { width }] },
    connections: [{ from: ['src.req', 'sel.rsp'], to: ['sel.req', 'src.rsp'] }],
    options: { timeout: 1 },
    trace: { src },
  });

export const modalMultiport = modalMultiportOf('ModalMultiport', 2, ['0.0 0 1', '1.0 0 10']);
export const modalMultiportBank = modalMultiportOf('ModalMultiportBank', 4, [
  '0.0 0 1 2 3',
  '1.0 0 10 20 30',
]);

class TwoFeeders extends Part {
  next = this.input();
  count = this.output();
  one = this.mode({ initial: true });
  two = this.mode();
  c1 = new Counter(this.one, { period: 250 });
  c2 = new Counter(this.two, { period: 100 });
  wire = this.connect(this.c1.value, this.count, { mode: this.one });
  r1 = this.reaction({ mode: this.one, triggers: this.next, effects: this.two.reset }, () =>
    this.two.reset.set(),
  );
  feed = this.params.byReaction
    ? this.reaction({ mode: this.two, triggers: this.c2.value, effects: this.count }, () =>
        this.count.set(this.c2.value.get() * 10),
      )
    : this.connect(this.c2.value, this.count, { mode: this.two });
  r2 = this.reaction({ mode: this.two, triggers: this.next, effects: this.one.history }, () =>
    this.one.history.set(),
  );
}

/** @type {(name: string, byReaction: boolean, factor: number) => any} */
const feeders = (name, byReaction, factor) =>
  program({
    name,
    rule: `one output is written in one mode by a connection, in another by a ${byReaction ? 'reaction' : 'connection'}`,
    parts: {
      stepper: [Stepper, { period: 500 }],
      modal: [TwoFeeders, { byReaction }],
      print: Print,
    },
    connections: [{ from: ['stepper.out', 'modal.count'], to: ['modal.next', 'print.in'] }],
    options: { timeout: 2000 },
    trace: {
      print: [
        '0.0 0',
        '250.0 1',
        '500.0 2',
        '500.1 0',
        ...[1, 2, 3, 4, 5].map(i => `${500 + 100 * i}.0 ${i * factor}`),
        '1250.0 3',
        '1500.0 4',
        '1500.1 0',
        ...[1, 2, 3, 4, 5].map(i => `${1500 + 100 * i}.0 ${i * factor}`),
      ],
    },
  });

export const multipleOutputFeeder = feeders('MultipleOutputFeeder_2Connections', false, 1);
export const multipleOutputFeederReaction = feeders(
  'MultipleOutputFeeder_ReactionConnections',
  true,
  10,
);

export const buildReactor = reactorBuilder(
  count3Modes,
  banksCount3ModesSimple,
  banksCount3ModesComplex,
  convertCase,
  modalNestedReactions,
  modalMultiport,
  modalMultiportBank,
  multipleOutputFeeder,
  multipleOutputFeederReaction,
);
