// After BankGangedConnections, BankMulticast, BankMultiportIsPresentSetup, BankMultiportToReaction,
// BankOfActionsIsPresentSetup, BankReactionsInContainer, BankSelfBroadcast, BankToReaction, DualBanks,
// DualBanksMultiport, ReactionToContainedBank, ReactionToContainedBank2, ReactionToContainedBankMultiport,
// ReactionsToNested of Lingua Franca. What they show is between a container and its banks.

import { Part, program, reactorBuilder } from '../../program.js';
import { Count, Pass, Print } from '../parts.js';
import { Indexed, IndexedPrint } from '../multiport/parts.js';

class Ganged extends Part {
  in = this.input();
  out = this.output();
  b = this.bank(2, Pass);
  wire = this.connect([this.in, this.b.port('out')], [this.b.port('in'), this.out]);
}

export const bankGangedConnections = program({
  name: 'BankGangedConnections',
  rule: 'one connection makes a chain of the members of a bank',
  parts: { s: [Count, { period: 10 }], bank: Ganged, t: Print },
  connections: [{ from: ['s.out', 'bank.out'], to: ['bank.in', 't.in'] }],
  options: { timeout: 10 },
  trace: { t: ['0.0 1', '10.0 2'] },
});

class Foo extends Part {
  in = this.input();
  out = this.output();
  c = new Count(this, { start: this.getBankIndex() * 10, period: 10 });
  d = new IndexedPrint(this);
  wires = this.connect([this.c.out, this.in], [this.out, this.d.in]);
}

class Multicast extends Part {
  out = this.outputs(2);
  foo = this.bank(2, Foo);
  wires = [
    this.connect(this.foo.port('out'), this.foo.port('in')),
    this.connect(this.foo.port('out'), this.out),
  ];
}

class Sink extends Part {
  in = this.inputs(2);
  r = this.reaction({ triggers: this.in }, () => this.note(this.in.values()));
}

export const bankMulticast = program({
  name: 'BankMulticast',
  rule: 'a bank sends to its own members and out of its container at once',
  parts: { bar: Multicast, d: Sink },
  connections: [{ from: ['bar.out'], to: ['d.in'] }],
  options: { timeout: 10 },
  trace: {
    bar: ['0.0 -1 0', '0.0 -1 10', '10.0 -1 1', '10.0 -1 11'],
    d: ['0.0 0 10', '10.0 1 11'],
  },
});

class TwoWrites extends Part {
  out = this.outputs(2);
  r1 = this.reaction({ triggers: this.startup, effects: this.out }, () => this.out.set(0, 42));
  r2 = this.reaction({ triggers: this.startup, effects: this.out }, () => this.out.set(1, 43));
}

class ThreeInputs extends Part {
  in = this.inputs(3);
  in2 = this.inputs(3);
  r = this.reaction({ triggers: this.in }, () => this.note('in', this.in.values()));
  r2 = this.reaction({ triggers: this.in2 }, () => this.note('in2', this.in2.values()));
}

class Setup extends Part {
  r1 = this.bank(3, TwoWrites);
  r4 = this.bank(2, ThreeInputs);
  wire = this.connect(this.r1.port('out'), this.r4.port('in'));
  r = this.reaction({ triggers: this.startup, effects: this.r4.port('in2') }, () => {
    for (let i = 0; i < 3; i += 1) {
      this.r4.get(0).in2.set(i, 44 + 2 * i);
      this.r4.get(1).in2.set(i, 45 + 2 * i);
    }
  });
}

class Sorted extends Part {
  /** @type {string[]} */
  lines = [];
  setup = new Setup(this, {}, { log: (_, text) => void this.lines.push(text) });
  end = this.reaction({ triggers: this.shutdown }, () => {
    for (const line of this.lines.sort()) this.note(line);
  });
}

export const bankMultiportIsPresentSetup = program({
  name: 'BankMultiportIsPresentSetup',
  rule: 'banks of multiports are written by reactions and by connections at one tag',
  parts: { main: Sorted },
  options: { timeout: 10, keepalive: true },
  trace: {
    main: ['10.0 in 42 43 42', '10.0 in 43 42 43', '10.0 in2 44 46 48', '10.0 in2 45 47 49'],
  },
});

class DoubleCount extends Part {
  out = this.outputs(2);
  c1 = new Count(this, { period: 1000 });
  c2 = new Count(this, { start: 10, period: 1000 });
  wire = this.connect([this.c1.out, this.c2.out], this.out);
}

class MultiportsToReaction extends Part {
  s = this.bank(2, DoubleCount);
  r = this.reaction({ triggers: this.s.port('out') }, () =>
    this.note(this.s.all().map(({ out }) => out.values())),
  );
}

export const bankMultiportToReaction = program({
  name: 'BankMultiportToReaction',
  rule: 'a reaction to a multiport of all members runs once a tag',
  parts: { main: MultiportsToReaction },
  options: { timeout: 1000 },
  trace: { main: ['0.0 1,10 1,10', '1000.0 2,11 2,11'] },
});

class Actor extends Part {
  a = this.action();
  go = this.reaction({ triggers: this.startup, effects: this.a }, () =>
    this.a.schedule(this.getBankIndex()),
  );
  r = this.reaction({ triggers: this.a }, () => this.note(this.getBankIndex()));
}

class Actors extends Part {
  b = this.bank(4, Actor);
}

export const bankOfActions = program({
  name: 'BankOfActionsIsPresentSetup',
  rule: 'each member of a bank has an action of its own',
  parts: { main: Actors },
  trace: { main: ['0.1 0', '1.0 1', '2.0 2', '3.0 3'] },
});

class Both extends Part {
  in = this.inputs(2);
  out = this.outputs(2);
  go = this.reaction({ triggers: this.startup, effects: this.out }, () => {
    for (let i = 0; i < 2; i += 1) this.out.set(i, this.getBankIndex() * 2 + i);
  });
  r = this.reaction({ triggers: this.in }, () =>
    this.note('inner', this.getBankIndex(), this.in.values()),
  );
}

class InContainer extends Part {
  s = this.bank(2, Both);
  go = this.reaction({ triggers: this.startup, effects: this.s.port('in') }, () => {
    let count = 0;
    for (const member of this.s) for (let i = 0; i < 2; i += 1) member.in.set(i, count++);
  });
  got = this.reaction({ triggers: this.s.port('out') }, () =>
    this.note(
      'outer',
      this.s.all().map(({ out }) => out.values()),
    ),
  );
}

export const bankReactionsInContainer = program({
  name: 'BankReactionsInContainer',
  rule: 'the container writes all inputs of a bank and reads all outputs, at one tag',
  parts: { main: InContainer },
  trace: { main: ['0.0 inner 0 0 1', '0.0 inner 1 2 3', '0.0 outer 0,1 2,3'] },
});

class Broadcasts extends Part {
  in = this.inputs(4);
  out = this.output();
  go = this.reaction({ triggers: this.startup, effects: this.out }, () =>
    this.out.set(this.getBankIndex()),
  );
  r = this.reaction({ triggers: this.in }, () => this.note(this.getBankIndex(), this.in.values()));
}

class SelfBroadcast extends Part {
  a = this.bank(4, Broadcasts);
  wire = this.connect(this.a.port('out'), this.a.port('in'), { repeat: true });
}

export const bankSelfBroadcast = program({
  name: 'BankSelfBroadcast',
  rule: 'every member of a bank hears all members',
  parts: { main: SelfBroadcast },
  trace: { main: [0, 1, 2, 3].map(i => `0.0 ${i} 0 1 2 3`) },
});

class BankToReaction extends Part {
  s = this.bank(2, Count, { period: 1000 });
  r = this.reaction({ triggers: this.s.port('out') }, () =>
    this.note(this.s.all().map(({ out }) => out.get())),
  );
}

export const bankToReaction = program({
  name: 'BankToReaction',
  rule: 'a reaction to an output of all members runs once a tag',
  parts: { main: BankToReaction },
  options: { timeout: 1000 },
  trace: { main: ['0.0 1 1', '1000.0 2 2'] },
});

class Hears extends Part {
  in = this.inputs(this.params.width);
  r = this.reaction({ triggers: this.in }, () =>
    this.note(this.params.name, this.getBankIndex(), this.in.present()),
  );
}

class Dual extends Part {
  hellos = this.bank(3, Hears, { name: 'hello', width: this.params.width });
  worlds = this.bank(2, Hears, { name: 'world', width: this.params.width });
  r = this.reaction(
    { triggers: this.startup, effects: [this.hellos.port('in'), this.worlds.port('in')] },
    () => {
      for (const bank of [this.hellos, this.worlds]) {
        for (const member of bank) {
          for (let i = 0; i < this.params.width; i += 1) member.in.set(i, true);
        }
      }
    },
  );
}

/** @type {(name: string, width: number) => any} */
const dual = (name, width) => {
  const channels = Array.from({ length: width }, (_, i) => i).join(' ');
  return program({
    name,
    rule: 'one reaction writes to two banks',
    parts: { main: [Dual, { width }] },
    trace: {
      main: [
        ...[0, 1, 2].map(i => `0.0 hello ${i} ${channels}`),
        ...[0, 1].map(i => `0.0 world ${i} ${channels}`),
      ],
    },
  });
};

export const dualBanks = dual('DualBanks', 1);
export const dualBanksMultiport = dual('DualBanksMultiport', 2);

class ToBank extends Part {
  test = this.bank(this.params.width, IndexedPrint);
  tick = this.timer(0, 100);
  count = 1;
  r = this.reaction({ triggers: this.tick, effects: this.test.port('in') }, () => {
    for (const member of this.test) member.in.set(this.count);
    this.count += 1;
  });
}

export const reactionToContainedBank = program({
  name: 'ReactionToContainedBank',
  rule: 'a reaction writes to all members of a bank',
  parts: { main: [ToBank, { width: 2 }] },
  options: { timeout: 100 },
  trace: { main: ['0.0 0 1', '0.0 1 1', '100.0 0 2', '100.0 1 2'] },
});

export const reactionToContainedBank2 = program({
  name: 'ReactionToContainedBank2',
  rule: 'two containers with banks of different widths',
  parts: { a: [ToBank, { width: 1 }], b: [ToBank, { width: 3 }] },
  options: { timeout: 0 },
  trace: { a: ['0.0 0 1'], b: ['0.0 0 1', '0.0 1 1', '0.0 2 1'] },
});

class ToBankMultiport extends Part {
  test = this.bank(2, Hears, { name: '', width: 3 });
  r = this.reaction({ triggers: this.startup, effects: this.test.port('in') }, () => {
    this.test.get(0).in.set(1, 'x');
    this.test.get(1).in.set(2, 'x');
    this.test.get(1).in.set(0, 'x');
  });
}

export const reactionToContainedBankMultiport = program({
  name: 'ReactionToContainedBankMultiport',
  rule: 'a reaction writes single channels of members',
  parts: { main: ToBankMultiport },
  trace: { main: ['0.0  0 1', '0.0  1 0 2'] },
});

class Inner extends Part {
  y = this.inputs(2);
  t1 = new Print(this);
  t2 = new Print(this);
  wire = this.connect(this.y, [this.t1.in, this.t2.in]);
}

class ToNested extends Part {
  d = new Inner(this);
  r1 = this.reaction({ triggers: this.startup, effects: this.d.y }, () => this.d.y.set(0, 42));
  r2 = this.reaction({ triggers: this.startup, effects: this.d.y }, () => this.d.y.set(1, 43));
}

export const reactionsToNested = program({
  name: 'ReactionsToNested',
  rule: 'two reactions write different channels that lead to nested reactors',
  parts: { main: ToNested },
  trace: { main: ['0.0 42', '0.0 43'] },
});

class Source extends Part {
  members = this.bank(3, Indexed, { base: 5 });
  r = this.reaction({ triggers: this.members.get(1).out }, () =>
    this.note(this.members.get(1).out.get()),
  );
}

export const bankMember = program({
  name: 'BankMember',
  rule: 'one member of a bank is read alone',
  parts: { main: Source },
  trace: { main: ['0.0 6'] },
});

export const buildReactor = reactorBuilder(
  bankGangedConnections,
  bankMulticast,
  bankMultiportIsPresentSetup,
  bankMultiportToReaction,
  bankOfActions,
  bankReactionsInContainer,
  bankSelfBroadcast,
  bankToReaction,
  dualBanks,
  dualBanksMultiport,
  reactionToContainedBank,
  reactionToContainedBank2,
  reactionToContainedBankMultiport,
  reactionsToNested,
  bankMember,
);
