// After Deadline, SimpleDeadline, DeadlineHandledAbove, DeadlineZero, DeadlineBodyless, DeadlineInherited,
// DeadlinePriority, DeadlineWithAfterDelay, DeadlineWithBanks, DeadlineUpdate, DeadlineUpdateIncrease,
// DeadlineUpdateDecrease, CommandLineDeadline of Lingua Franca. Where a reaction of theirs sleeps, the clock's script
// moves on. Which of several reactions runs first can be seen within one reactor only, so those programs have one part.

import { Part, program, reactorBuilder } from '../../program.js';
import { Count, Once, Pass, Print } from '../parts.js';

class Late extends Part {
  x = this.input();
  late = this.output();
  r = this.reaction(
    {
      triggers: this.x,
      effects: this.late,
      deadline: this.params.deadline,
      late: () => {
        this.note('late', this.x.get());
        this.late.set(true);
      },
    },
    () => this.note('in time', this.x.get()),
  );
}

export const deadline = program({
  name: 'Deadline',
  rule: 'the handler runs if physical time is ahead by more than the deadline',
  parts: { s: [Count, { start: 0, period: 1000 }], d: [Late, { deadline: 1300 }] },
  connections: [{ from: ['s.out'], to: ['d.x'] }],
  options: {
    timeout: 4000,
    clock: [
      [1000, 2500],
      [2000, 3300],
      [3000, 4301],
    ],
  },
  trace: {
    d: ['0.0 in time 0', '1000.0 late 1', '2000.0 in time 2', '3000.0 late 3', '4000.0 in time 4'],
  },
});

export const simpleDeadline = program({
  name: 'SimpleDeadline',
  rule: 'a handler writes an output at the same tag',
  parts: { s: Once, d: [Late, { deadline: '10 ms' }], p: Print },
  connections: [{ from: ['s.out', 'd.late'], to: ['d.x', 'p.in'] }],
  options: { clock: [[0, 20_000_000]] },
  trace: { d: ['0.0 late 1'], p: ['0.0 true'] },
});

class Above extends Part {
  d = new Late(this, { deadline: 10 });
  go = this.reaction({ triggers: this.startup, effects: this.d.x }, () => this.d.x.set(42));
  got = this.reaction({ triggers: this.d.late }, () => this.note('violation seen'));
}

export const deadlineHandledAbove = program({
  name: 'DeadlineHandledAbove',
  rule: 'a container reacts to what a handler within it writes',
  parts: { main: Above },
  options: { clock: [[0, 200]] },
  trace: { main: ['0.0 late 42', '0.0 violation seen'] },
});

export const deadlineExact = program({
  name: 'DeadlineExact',
  rule: 'just at the deadline is in time, a nanosecond later is not',
  parts: { s: [Count, { period: 100 }], d: [Late, { deadline: 10 }] },
  connections: [{ from: ['s.out'], to: ['d.x'] }],
  options: {
    timeout: 200,
    clock: [
      [100, 110],
      [200, 211],
    ],
  },
  trace: { d: ['0.0 in time 1', '100.0 in time 2', '200.0 late 3'] },
});

export const deadlineZero = program({
  name: 'DeadlineZero',
  rule: 'a deadline of 0 is always missed',
  parts: { s: [Count, { period: 100 }], d: [Late, { deadline: 0 }] },
  connections: [{ from: ['s.out'], to: ['d.x'] }],
  options: { timeout: 200 },
  trace: { d: ['0.0 late 1', '100.0 late 2', '200.0 late 3'] },
});

class Bodyless extends Part {
  x = this.input();
  r1 = this.reaction({ triggers: this.x, deadline: 10 }, () => this.note('first', this.x.get()));
  r2 = this.reaction({ triggers: this.x }, () => this.note('second', this.x.get()));
}

export const deadlineBodyless = program({
  name: 'DeadlineBodyless',
  rule: 'without a handler a reaction that is late does nothing, and the others run',
  parts: { s: [Count, { period: 100 }], d: Bodyless },
  connections: [{ from: ['s.out'], to: ['d.x'] }],
  options: { timeout: 100, clock: [[100, 150]] },
  trace: { d: ['0.0 first 1', '0.0 second 1', '100.0 second 2'] },
});

class Plain extends Part {
  t = this.timer(0, 100);
  r = this.reaction({ triggers: this.t }, () => this.note('plain'));
}

class Hasty extends Part {
  t = this.timer(0, 100);
  r = this.reaction({ triggers: this.t, deadline: this.params.deadline }, () =>
    this.note('within', this.params.deadline),
  );
}

class InheritsDeadline extends Part {
  t = this.timer(0, 100);
  r1 = this.reaction({ triggers: this.t }, () => this.note('before within 1000'));
  r2 = this.reaction({ triggers: this.t, deadline: 1000 }, () => this.note('within 1000'));
}

class Priority extends Part {
  a = new Plain(this);
  b = new Hasty(this, { deadline: 100_000 });
}

export const deadlinePriority = program({
  name: 'DeadlinePriority',
  rule: 'of what is ready, what has a deadline goes first',
  parts: { main: Priority },
  options: { timeout: 100 },
  trace: { main: ['0.0 within 100000', '0.0 plain', '100.0 within 100000', '100.0 plain'] },
});

class Inherited extends Part {
  a = new Plain(this);
  b = new Hasty(this, { deadline: 5000 });
  c = new InheritsDeadline(this);
}

export const deadlineInherited = program({
  name: 'DeadlineInherited',
  rule: 'what a reaction with a deadline depends on inherits it, and the deadline comes before the level',
  parts: { main: Inherited },
  trace: {
    main: ['0.0 before within 1000', '0.0 within 1000', '0.0 within 5000', '0.0 plain'],
  },
  options: { timeout: 0 },
});

class BankMember extends Part {
  t = this.timer(0, 100);
  out = this.output();
  r = this.reaction({ triggers: this.t, effects: this.out }, () =>
    this.note('member', this.getBankIndex()),
  );
}

class Sink extends Part {
  in = this.input();
  r = this.reaction({ triggers: this.in, deadline: this.params.deadline }, () => {});
}

class Bank extends Part {
  rp = this.bank(4, BankMember);
  sinks = [14, 12, 11, 13].map(deadline => new Sink(this, { deadline }));
  wire = this.connect(
    this.rp.port('out'),
    this.sinks.map(sink => sink.in),
  );
}

export const deadlineWithBanks = program({
  name: 'DeadlineWithBanks',
  rule: 'each member of a bank inherits the deadline of what is behind it',
  parts: { main: Bank },
  options: { timeout: 100 },
  trace: {
    main: [0, 100].flatMap(at => [2, 1, 3, 0].map(member => `${at}.0 member ${member}`)),
  },
});

class Earlier extends Part {
  t = this.timer(0, 100);
  out = this.output();
  r = this.reaction({ triggers: this.t, effects: this.out }, () => {
    this.note('source');
    this.out.set(1);
  });
}

class DelayedSink extends Part {
  in = this.input();
  r = this.reaction({ triggers: this.in, deadline: 100_000 }, () => this.note('sink'));
}

class WithAfter extends Part {
  a = new Earlier(this);
  b = new DelayedSink(this);
  wire = this.connect(this.a.out, this.b.in, { after: 100 });
}

export const deadlineWithAfterDelay = program({
  name: 'DeadlineWithAfterDelay',
  rule: 'a deadline is not inherited over a delay: at one tag the delayed one goes first',
  parts: { main: WithAfter },
  options: { timeout: 200 },
  trace: { main: ['0.0 source', '100.0 sink', '100.0 source', '200.0 sink', '200.0 source'] },
});

class Updates extends Part {
  t = this.timer(0, 1000);
  d = this.reaction(
    { triggers: this.t, deadline: this.params.from, late: () => this.note('late') },
    () => {
      this.note('in time');
      this.d.setDeadline(this.params.to);
    },
  );
}

export const deadlineUpdateIncrease = program({
  name: 'DeadlineUpdateIncrease',
  rule: 'a deadline that was made longer holds from the next time on',
  parts: { main: [Updates, { from: 200, to: 1000 }] },
  options: {
    timeout: 2000,
    clock: [
      [1000, 1900],
      [2000, 3001],
    ],
  },
  trace: { main: ['0.0 in time', '1000.0 in time', '2000.0 late'] },
});

export const deadlineUpdateDecrease = program({
  name: 'DeadlineUpdateDecrease',
  rule: 'a deadline that was made shorter holds from the next time on',
  parts: { main: [Updates, { from: 1000, to: 200 }] },
  options: {
    timeout: 2000,
    clock: [
      [0, 900],
      [1000, 1201],
      [2000, 2200],
    ],
  },
  trace: { main: ['0.0 in time', '1000.0 late', '2000.0 in time'] },
});

class Anytime extends Part {
  t = this.timer(0, 100);
  d = this.reaction({ triggers: this.t, deadline: 100, late: () => this.note('late') }, () => {
    const before = this.util.checkDeadline();
    this.d.setDeadline(20);
    this.note(before, this.util.checkDeadline());
    this.d.setDeadline(100);
  });
}

export const deadlineAnytime = program({
  name: 'DeadlineAnytime',
  rule: 'a reaction that runs may ask whether its deadline has passed meanwhile',
  parts: { main: Anytime },
  options: {
    timeout: 200,
    clock: [
      [100, 150],
      [200, 301],
    ],
  },
  trace: { main: ['0.0 false false', '100.0 false true', '200.0 late'] },
});

export const deadlineChain = program({
  name: 'DeadlineDownstream',
  rule: 'each reaction on a way looks at the clock for itself',
  parts: {
    s: [Count, { period: 100 }],
    d1: [Late, { deadline: 50 }],
    pass: Pass,
    d2: [Late, { deadline: 20 }],
  },
  connections: [{ from: ['s.out', 's.out', 'pass.out'], to: ['d1.x', 'pass.in', 'd2.x'] }],
  options: {
    timeout: 200,
    clock: [
      [100, 130],
      [200, 260],
    ],
  },
  trace: {
    d1: ['0.0 in time 1', '100.0 in time 2', '200.0 late 3'],
    d2: ['0.0 in time 1', '100.0 late 2', '200.0 late 3'],
  },
});

export const buildReactor = reactorBuilder(
  deadline,
  simpleDeadline,
  deadlineHandledAbove,
  deadlineExact,
  deadlineZero,
  deadlineBodyless,
  deadlinePriority,
  deadlineInherited,
  deadlineWithBanks,
  deadlineWithAfterDelay,
  deadlineUpdateIncrease,
  deadlineUpdateDecrease,
  deadlineAnytime,
  deadlineChain,
);
