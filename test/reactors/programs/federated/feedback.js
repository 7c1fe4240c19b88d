// After FeedbackDelay2, FeedbackDelay3, FeedbackDelay5, FeedbackDelay6, EnclaveCycleTwoTimers, ParallelDestinations,
// ZeroDelayCyclePhysicalUpstream, ShutdownStarvation2, CountSelf, MultipleOutputs, ParameterOverride, MultiportMultipleSet
// of Lingua Franca.

import { Part, program, reactorBuilder } from '../../program.js';
import { Count, Print } from '../parts.js';

/** @import { InPort } from 'swingset-runner/reactor' */

class Plant extends Part {
  control = this.input();
  sensor = this.output();
  t = this.timer(0, 100);
  n = 0;
  r1 = this.reaction({ triggers: this.t, effects: this.sensor }, () => {
    this.n += 1;
    this.sensor.set(this.n);
  });
  r2 = this.reaction({ triggers: this.control }, () => this.note('control', this.control.get()));
}

class Planner extends Part {
  /** @type {InPort<any>} */
  request = this.input();
  response = this.output();
  r = this.reaction({ triggers: this.request, effects: this.response }, () =>
    this.response.set(10 * this.request.get()),
  );
}

class Controller extends Part {
  sensor = this.input();
  control = this.output();
  request = this.output();
  planning = this.input();
  latest = 0;
  first = true;
  r1 = this.reaction({ triggers: this.planning }, () => this.plan());
  r2 = this.reaction({ triggers: this.sensor, effects: [this.control, this.request] }, () =>
    this.sense(),
  );

  plan() {
    this.latest = /** @type {any} */ (this.planning).get();
    this.note('planning', this.latest);
  }

  sense() {
    if (!this.first) this.control.set(this.latest);
    this.first = false;
    this.request.set(this.sensor.get());
  }
}

const controlled = {
  p: ['100.0 control 10', '200.0 control 20'],
  c: ['0.1 planning 10', '100.1 planning 20', '200.1 planning 30'],
};

/** @param {any[]} connections */
const loop = connections => ({
  connections: [{ from: ['p.sensor', 'c.control'], to: ['c.sensor', 'p.control'] }, ...connections],
  options: { timeout: 250 },
});

export const feedbackDelay2 = program({
  name: 'FeedbackDelay2',
  rule: 'the delay stands before the planner',
  parts: { p: Plant, c: Controller, pl: Planner },
  ...loop([
    { from: ['c.request'], to: ['pl.request'], after: 0 },
    { from: ['pl.response'], to: ['c.planning'] },
  ]),
  trace: controlled,
});

class LateController extends Part {
  sensor = this.input();
  control = this.output();
  request = this.output();
  planning = this.input();
  latest = 0;
  first = true;
  r1 = this.reaction({ triggers: this.sensor, effects: [this.control, this.request] }, () => {
    if (!this.first) this.control.set(this.latest);
    this.first = false;
    this.request.set(this.sensor.get());
  });
  r2 = this.reaction({ triggers: this.planning }, () => {
    this.latest = /** @type {any} */ (this.planning).get();
    this.note('planning', this.latest);
  });
}

export const feedbackDelay3 = program({
  name: 'FeedbackDelay3',
  rule: 'two loops without a delay: the plan comes back within the tag, behind the sensor',
  parts: { p: Plant, c: LateController, pl: Planner },
  ...loop([{ from: ['c.request', 'pl.response'], to: ['pl.request', 'c.planning'] }]),
  trace: {
    p: ['100.0 control 10', '200.0 control 20'],
    c: ['0.0 planning 10', '100.0 planning 20', '200.0 planning 30'],
  },
});

class Controller5 extends Part {
  in = this.input();
  sensor = this.input();
  control = this.output();
  request = this.output();
  planning = this.input();
  latest = 0;
  r1 = this.reaction({ triggers: [this.in, this.planning] }, () => {
    if (this.planning.isPresent()) this.latest = /** @type {any} */ (this.planning).get();
    this.note(this.in.get() ?? '-', this.planning.get() ?? '-');
  });
  r2 = this.reaction({ triggers: this.sensor, effects: [this.control, this.request] }, () => {
    this.control.set(this.latest);
    this.request.set(this.sensor.get());
  });
}

class Planner5 extends Part {
  /** @type {InPort<any>} */
  request = this.input();
  response = this.output();
  out = this.output();
  t = this.timer(0, 100);
  r1 = this.reaction({ triggers: this.t, effects: this.out }, () => this.out.set(0));
  r2 = this.reaction({ triggers: this.request, effects: this.response }, () =>
    this.response.set(10 * this.request.get()),
  );
}

export const feedbackDelay5 = program({
  name: 'FeedbackDelay5',
  rule: 'a planner also sends to the controller within the tag, before it is asked',
  parts: { p: Plant, c: Controller5, pl: Planner5 },
  ...loop([
    { from: ['c.request', 'pl.out'], to: ['pl.request', 'c.in'] },
    { from: ['pl.response'], to: ['c.planning'], after: 0 },
  ]),
  trace: {
    p: ['0.0 control 0', '100.0 control 10', '200.0 control 20'],
    c: ['0.0 0 -', '0.1 - 10', '100.0 0 -', '100.1 - 20', '200.0 0 -', '200.1 - 30'],
  },
});

class Planner6 extends Planner {
  in = this.input();
  r2 = this.reaction({ triggers: this.in, effects: this.response }, () =>
    this.response.set(this.in.get()),
  );
}

export const feedbackDelay6 = program({
  name: 'FeedbackDelay6',
  rule: 'another reactor writes through the planner at the tag of the sensor',
  parts: { p: Plant, c: Controller, pl: Planner6, s: [Count, { start: 7, period: 100 }] },
  ...loop([
    { from: ['c.request'], to: ['pl.request'], after: 0 },
    { from: ['pl.response', 's.out'], to: ['c.planning', 'pl.in'] },
  ]),
  trace: {
    p: ['100.0 control 8', '200.0 control 9'],
    c: [
      ...['0.0 planning 7', '0.1 planning 10', '100.0 planning 8', '100.1 planning 20'],
      ...['200.0 planning 9', '200.1 planning 30'],
    ],
  },
});

class Ping extends Part {
  t = this.timer(0, 100);
  in = this.input();
  out = this.output();
  counter = 0;
  r1 = this.reaction({ triggers: this.t, effects: this.out }, () => {
    this.out.set(this.counter);
    this.counter += 1;
  });
  r2 = this.reaction({ triggers: this.in }, () => this.note(this.in.get()));
}

const pinged = ['50.0 0', '150.0 1', '250.0 2', '350.0 3'];

export const cycleTwoTimers = program({
  name: 'EnclaveCycleTwoTimers',
  rule: 'two that tick at once hear each other half a period later',
  parts: { ping: Ping, pong: Ping },
  connections: [{ from: ['ping.out', 'pong.out'], to: ['pong.in', 'ping.in'], after: 50 }],
  options: { timeout: 400 },
  trace: { ping: pinged, pong: pinged },
});

class TwoCounts extends Part {
  out = this.outputs(2);
  c1 = new Count(this, { period: 1000 });
  c2 = new Count(this, { period: 1000, start: 5 });
  wire = this.connect([this.c1.out, this.c2.out], this.out);
}

export const parallelDestinations = program({
  name: 'ParallelDestinations',
  rule: 'channels of a multiport go to different reactors',
  parts: { s: TwoCounts, t1: Print, t2: Print },
  connections: [{ from: ['s.out'], to: ['t1.in', 't2.in'] }],
  options: { timeout: 2000 },
  trace: { t1: ['0.0 1', '1000.0 2', '2000.0 3'], t2: ['0.0 5', '1000.0 6', '2000.0 7'] },
});

class Prompter extends Part {
  another = this.input();
  out = this.output();
  t = this.timer(1);
  r1 = this.reaction({ triggers: this.t, effects: this.out }, () => this.out.set(42));
  r2 = this.reaction({ triggers: this.another }, () => this.note('another', this.another.get()));
}

class Prompted extends Part {
  mayRequestStop = true;
  prompt = this.input();
  response = this.input();
  another = this.output();
  r1 = this.reaction({ triggers: this.prompt }, () => {
    this.note('prompt', this.prompt.get());
    this.requestStop();
  });
  r2 = this.reaction({ triggers: this.response, effects: this.another }, () => this.another.set(1));
  r3 = this.reaction({ triggers: this.shutdown }, () => this.note('end'));
}

class PhysicalUpstream extends Part {
  out = this.output();
  act = this.physicalAction();
  r = this.reaction({ triggers: this.act, effects: this.out }, () => this.out.set(0));
}

export const zeroDelayCyclePhysical = program({
  name: 'ZeroDelayCyclePhysicalUpstream',
  rule: 'a loop without delay does not wait for a physical action that never comes',
  parts: { p: Prompter, g: Prompted, u: PhysicalUpstream },
  connections: [
    { from: ['p.out', 'g.another', 'u.out'], to: ['g.prompt', 'p.another', 'g.response'] },
  ],
  options: { timeout: 500, keepalive: true },
  stops: ['g'],
  trace: { g: ['1.0 prompt 42', '1.1 end'] },
});

class Enclave extends Part {
  a = this.action({ minDelay: 1000 });
  count = 0;
  r1 = this.reaction({ triggers: this.startup, effects: this.a }, () => {
    this.note('started');
    if (this.params.id === 0) this.a.schedule();
  });
  r2 = this.reaction({ triggers: this.a }, () => {
    this.count += 1;
    this.note('triggered');
  });
  r3 = this.reaction({ triggers: this.shutdown }, () => this.note('shut down', this.count));
}

export const shutdownStarvation2 = program({
  name: 'ShutdownStarvation2',
  rule: 'one with nothing to do ends with the one that has',
  parts: { e1: [Enclave, { id: 0 }], e2: [Enclave, { id: 1 }] },
  options: { timeout: 1500, keepalive: true },
  trace: {
    e1: ['0.0 started', '1000.0 triggered', '1500.0 shut down 1'],
    e2: ['0.0 started', '1500.0 shut down 0'],
  },
});

class CountSelf extends Part {
  out = this.output();
  a = this.action();
  r1 = this.reaction({ triggers: this.startup, effects: [this.a, this.out] }, () => {
    this.out.set(0);
    this.a.schedule(this.params.delay, 1);
  });
  r2 = this.reaction({ triggers: this.a, effects: [this.a, this.out] }, () => {
    const value = /** @type {any} */ (this.a).get();
    this.out.set(value);
    this.a.schedule(this.params.delay, value + 1);
  });
}

export const countSelf = program({
  name: 'CountSelf',
  rule: 'an action that schedules itself counts',
  parts: { d: [CountSelf, { delay: 100 }], t: Print },
  connections: [{ from: ['d.out'], to: ['t.in'] }],
  options: { timeout: 300 },
  trace: { t: ['0.0 0', '100.0 1', '200.0 2', '300.0 3'] },
});

class TwoOutputs extends Part {
  x = this.output();
  z = this.output();
  t = this.timer(0, 100);
  r = this.reaction({ triggers: this.t, effects: [this.x, this.z] }, () => {
    this.x.set(42);
    this.z.set(44);
  });
}

class ReadsSecond extends Part {
  z = this.output();
  c = new TwoOutputs(this);
  r = this.reaction({ triggers: this.c.z, effects: this.z }, () => this.z.set(this.c.z.get()));
}

export const multipleOutputs = program({
  name: 'MultipleOutputs',
  rule: 'the first of two outputs may lead nowhere',
  parts: { main: ReadsSecond, view: Print },
  connections: [{ from: ['main.z'], to: ['view.in'] }],
  options: { timeout: 100 },
  trace: { view: ['0.0 44', '100.0 44'] },
});

class WithParameter extends Part {
  r = this.reaction({ triggers: this.startup }, () =>
    this.note(this.params.x ?? 0, this.params.y ?? 'y'),
  );
}

class Overriding extends Part {
  a = new WithParameter(this, { y: 'own', ...this.params, x: 1 });
}

export const parameterOverride = program({
  name: 'ParameterOverride',
  rule: 'the parameter that a container gives counts',
  parts: { main: [Overriding, { x: 7, y: 'given' }] },
  trace: { main: ['0.0 1 given'] },
});

class Producer extends Part {
  out = this.outputs(10);
  t = this.timer(0, 100);
  odd = true;
  r = this.reaction({ triggers: this.t, effects: this.out }, () => {
    for (let i = this.odd ? 1 : 0; i < 10; i += 2)
      for (let j = 0; j < 10; j += 1) this.out.set(i, j);
    this.odd = !this.odd;
  });
}

class Consumer extends Part {
  in = this.inputs(10);
  r = this.reaction({ triggers: this.in }, () =>
    this.note(this.in.present().map(i => `${i}=${this.in.get(i)}`)),
  );
}

export const multiportMultipleSet = program({
  name: 'MultiportMultipleSet',
  rule: 'of several values of a channel at one tag the last one counts, and the channel is present once',
  parts: { c: Consumer, p: Producer },
  connections: [{ from: ['p.out'], to: ['c.in'] }],
  options: { timeout: 100 },
  trace: { c: ['0.0 1=9 3=9 5=9 7=9 9=9', '100.0 0=9 2=9 4=9 6=9 8=9'] },
});

export const buildReactor = reactorBuilder(
  feedbackDelay2,
  feedbackDelay3,
  feedbackDelay5,
  feedbackDelay6,
  cycleTwoTimers,
  parallelDestinations,
  zeroDelayCyclePhysical,
  shutdownStarvation2,
  countSelf,
  multipleOutputs,
  parameterOverride,
  multiportMultipleSet,
);
