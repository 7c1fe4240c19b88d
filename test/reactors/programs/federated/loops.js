// After LoopDistributedCentralizedPrecedence, LoopDistributedCentralized2, LoopDistributedDouble, FeedbackDelay,
// FeedbackDelay4, FeedbackDelaySimple, CyclesWithDelay, Dataflow, PingPongDistributed, DistributedDoublePortLooped,
// SimpleFederated, BroadcastFeedback, BroadcastFeedbackWithHierarchy of Lingua Franca.

import { Part, program, reactorBuilder } from '../../program.js';

/** @import { InPort } from 'swingset-runner/reactor' */

class Looper extends Part {
  in = this.input();
  out = this.output();
  t = this.timer(0, 1000);
  count = 0;
  send = this.reaction({ triggers: this.t, effects: this.out }, () => {
    this.out.set(this.count);
    this.count += this.params.incr;
  });
  got = this.reaction({ triggers: this.in }, () => this.note('in', this.in.get()));
  after = this.reaction({ triggers: this.t }, () => this.note('t', this.count));
}

export const loopPrecedence = program({
  name: 'LoopDistributedCentralizedPrecedence',
  rule: 'two reactors send to each other at one tag, each before it reads',
  parts: { left: [Looper, { incr: 1 }], right: [Looper, { incr: -1 }] },
  connections: [{ from: ['left.out', 'right.out'], to: ['right.in', 'left.in'] }],
  options: { timeout: 2000 },
  trace: {
    left: ['0.0 in 0', '0.0 t 1', '1000.0 in -1', '1000.0 t 2', '2000.0 in -2', '2000.0 t 3'],
    right: ['0.0 in 0', '0.0 t -1', '1000.0 in 1', '1000.0 t -2', '2000.0 in 2', '2000.0 t -3'],
  },
});

class Looper2 extends Part {
  in = this.input();
  out = this.output();
  t = this.timer(0, 1000);
  count = 0;
  got = this.reaction({ triggers: this.in }, () => this.note('in', this.in.get()));
  send = this.reaction({ triggers: this.t, effects: this.out }, () => {
    this.note('t', this.count);
    this.out.set(this.count);
    this.count += this.params.incr;
  });
}

export const loop2 = program({
  name: 'LoopDistributedCentralized2',
  rule: 'one of them reads before it sends',
  parts: { left: [Looper, { incr: 1 }], right: [Looper2, { incr: -1 }] },
  connections: [{ from: ['left.out', 'right.out'], to: ['right.in', 'left.in'] }],
  options: { timeout: 1000 },
  trace: {
    left: ['0.0 in 0', '0.0 t 1', '1000.0 in -1', '1000.0 t 2'],
    right: ['0.0 in 0', '0.0 t 0', '1000.0 in 1', '1000.0 t -1'],
  },
});

export const loopBoth = program({
  name: 'LoopDistributedCycle',
  rule: 'if both read before they send it is a cycle',
  parts: { left: [Looper2, { incr: 1 }], right: [Looper2, { incr: -1 }] },
  connections: [{ from: ['left.out', 'right.out'], to: ['right.in', 'left.in'] }],
  error: /zero-delay cycle/,
});

class DoubleLooper extends Part {
  in = this.input();
  in2 = this.input();
  out = this.output();
  out2 = this.output();
  a = this.action({ minDelay: this.params.delay });
  count = 0;
  go = this.reaction({ triggers: this.startup, effects: this.a }, () => this.a.schedule());
  send = this.reaction({ triggers: this.a, effects: [this.out, this.out2, this.a] }, () => {
    (this.count % 2 === 0 ? this.out : this.out2).set(this.count);
    this.count += this.params.incr;
    if (Math.abs(this.count) < 4) this.a.schedule();
  });
  r1 = this.reaction({ triggers: this.in }, () => this.note('in', this.in.get()));
  r2 = this.reaction({ triggers: this.in2 }, () => this.note('in2', this.in2.get()));
}

export const loopDouble = program({
  name: 'LoopDistributedDouble',
  rule: 'two ways each, taken in turn, at times that differ',
  parts: {
    left: [DoubleLooper, { incr: 1, delay: 10 }],
    right: [DoubleLooper, { incr: -1, delay: 15 }],
  },
  connections: [
    { from: ['left.out', 'right.out'], to: ['right.in', 'left.in'] },
    { from: ['left.out2', 'right.out2'], to: ['right.in2', 'left.in2'] },
  ],
  trace: {
    left: ['15.0 in 0', '30.0 in2 -1', '45.0 in -2', '60.0 in2 -3'],
    right: ['10.0 in 0', '20.0 in2 1', '30.0 in 2', '40.0 in2 3'],
  },
});

class Plant extends Part {
  control = this.input();
  sensor = this.output();
  t = this.timer(0, 33);
  count = 0;
  r = this.reaction({ triggers: this.t, effects: this.sensor }, () => {
    this.count += 1;
    this.sensor.set(this.count);
  });
  got = this.reaction({ triggers: this.control }, () => this.note('control', this.control.get()));
}

class Controller extends Part {
  sensor = this.input();
  /** @type {InPort<any>} */
  planning = this.input();
  control = this.output();
  request = this.output();
  latest = 0;
  isFirst = true;
  onPlanning = this.reaction({ triggers: this.planning }, () => {
    this.note('planning', this.planning.get());
    this.latest = this.planning.get();
  });
  onSensor = this.reaction({ triggers: this.sensor, effects: [this.control, this.request] }, () => {
    this.note('sensor', this.sensor.get());
    if (!this.isFirst) this.control.set(this.latest);
    this.isFirst = false;
    this.request.set(this.sensor.get());
  });
}

class Planner extends Part {
  /** @type {InPort<any>} */
  request = this.input();
  response = this.output();
  r = this.reaction({ triggers: this.request, effects: this.response }, () =>
    this.response.set(this.request.get() * 10),
  );
}

export const feedbackDelay = program({
  name: 'FeedbackDelay',
  rule: 'a plan comes back a microstep later, and is used at the next sample',
  parts: { p: Plant, c: Controller, pl: Planner },
  connections: [
    { from: ['p.sensor', 'c.request', 'c.control'], to: ['c.sensor', 'pl.request', 'p.control'] },
    { from: ['pl.response'], to: ['c.planning'], after: 0 },
  ],
  options: { timeout: 70 },
  trace: {
    p: ['33.0 control 10', '66.0 control 20'],
    c: [
      '0.0 sensor 1',
      '0.1 planning 10',
      '33.0 sensor 2',
      '33.1 planning 20',
      '66.0 sensor 3',
      '66.1 planning 30',
    ],
  },
});

export const feedbackDelay4 = program({
  name: 'FeedbackDelay4',
  rule: 'the delay may be at any place of the loop, through two planners',
  parts: { p: Plant, c: Controller, pl: Planner, p2: Planner },
  connections: [
    { from: ['p.sensor', 'c.control'], to: ['c.sensor', 'p.control'] },
    { from: ['c.request'], to: ['pl.request'], after: 0 },
    { from: ['pl.response', 'p2.response'], to: ['p2.request', 'c.planning'] },
  ],
  options: { timeout: 40 },
  trace: {
    p: ['33.0 control 100'],
    c: ['0.0 sensor 1', '0.1 planning 100', '33.0 sensor 2', '33.1 planning 200'],
  },
});

class SimpleLoop extends Part {
  in = this.input();
  out = this.output();
  t = this.timer(0, 100);
  count = 1;
  got = this.reaction({ triggers: this.in }, () => {
    this.note(this.in.get());
    this.count += 1;
  });
  send = this.reaction({ triggers: this.t, effects: this.out }, () => this.out.set(this.count));
}

export const feedbackDelaySimple = program({
  name: 'FeedbackDelaySimple',
  rule: 'a reactor hears itself a microstep later',
  parts: { l: SimpleLoop },
  connections: [{ from: ['l.out'], to: ['l.in'], after: 0 }],
  options: { timeout: 300 },
  trace: { l: ['0.1 1', '100.1 2', '200.1 3'] },
});

class Client extends Part {
  /** @type {InPort<any>} */
  server = this.input();
  out = this.output();
  r = this.reaction({ triggers: this.server, effects: this.out }, () => {
    const value = this.server.get() + 1;
    this.note(value);
    if (value < 9) this.out.set(value);
  });
}

class Server extends Part {
  out = this.output();
  /** @type {InPort<any>} */
  c1 = this.input();
  /** @type {InPort<any>} */
  c2 = this.input();
  go = this.reaction({ triggers: this.startup, effects: this.out }, () => this.out.set(0));
  r = this.reaction({ triggers: [this.c1, this.c2], effects: this.out }, () => {
    const value = Math.max(this.c1.get(), this.c2.get()) + 1;
    this.note(value);
    this.out.set(value);
  });
}

export const dataflow = program({
  name: 'Dataflow',
  rule: 'a server and two clients go round in microsteps',
  parts: { client1: Client, client2: Client, server: Server },
  connections: [
    { from: ['server.out'], to: ['client1.server', 'client2.server'], repeat: true },
    { from: ['client1.out', 'client2.out'], to: ['server.c1', 'server.c2'], after: 0 },
  ],
  trace: {
    client1: ['0.0 1', '0.1 3', '0.2 5', '0.3 7', '0.4 9'],
    client2: ['0.0 1', '0.1 3', '0.2 5', '0.3 7', '0.4 9'],
    server: ['0.1 2', '0.2 4', '0.3 6', '0.4 8'],
  },
});

class Ping extends Part {
  receive = this.input();
  send = this.output();
  serve = this.action();
  left = this.params.count;
  go = this.reaction({ triggers: [this.startup, this.serve], effects: this.send }, () => {
    this.send.set(this.left);
    this.left -= 1;
  });
  got = this.reaction({ triggers: this.receive, effects: this.serve }, () => {
    this.note('pong', this.receive.get());
    if (this.left > 0) this.serve.schedule();
  });
}

class Pong extends Part {
  receive = this.input();
  send = this.output();
  count = 0;
  r = this.reaction({ triggers: this.receive, effects: this.send }, () => {
    this.count += 1;
    this.send.set(this.receive.get());
  });
  end = this.reaction({ triggers: this.shutdown }, () => this.note(this.count));
}

export const pingPong = program({
  name: 'PingPongDistributed',
  rule: 'a ball goes to and fro at one tag, and again at the next',
  parts: { ping: [Ping, { count: 4 }], pong: Pong },
  connections: [{ from: ['ping.send', 'pong.send'], to: ['pong.receive', 'ping.receive'] }],
  options: { timeout: 10, keepalive: true },
  trace: { ping: ['0.0 pong 4', '0.1 pong 3', '0.2 pong 2', '0.3 pong 1'], pong: ['10.0 4'] },
});

class Feeds extends Part {
  out = this.output();
  in = this.inputs(2);
  go = this.reaction({ triggers: this.startup, effects: this.out }, () => this.out.set(42));
  r = this.reaction({ triggers: this.in }, () => this.note(this.in.values()));
}

export const broadcastFeedback = program({
  name: 'BroadcastFeedback',
  rule: 'what each of two sends comes back to both',
  parts: { s0: Feeds, s1: Feeds },
  connections: [{ from: ['s0.out', 's1.out'], to: ['s0.in', 's1.in'], repeat: true }],
  trace: { s0: ['0.0 42 42'], s1: ['0.0 42 42'] },
});

class Wrapped extends Part {
  out = this.output();
  in = this.inputs(2);
  inner = new Feeds(this);
  wires = this.connect([this.inner.out, this.in], [this.out, this.inner.in]);
}

export const broadcastFeedbackWithHierarchy = program({
  name: 'BroadcastFeedbackWithHierarchy',
  rule: 'also if sender and receiver lie within',
  parts: { s0: Wrapped, s1: Wrapped },
  connections: [{ from: ['s0.out', 's1.out'], to: ['s0.in', 's1.in'], repeat: true }],
  trace: { s0: ['0.0 42 42'], s1: ['0.0 42 42'] },
});

class Fed extends Part {
  in = this.input();
  out = this.output();
  r = this.reaction({ triggers: this.startup }, () => this.note('started'));
}

export const simpleFederated = program({
  name: 'SimpleFederated',
  rule: 'ports in a ring without reactions are no cycle',
  parts: { fed1: Fed, fed2: Fed },
  connections: [{ from: ['fed1.out', 'fed2.out'], to: ['fed2.in', 'fed1.in'] }],
  trace: { fed1: ['0.0 started'], fed2: ['0.0 started'] },
});

export const buildReactor = reactorBuilder(
  loopPrecedence,
  loop2,
  loopBoth,
  loopDouble,
  feedbackDelay,
  feedbackDelay4,
  feedbackDelaySimple,
  dataflow,
  pingPong,
  broadcastFeedback,
  broadcastFeedbackWithHierarchy,
  simpleFederated,
);
