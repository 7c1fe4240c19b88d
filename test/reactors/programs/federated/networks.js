// After AfterDelays, Absent, ChainWithDelay, DistributedLogicalActionUpstreamLong, DistributedLoopedAction,
// DistributedDoublePort, DistributedDoublePortLooped, DistributedCount, DistributedBank, DistributedMultiport,
// DistributedNetworkOrder, TopLevelArtifacts, HelloDistributed, ParallelSources, ParallelDestinations of Lingua Franca.

import { Part, program, reactorBuilder } from '../../program.js';
import { Count, Pass, Print } from '../parts.js';
import { PrintBank, Wide } from '../multiport/parts.js';
import { LoopedSender } from '../stop/stop.js';

class Alternates extends Part {
  out1 = this.output();
  out2 = this.output();
  in1 = this.input();
  in2 = this.input();
  t = this.timer(0, 20);
  count = 1;
  send = this.reaction({ triggers: this.t, effects: [this.out1, this.out2] }, () => {
    (this.count % 2 === 0 ? this.out1 : this.out2).set(this.count);
    this.count += 1;
  });
  r1 = this.reaction({ triggers: this.in1 }, () => this.note('in1', this.in1.get()));
  r2 = this.reaction({ triggers: this.in2 }, () => this.note('in2', this.in2.get()));
}

class Switch extends Part {
  in1 = this.input();
  in2 = this.input();
  out1 = this.output();
  out2 = this.output();
  r1 = this.reaction({ triggers: this.in1, effects: this.out2 }, () =>
    this.out2.set(this.in1.get()),
  );
  r2 = this.reaction({ triggers: this.in2, effects: this.out1 }, () =>
    this.out1.set(this.in2.get()),
  );
}

export const afterDelays = program({
  name: 'AfterDelays',
  rule: 'rings of delays through switches',
  parts: { n1: Alternates, n2: Alternates, sw1: Switch, sw2: Switch },
  connections: [
    {
      from: ['n1.out1', 'sw1.out2', 'n1.out2', 'sw2.out1'],
      to: ['sw1.in2', 'n1.in1', 'sw2.in1', 'n1.in2'],
      after: 1,
    },
    {
      from: ['sw2.out2', 'n2.out1', 'n2.out2', 'sw1.out1'],
      to: ['n2.in1', 'sw2.in2', 'sw1.in1', 'n2.in2'],
      after: 1,
    },
  ],
  options: { timeout: 50 },
  trace: {
    n1: ['2.0 in1 1', '22.0 in2 2', '42.0 in1 3'],
    n2: ['2.0 in1 1', '22.0 in2 2', '42.0 in1 3'],
  },
});

class Receiver extends Part {
  in1 = this.input();
  in2 = this.input();
  r1 = this.reaction({ triggers: this.in1 }, () => this.note('in1', this.in1.get()));
  r2 = this.reaction({ triggers: this.in2 }, () => this.note('in2', this.in2.get()));
}

export const absent = program({
  name: 'Absent',
  rule: 'of two connections between the same two each is used at its tags',
  parts: { s: Alternates, r: Receiver },
  connections: [{ from: ['s.out1', 's.out2'], to: ['r.in1', 'r.in2'] }],
  options: { timeout: 70 },
  trace: { r: ['0.0 in2 1', '20.0 in1 2', '40.0 in2 3', '60.0 in1 4'] },
});

class InternalDelay extends Part {
  in = this.input();
  out = this.output();
  d = this.action();
  take = this.reaction({ triggers: this.in, effects: this.d }, () =>
    this.d.schedule(this.params.delay, this.in.get()),
  );
  send = this.reaction({ triggers: this.d, effects: this.out }, () => this.out.set(this.d.get()));
}

export const chainWithDelay = program({
  name: 'ChainWithDelay',
  rule: 'a delay within a reactor of the chain: the next tag is no bound for what comes later',
  parts: { c: [Count, { period: 1000 }], i: [InternalDelay, { delay: 500 }], t: Print },
  connections: [{ from: ['c.out', 'i.out'], to: ['i.in', 't.in'] }],
  options: { timeout: 3000 },
  trace: { t: ['500.0 1', '1500.0 2', '2500.0 3'] },
});

class ByAction extends Part {
  out = this.output();
  act = this.action();
  counter = 1;
  r = this.reaction({ triggers: [this.startup, this.act], effects: [this.act, this.out] }, () => {
    this.out.set(this.counter);
    this.counter += 1;
    this.act.schedule(50);
  });
}

const passes = Array.from({ length: 10 }, (_, i) => `pass${i}`);

export const upstreamLong = program({
  name: 'DistributedLogicalActionUpstreamLong',
  rule: 'a value passes ten reactors at its tag',
  parts: { a: ByAction, ...Object.fromEntries(passes.map(name => [name, Pass])), test: Print },
  connections: [
    {
      from: ['a.out', ...passes.map(name => `${name}.out`)],
      to: [...passes.map(name => `${name}.in`), 'test.in'],
    },
  ],
  options: { timeout: 200 },
  trace: { test: ['0.0 1', '50.0 2', '100.0 3', '150.0 4', '200.0 5'] },
});

class Listens extends Part {
  in = this.input();
  t = this.timer(0, 1);
  ticks = 0;
  got = this.reaction({ triggers: this.in }, () => this.note(this.in.get()));
  tick = this.reaction({ triggers: this.t }, () => {
    this.ticks += 1;
  });
}

export const loopedAction = program({
  name: 'DistributedLoopedAction',
  rule: 'microsteps of the sender are those of the receiver',
  parts: { sender: [LoopedSender, { takeBreakAfter: 4, breakInterval: 400 }], receiver: Listens },
  connections: [{ from: ['sender.out'], to: ['receiver.in'] }],
  options: { timeout: 1000 },
  trace: {
    receiver: [
      '0.0 0',
      ...[0, 400, 800].flatMap(at => [0, 1, 2, 3].map(i => `${at}.${i} ${i}`)).slice(1),
    ],
  },
});

class CountMicrostep extends Part {
  out = this.output();
  act = this.action();
  t = this.timer(0, this.params.period);
  count = 1;
  go = this.reaction({ triggers: this.t, effects: this.act }, () => {
    this.act.schedule(0, this.count);
    this.count += 1;
  });
  send = this.reaction({ triggers: this.act, effects: this.out }, () =>
    this.out.set(this.act.get()),
  );
}

class PrintTwo extends Part {
  in1 = this.input();
  in2 = this.input();
  t = this.timer(0, 2000);
  out = this.output();
  r = this.reaction({ triggers: [this.in1, this.in2, this.t], effects: this.out }, () => {
    this.note(this.in1.get() ?? '-', this.in2.get() ?? '-', this.t.isPresent() ? 't' : '-');
    this.out.set(this.in1.get() ?? 0);
  });
}

export const doublePortDistributed = program({
  name: 'DistributedDoublePort',
  rule: 'two senders, one of them a microstep later',
  parts: { c: [Count, { period: 1000 }], cm: [CountMicrostep, { period: 1000 }], p: PrintTwo },
  connections: [{ from: ['c.out', 'cm.out'], to: ['p.in1', 'p.in2'] }],
  options: { timeout: 1900 },
  trace: { p: ['0.0 1 - t', '0.1 - 1 -', '1000.0 2 - -', '1000.1 - 2 -'] },
});

class LoopCount extends Part {
  in1 = this.input();
  in3 = this.input();
  out1 = this.output();
  out2 = this.output();
  t = this.timer(0, 1000);
  count = 1;
  r1 = this.reaction({ triggers: this.in1, effects: this.out1 }, () => {});
  r2 = this.reaction({ triggers: this.t, effects: this.out2 }, () => {
    this.out2.set(this.count);
    this.count += 1;
  });
  r3 = this.reaction({ triggers: this.in3 }, () => this.note('back', this.in3.get()));
}

export const doublePortLooped = program({
  name: 'DistributedDoublePortLooped',
  rule: 'and what the receiver says comes back at the tag',
  parts: {
    f: [Count, { period: 700 }],
    c: LoopCount,
    cm: [CountMicrostep, { period: 1000 }],
    p: PrintTwo,
  },
  connections: [
    { from: ['f.out', 'c.out2', 'cm.out', 'p.out'], to: ['c.in1', 'p.in1', 'p.in2', 'c.in3'] },
  ],
  options: { timeout: 1900 },
  trace: {
    c: ['0.0 back 1', '0.1 back 0', '1000.0 back 2', '1000.1 back 0'],
    p: ['0.0 1 - t', '0.1 - 1 -', '1000.0 2 - -', '1000.1 - 2 -'],
  },
});

export const distributedCount = program({
  name: 'DistributedCount',
  rule: 'an offset of the source, and a delay of the connection',
  parts: { c: [Count, { offset: 200, period: 1000 }], p: Print },
  connections: [{ from: ['c.out'], to: ['p.in'], after: 200 }],
  options: { timeout: 3500 },
  trace: { p: ['400.0 1', '1400.0 2', '2400.0 3', '3400.0 4'] },
});

class Ticker extends Part {
  t = this.timer(0, 10);
  count = 0;
  r = this.reaction({ triggers: this.t }, () => {
    this.count += 1;
  });
  end = this.reaction({ triggers: this.shutdown }, () => this.note(this.count));
}

export const distributedBank = program({
  name: 'DistributedBank',
  rule: 'reactors that nothing connects run by the same time',
  parts: { n0: Ticker, n1: Ticker },
  options: { timeout: 100, keepalive: true },
  trace: { n0: ['100.0 11'], n1: ['100.0 11'] },
});

export const distributedMultiport = program({
  name: 'DistributedMultiport',
  rule: 'channels of a multiport to the members of a bank',
  parts: { s: [Wide, { counts: true, period: 10 }], d: PrintBank },
  connections: [{ from: ['s.out'], to: ['d.in'] }],
  options: { timeout: 10 },
  trace: { d: [0, 1].flatMap(n => [0, 1, 2, 3].map(i => `${n * 10}.0 ${i} ${n}`)) },
});

class SendsTwice extends Part {
  early = this.output();
  t = this.timer(0, 5);
  count = 0;
  r = this.reaction({ triggers: this.t, effects: this.early }, () => {
    this.count += 1;
    this.early.set(this.count);
  });
}

export const parallelWays = program({
  name: 'DelayToPhysicalActionParallelPaths',
  rule: 'two delayed ways of one output to two inputs meet where their times do',
  parts: { s: SendsTwice, r: PrintTwo },
  connections: [
    { from: ['s.early'], to: ['r.in1'], after: 10 },
    { from: ['s.early'], to: ['r.in2'], after: 5 },
  ],
  options: { timeout: 16 },
  trace: { r: ['0.0 - - t', '5.0 - 1 -', '10.0 1 2 -', '15.0 2 3 -'] },
});

class Destination extends Part {
  in = this.input();
  r = this.reaction({ triggers: [this.startup, this.in] }, () =>
    this.note(this.startup.isPresent() ? 'startup' : '', this.in.get() ?? '-'),
  );
  end = this.reaction({ triggers: this.shutdown }, () => this.note('shutdown'));
}

class SendsHello extends Part {
  out = this.output();
  r = this.reaction({ triggers: this.startup, effects: this.out }, () =>
    this.out.set('Hello World!'),
  );
}

export const helloDistributed = program({
  name: 'HelloDistributed',
  rule: 'a text is sent at startup and arrives at startup',
  parts: { s: SendsHello, d: Destination },
  connections: [{ from: ['s.out'], to: ['d.in'] }],
  options: { timeout: 10, keepalive: true },
  trace: { d: ['0.0 startup Hello World!', '10.0 shutdown'] },
});

class Artifacts extends Part {
  t = this.timer(0, 1000);
  act = this.action();
  successes = 0;
  first = this.reaction({ triggers: this.startup }, () => this.success());
  onT = this.reaction({ triggers: this.t, effects: this.act }, () => {
    this.success();
    this.act.schedule();
  });
  onAct = this.reaction({ triggers: this.act }, () => this.success());
  end = this.reaction({ triggers: this.shutdown }, () => this.note('shutdown', this.successes));
  success() {
    this.successes += 1;
    this.note(this.successes);
  }
}

export const topLevelArtifacts = program({
  name: 'TopLevelArtifacts',
  rule: 'a reactor without ports beside others',
  parts: { top: Artifacts, c: [Count, { period: 1000 }], tc: Print },
  connections: [{ from: ['c.out'], to: ['tc.in'] }],
  options: { timeout: 1, keepalive: true },
  trace: { top: ['0.0 1', '0.0 2', '0.1 3', '1.0 shutdown 3'], tc: ['0.0 1'] },
});

export const parallelSources = program({
  name: 'ParallelSources',
  rule: 'two sources of one clock, apart from each other',
  parts: { s1: [Count, { period: 10 }], s2: [Count, { period: 10 }], d1: Print, d2: Print },
  connections: [{ from: ['s1.out', 's2.out'], to: ['d1.in', 'd2.in'] }],
  options: { timeout: 20 },
  trace: { d1: ['0.0 1', '10.0 2', '20.0 3'], d2: ['0.0 1', '10.0 2', '20.0 3'] },
});

export const diamond = program({
  name: 'DistributedDiamond',
  rule: 'ways through one, two and three reactors meet in one reaction',
  parts: { s: [Count, { period: 10 }], a: Pass, b: Pass, c: Pass, p: PrintTwo },
  connections: [
    {
      from: ['s.out', 's.out', 'b.out', 'a.out', 'c.out'],
      to: ['a.in', 'b.in', 'c.in', 'p.in1', 'p.in2'],
    },
  ],
  options: { timeout: 10 },
  trace: { p: ['0.0 1 1 t', '10.0 2 2 -'] },
});

export const buildReactor = reactorBuilder(
  afterDelays,
  absent,
  chainWithDelay,
  upstreamLong,
  loopedAction,
  doublePortDistributed,
  doublePortLooped,
  distributedCount,
  distributedBank,
  distributedMultiport,
  parallelWays,
  helloDistributed,
  topLevelArtifacts,
  parallelSources,
  diamond,
);
