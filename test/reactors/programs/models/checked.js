// After the models on which Lingua Franca checks properties: CoopSchedule, ProcessSync, TrainDoor, Thermostat, ADASModel,
// AircraftDoor, Ring, SafeSend, UnsafeSend, Election2, Alarm, ProcessMsg. The findings stand in the rules.

import { Part, program, reactorBuilder } from '../../program.js';
import { Once, Pass } from '../parts.js';

/** @import { InPort } from 'swingset-runner/reactor' */

class Trigger extends Part {
  out = this.output();
  t = this.timer(0, 1000);
  r = this.reaction({ triggers: this.t, effects: this.out }, () => this.out.set(1));
}

class CoopTask extends Part {
  cnt = this.input();
  counter = 0;
  r = this.reaction({ triggers: this.cnt }, () => {
    this.counter += 2;
    this.note(this.counter);
  });
}

const counted = ['0.0 2', '1000.0 4'];

export const coopSchedule = program({
  name: 'CoopSchedule',
  rule: 'five tasks count by two, so that their sum is not below 15 after a microsecond',
  parts: { trigger: Trigger, a: CoopTask, b: CoopTask, c: CoopTask, d: CoopTask, e: CoopTask },
  connections: [
    { from: ['trigger.out'], to: ['a.cnt', 'b.cnt', 'c.cnt', 'd.cnt', 'e.cnt'], repeat: true },
  ],
  options: { timeout: 1000 },
  trace: { a: counted, b: counted, c: counted, d: counted, e: counted },
});

class SyncTask extends Part {
  counter = 0;
  t = this.timer(0, 1);
  r = this.reaction({ triggers: this.t }, () => {
    this.counter += 1;
    this.note(this.counter);
  });
}

export const processSync = program({
  name: 'ProcessSync',
  rule: 'a timer with the smallest period has come three times after two of them',
  parts: { task: SyncTask },
  options: { timeout: 2 },
  trace: { task: ['0.0 1', '1.0 2', '2.0 3'] },
});

class Controller extends Part {
  out1 = this.output();
  out2 = this.output();
  r = this.reaction({ triggers: this.startup, effects: [this.out1, this.out2] }, () => {
    this.out1.set(1);
    this.out2.set(2);
  });
}

class Receiver extends Part {
  in = this.input();
  r = this.reaction({ triggers: this.in }, () => this.note('received', this.in.get()));
}

export const trainDoor = program({
  name: 'TrainDoor',
  rule: 'train and door get their values at one tag, so neither is first',
  parts: { c: Controller, t: Receiver, d: Receiver },
  connections: [{ from: ['c.out1', 'c.out2'], to: ['t.in', 'd.in'], after: '1 s' }],
  trace: { t: ['1000000000.0 received 1'], d: ['1000000000.0 received 2'] },
});

class Environment extends Part {
  heatOn = this.input();
  temperature = this.output();
  t = this.timer(1, 10);
  on = 0;
  degrees = 0;
  r1 = this.reaction({ triggers: this.startup }, () => {
    this.degrees = 19;
  });
  r2 = this.reaction({ triggers: this.t, effects: this.temperature }, () => {
    this.degrees += this.on === 0 ? -1 : 1;
    this.temperature.set(this.degrees);
  });
  r3 = this.reaction({ triggers: this.heatOn }, () => {
    this.on = /** @type {any} */ (this.heatOn).get();
    this.note('heat', this.on);
  });
}

class Thermostat extends Part {
  /** @type {InPort<any>} */
  temperature = this.input();
  heatOn = this.output();
  change = this.action();
  heating = 0;
  r1 = this.reaction({ triggers: this.temperature, effects: [this.heatOn, this.change] }, () => {
    const degrees = this.temperature.get();
    this.note(degrees);
    const on = this.heating === 0 ? (degrees <= 18 ? 1 : -1) : degrees >= 22 ? 0 : -1;
    if (on < 0) return;
    this.heatOn.set(on);
    this.change.schedule();
  });
  r2 = this.reaction({ triggers: this.change }, () => {
    this.heating = 1 - this.heating;
    this.note('mode', this.heating);
  });
}

export const thermostat = program({
  name: 'Thermostat',
  rule: 'a controller answers within the tag, and changes its mode a microstep later',
  parts: { e: Environment, t: Thermostat },
  connections: [{ from: ['e.temperature', 't.heatOn'], to: ['t.temperature', 'e.heatOn'] }],
  options: { timeout: 61 },
  trace: {
    e: ['1.0 heat 1', '41.0 heat 0'],
    t: [
      ...['1.0 18', '1.1 mode 1', '11.0 19', '21.0 20', '31.0 21', '41.0 22', '41.1 mode 0'],
      ...['51.0 21', '61.0 20'],
    ],
  },
});

class Sensor extends Part {
  out = this.output();
  t = this.timer(0, this.params.period);
  r = this.reaction({ triggers: this.t, effects: this.out }, () => this.out.set(this.params.frame));
}

class Processor extends Part {
  in1 = this.input();
  in2 = this.input();
  out1 = this.output();
  out2 = this.output();
  a = this.action({ minDelay: 50 });
  r1 = this.reaction({ triggers: [this.in1, this.in2], effects: this.a }, () => {
    this.note('frames', this.in1.get() ?? '-', this.in2.get() ?? '-');
    this.a.schedule();
  });
  r2 = this.reaction(
    {
      triggers: this.a,
      effects: [this.out1, this.out2],
      deadline: 20,
      late: () => this.note('late'),
    },
    () => this.out1.set(1),
  );
}

class Brakes extends Part {
  inADAS = this.input();
  inPedal = this.input();
  r = this.reaction(
    { triggers: [this.inADAS, this.inPedal], deadline: 10, late: () => this.note('late') },
    () => this.note('brakes'),
  );
}

export const adasModel = program({
  name: 'ADASModel',
  rule: 'brakes come 55 after the frame, unless the processor is late',
  parts: {
    c: [Sensor, { period: 17, frame: 1 }],
    l: [Sensor, { period: 34, frame: 2 }],
    p: Processor,
    b: Brakes,
    d: Receiver,
  },
  connections: [
    { from: ['l.out', 'c.out', 'p.out2'], to: ['p.in1', 'p.in2', 'd.in'] },
    { from: ['p.out1'], to: ['b.inADAS'], after: 5 },
  ],
  options: {
    timeout: 90,
    clock: [
      [67, 88],
      [68, 68],
    ],
  },
  trace: {
    p: [
      ...['0.0 frames 2 1', '17.0 frames - 1', '34.0 frames 2 1', '51.0 frames - 1'],
      ...['67.0 late', '68.0 frames 2 1', '85.0 frames - 1'],
    ],
    b: ['55.0 brakes', '89.0 brakes'],
  },
});

class Vision extends Part {
  in = this.input();
  out = this.output();
  ramp = 0;
  r = this.reaction({ triggers: this.in, effects: this.out }, () =>
    this.out.set(this.ramp === 1 ? 0 : 1),
  );
}

class Door extends Part {
  in = this.input();
  r = this.reaction({ triggers: this.in }, () =>
    this.note(this.in.get() === 1 ? 'open' : 'closed'),
  );
}

export const aircraftDoor = program({
  name: 'AircraftDoor',
  rule: 'a door opens at the tag of the start, behind what looks out of it',
  parts: { controller: Once, vision: Vision, door: Door },
  connections: [{ from: ['controller.out', 'vision.out'], to: ['vision.in', 'door.in'] }],
  trace: { door: ['0.0 open'] },
});

class RingSource extends Part {
  in = this.input();
  out = this.output();
  start = this.action({ minDelay: 1 });
  received = 0;
  r1 = this.reaction({ triggers: this.startup, effects: this.start }, () => this.start.schedule());
  r2 = this.reaction({ triggers: this.start, effects: this.out }, () =>
    this.out.set(this.received),
  );
  r3 = this.reaction({ triggers: this.in, effects: this.start }, () => {
    this.received = /** @type {any} */ (this.in).get();
    this.note(this.received);
    this.start.schedule();
  });
}

class RingNode extends Part {
  /** @type {InPort<any>} */
  in = this.input();
  out = this.output();
  r = this.reaction({ triggers: this.in, effects: this.out }, () =>
    this.out.set(this.in.get() + 1),
  );
}

export const ring = program({
  name: 'Ring',
  rule: 'a value goes round, one hop a nanosecond, and begins again',
  parts: { s: RingSource, n1: RingNode, n2: RingNode, n3: RingNode, n4: RingNode, n5: RingNode },
  connections: [
    {
      from: ['s.out', 'n1.out', 'n2.out', 'n3.out', 'n4.out', 'n5.out'],
      to: ['n1.in', 'n2.in', 'n3.in', 'n4.in', 'n5.in', 's.in'],
      after: 1,
    },
  ],
  options: { timeout: 21 },
  trace: { s: ['7.0 5', '14.0 10', '21.0 15'] },
});

class Client extends Part {
  in = this.input();
  out = this.output();
  r1 = this.reaction({ triggers: this.startup, effects: this.out }, () =>
    this.out.set(this.params.request),
  );
  r2 = this.reaction({ triggers: this.in }, () => this.note('answer', this.in.get()));
}

class Server extends Part {
  in = this.input();
  out = this.output();
  err = this.action({ minDelay: this.params.delay ?? 0 });
  r1 = this.reaction({ triggers: this.in, effects: [this.out, this.err] }, () => {
    if (this.in.get() === 0) this.err.schedule();
    else this.out.set(this.in.get());
  });
  r2 = this.reaction({ triggers: this.err }, () => this.note('error'));
}

export const safeSend = program({
  name: 'SafeSend',
  rule: 'a valid request is answered within the tag that it comes at',
  parts: { c: [Client, { request: 1 }], s: Server },
  connections: [
    { from: ['c.out'], to: ['s.in'], after: 1 },
    { from: ['s.out'], to: ['c.in'] },
  ],
  trace: { c: ['1.0 answer 1'] },
});

export const unsafeSend = program({
  name: 'UnsafeSend',
  rule: 'an invalid request is not answered',
  parts: { c: [Client, { request: 0 }], s: [Server, { delay: 1 }] },
  connections: [{ from: ['c.out', 's.out'], to: ['s.in', 'c.in'], after: 2 }],
  trace: { s: ['3.0 error'] },
});

class Candidate extends Part {
  /** @type {InPort<any>} */
  in = this.input();
  out = this.output();
  r1 = this.reaction({ triggers: this.startup, effects: this.out }, () =>
    this.out.set(this.params.id),
  );
  r2 = this.reaction({ triggers: this.in, effects: this.out }, () => {
    const { id } = this.params;
    if (this.in.get() > id) this.out.set(this.in.get());
    else if (this.in.get() === id) this.note('elected');
  });
}

export const election2 = program({
  name: 'Election2',
  rule: 'of three in a ring the one with the largest number is elected, when its number has gone round',
  parts: { i0: [Candidate, { id: 0 }], i1: [Candidate, { id: 1 }], i2: [Candidate, { id: 2 }] },
  connections: [
    { from: ['i0.out', 'i1.out', 'i2.out'], to: ['i1.in', 'i2.in', 'i0.in'], after: '10 ms' },
  ],
  options: { timeout: '100 ms' },
  trace: { i2: ['30000000.0 elected'] },
});

class Machine extends Part {
  out = this.output();
  out2 = this.output();
  turnOff = this.action({ minDelay: '1 s' });
  fault = 0;
  r1 = this.reaction(
    { triggers: this.startup, effects: [this.out, this.out2, this.turnOff] },
    () => {
      this.fault = 1;
      this.turnOff.schedule(0, 0);
      this.out.set(5);
      this.out2.set(10);
    },
  );
  r2 = this.reaction({ triggers: this.turnOff }, () => {
    if (this.turnOff.get() === 1) this.fault = 0;
    this.note('turned off', this.fault);
  });
}

export const alarm = program({
  name: 'Alarm',
  rule: 'a machine stops a second after a fault; outputs that nothing reads do no harm',
  parts: { c: Machine },
  trace: { c: ['1000000000.0 turned off 1'] },
});

class MessageTask extends Part {
  in = this.input();
  out = this.output();
  sent = 0;
  counter = 0;
  t = this.timer(0, 1);
  updateMessage = this.action();
  r1 = this.reaction({ triggers: this.startup }, () => {
    this.sent = 0;
  });
  r2 = this.reaction({ triggers: this.t, effects: this.out }, () => this.out.set(this.sent));
  r3 = this.reaction({ triggers: this.in, effects: this.updateMessage }, () => {
    if (this.in.get() !== this.sent) this.note('panic');
    this.updateMessage.schedule();
    this.counter += 1;
  });
  r4 = this.reaction({ triggers: this.updateMessage }, () => {
    this.sent += 1;
    this.note(this.sent, this.counter);
  });
}

export const processMsg = program({
  name: 'ProcessMsg',
  rule: 'a task hears itself within the tag, and goes on a microstep later',
  parts: { task: MessageTask, spare: Pass },
  connections: [{ from: ['task.out'], to: ['task.in'] }],
  options: { timeout: 3 },
  trace: { task: ['0.1 1 1', '1.1 2 2', '2.1 3 3'] },
});

export const buildReactor = reactorBuilder(
  coopSchedule,
  processSync,
  trainDoor,
  thermostat,
  adasModel,
  aircraftDoor,
  ring,
  safeSend,
  unsafeSend,
  election2,
  alarm,
  processMsg,
);
