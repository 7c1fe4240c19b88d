// After Stop, StopZero, RequestStop, StopDuringStartup, StopIdempotence, StopCleanup, ShutdownSync, DistributedStop,
// DistributedStopZero, StopAtShutdown, EnclaveRequestStop of Lingua Franca.

import { Part, program, reactorBuilder } from '../../program.js';
import { Count, Print } from '../parts.js';

/** Ten values in a row, a microstep apart; then a break. */
export class LoopedSender extends Part {
  out = this.output();
  act = this.action();
  sent = 0;
  r = this.reaction({ triggers: [this.startup, this.act], effects: [this.out, this.act] }, () => {
    this.out.set(this.sent);
    this.sent += 1;
    if (this.sent < this.params.takeBreakAfter) {
      this.act.schedule();
    } else {
      this.sent = 0;
      this.act.schedule(this.params.breakInterval);
    }
  });
}

class Consumer extends Part {
  in = this.input();
  r = this.reaction({ triggers: this.in }, () => {
    const { timeNs, microstep } = this.util.getCurrentTag();
    if (timeNs < 10) return;
    this.note(this.in.get());
    if (microstep === 8) this.requestStop();
  });
  end = this.reaction({ triggers: this.shutdown }, () => this.note('shutdown'));
}

export const stop = program({
  name: 'Stop',
  rule: 'after a request everything at the next microstep still runs, and the end is there',
  stops: ['consumer'],
  parts: { consumer: Consumer, producer: [LoopedSender, { takeBreakAfter: 10, breakInterval: 1 }] },
  connections: [{ from: ['producer.out'], to: ['consumer.in'] }],
  options: { timeout: 11 },
  trace: {
    consumer: [...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(i => `10.${i} ${i}`), '10.9 shutdown'],
  },
});

class SendsAndStops extends Part {
  out = this.output();
  t = this.timer(0, 1000);
  act = this.action();
  r = this.reaction({ triggers: this.t, effects: [this.out, this.act] }, () => {
    this.note('t');
    this.out.set(42);
    this.act.schedule();
    if (this.util.getElapsedLogicalTime() === this.params.at) this.requestStop();
  });
  onAct = this.reaction({ triggers: this.act }, () => {
    this.note('act');
    if (this.util.getElapsedLogicalTime() === this.params.at) this.requestStop();
  });
  end = this.reaction({ triggers: this.shutdown }, () => this.note('shutdown'));
}

class ReceivesAndStops extends Part {
  in = this.input();
  r = this.reaction({ triggers: this.in }, () => {
    this.note(this.in.get());
    if (this.util.getElapsedLogicalTime() === this.params.at) this.requestStop();
  });
  end = this.reaction({ triggers: this.shutdown }, () => this.note('shutdown'));
}

export const stopZero = program({
  name: 'StopZero',
  rule: 'a request at the first tag, by two reactors at once',
  stops: ['sender', 'receiver'],
  parts: { sender: [SendsAndStops, { at: 0 }], receiver: [ReceivesAndStops, { at: 0 }] },
  connections: [{ from: ['sender.out'], to: ['receiver.in'] }],
  trace: {
    sender: ['0.0 t', '0.1 act', '0.1 shutdown'],
    receiver: ['0.0 42', '0.1 shutdown'],
  },
});

export const distributedStop = program({
  name: 'DistributedStop',
  rule: 'requests at a tag and at the last one: the first counts',
  stops: ['sender', 'receiver'],
  parts: { sender: [SendsAndStops, { at: 1000 }], receiver: [ReceivesAndStops, { at: 1000 }] },
  connections: [{ from: ['sender.out'], to: ['receiver.in'] }],
  trace: {
    sender: ['0.0 t', '0.1 act', '1000.0 t', '1000.1 act', '1000.1 shutdown'],
    receiver: ['0.0 42', '1000.0 42', '1000.1 shutdown'],
  },
});

export const distributedStopZero = program({
  name: 'DistributedStopZero',
  rule: 'a receiver alone stops the whole program at the first tag',
  stops: ['receiver'],
  parts: { sender: [SendsAndStops, { at: -1 }], receiver: [ReceivesAndStops, { at: 0 }] },
  connections: [{ from: ['sender.out'], to: ['receiver.in'] }],
  trace: {
    sender: ['0.0 t', '0.1 act', '0.1 shutdown'],
    receiver: ['0.0 42', '0.1 shutdown'],
  },
});

class Requests extends Part {
  tick = this.timer(this.params.at);
  r = this.reaction({ triggers: this.tick }, () => {
    for (let i = 0; i < this.params.times; i += 1) this.requestStop();
  });
  end = this.reaction({ triggers: this.shutdown }, () => {
    this.note('shutdown');
    if (this.params.again) this.requestStop();
  });
}

class Watches extends Part {
  tick = this.timer(0, 10);
  r = this.reaction({ triggers: this.tick }, () => this.note('tick'));
  end = this.reaction({ triggers: this.shutdown }, () => this.note('shutdown'));
}

class Both extends Part {
  watches = new Watches(this);
  requests = new Requests(this, this.params);
}

export const requestStop = program({
  name: 'RequestStop',
  rule: 'reactors that are not connected stop together, if they are one program',
  stops: ['main'],
  parts: { main: [Both, { at: 25, times: 1 }] },
  trace: {
    main: ['0.0 tick', '10.0 tick', '20.0 tick', '25.1 shutdown', '25.1 shutdown'],
  },
});

export const stopIdempotence = program({
  name: 'StopIdempotence',
  rule: 'a request that is repeated changes nothing, nor one in a reaction to shutdown',
  stops: ['main'],
  parts: { main: [Requests, { at: 6, times: 3, again: true }] },
  trace: { main: ['6.1 shutdown'] },
});

export const stopDuringStartup = program({
  name: 'StopDuringStartup',
  rule: 'a request at startup',
  stops: ['main'],
  parts: { main: [Requests, { at: 0, times: 1 }] },
  trace: { main: ['0.1 shutdown'] },
});

export const stopAtTimeout = program({
  name: 'StopAtTimeout',
  rule: 'a request at the timeout comes too late to move the end',
  stops: ['main'],
  parts: { main: [Requests, { at: 6, times: 1 }] },
  options: { timeout: 6 },
  trace: { main: ['6.0 shutdown'] },
});

class Cleans extends Part {
  in = this.input();
  end = this.reaction({ triggers: this.shutdown, sources: this.in }, () =>
    this.note('shutdown', this.in.isPresent()),
  );
}

class SendsThenStops extends Part {
  out = this.output();
  r = this.reaction({ triggers: this.startup, effects: this.out }, () => {
    this.out.set(43);
    this.requestStop();
  });
}

export const stopCleanup = program({
  name: 'StopCleanup',
  rule: 'ports are absent again when the end comes',
  stops: ['producer'],
  parts: { consumer: Cleans, producer: SendsThenStops },
  connections: [{ from: ['producer.out'], to: ['consumer.in'] }],
  trace: { consumer: ['0.1 shutdown false'] },
});

class StopsAtCount extends Part {
  in = this.input();
  r = this.reaction({ triggers: this.in }, () => {
    this.note(this.in.get());
    if (this.in.get() === 3) this.requestStop();
  });
  end = this.reaction({ triggers: this.shutdown }, () => this.note('shutdown'));
}

export const shutdownSync = program({
  name: 'ShutdownSync',
  rule: 'a request far from the end of the timeout',
  stops: ['watch'],
  parts: { count: [Count, { period: 10 }], watch: StopsAtCount, print: Print },
  connections: [{ from: ['count.out'], to: ['watch.in', 'print.in'], repeat: true }],
  options: { timeout: '2 s' },
  trace: {
    watch: ['0.0 1', '10.0 2', '20.0 3', '20.1 shutdown'],
    print: ['0.0 1', '10.0 2', '20.0 3'],
  },
});

class GotIt extends Part {
  in = this.input();
  start = this.reaction({ triggers: this.startup }, () => this.note('hello'));
  r = this.reaction({ triggers: this.in }, () => this.note('got it'));
  end = this.reaction({ triggers: this.shutdown }, () => {
    this.note('shutdown');
    this.requestStop();
  });
}

class SendsOnce extends Part {
  out = this.output();
  t = this.timer(1000);
  r = this.reaction({ triggers: this.t, effects: this.out }, () => this.out.set('1'));
  end = this.reaction({ triggers: this.shutdown }, () => {
    this.note('shutdown');
    this.requestStop();
  });
}

export const stopAtShutdown = program({
  name: 'StopAtShutdown',
  rule: 'requests at the end change nothing',
  stops: ['a', 'b'],
  parts: { a: GotIt, b: SendsOnce },
  connections: [{ from: ['b.out'], to: ['a.in'] }],
  options: { timeout: 2000, keepalive: true },
  trace: { a: ['0.0 hello', '1000.0 got it', '2000.0 shutdown'], b: ['2000.0 shutdown'] },
});

export const stopLoses = program({
  name: 'StopLosesWhatIsLater',
  rule: 'what is under way beyond the end is lost',
  stops: ['watch'],
  parts: { count: [Count, { period: 10 }], watch: StopsAtCount, late: Print, next: Print },
  connections: [
    { from: ['count.out'], to: ['watch.in'] },
    { from: ['count.out'], to: ['late.in'], after: 15 },
    { from: ['count.out'], to: ['next.in'], after: 0 },
  ],
  trace: {
    watch: ['0.0 1', '10.0 2', '20.0 3', '20.1 shutdown'],
    late: ['15.0 1'],
    next: ['0.1 1', '10.1 2', '20.1 3'],
  },
});

export const buildReactor = reactorBuilder(
  stop,
  stopZero,
  distributedStop,
  distributedStopZero,
  requestStop,
  stopIdempotence,
  stopDuringStartup,
  stopAtTimeout,
  stopCleanup,
  shutdownSync,
  stopAtShutdown,
  stopLoses,
);
