// PingPong and TimeLimit as somebody writes them for reactor-ts: the programs of ../programs.js, reaction by reaction.

'use strict';

const {
  Action,
  App,
  Args,
  InPort,
  Log,
  Origin,
  OutPort,
  Reactor,
  TimeValue,
  Timer,
  Triggers,
} = require('@lf-lang/reactor-ts');

Log.global.level = Log.levels.ERROR;

class Ping extends Reactor {
  constructor(container, pings) {
    super(container);
    this.receive = new InPort(this);
    this.send = new OutPort(this);
    this.serve = new Action(this, Origin.logical);
    let left = pings;
    this.addReaction(
      new Triggers(this.startup, this.serve),
      new Args(this.writable(this.send)),
      send => {
        send.set(left);
        left -= 1;
      },
    );
    this.addReaction(
      new Triggers(this.receive),
      new Args(this.receive, this.schedulable(this.serve)),
      function receive(_receive, serve) {
        if (left > 0) serve.schedule(0, null);
        else this.util.requestStop();
      },
    );
  }
}

class Pong extends Reactor {
  constructor(container) {
    super(container);
    this.receive = new InPort(this);
    this.send = new OutPort(this);
    this.pongs = 0;
    this.addReaction(
      new Triggers(this.receive),
      new Args(this.receive, this.writable(this.send)),
      (receive, send) => {
        this.pongs += 1;
        send.set(receive.get());
      },
    );
  }
}

class PingPong extends App {
  constructor(pings, success, fail) {
    super(undefined, false, true, success, fail);
    this.ping = new Ping(this, pings);
    this.pong = new Pong(this);
    this._connect(this.ping.send, this.pong.receive);
    this._connect(this.pong.send, this.ping.receive);
  }
}

class Clock extends Reactor {
  constructor(container) {
    super(container);
    this.y = new OutPort(this);
    this.tick = new Timer(this, 0, TimeValue.nsec(1));
    let count = 0;
    this.addReaction(new Triggers(this.tick), new Args(this.writable(this.y)), y => {
      count += 1;
      y.set(count);
    });
  }
}

class Destination extends Reactor {
  constructor(container) {
    super(container);
    this.x = new InPort(this);
    this.last = 0;
    this.addReaction(new Triggers(this.x), new Args(this.x), x => {
      const value = x.get();
      if (value !== this.last + 1) throw Error(`got ${value} behind ${this.last}`);
      this.last = value;
    });
    this.addReaction(new Triggers(this.shutdown), new Args(), () => {});
  }
}

class TimeLimit extends App {
  constructor(events, success, fail) {
    super(TimeValue.nsec(events), false, true, success, fail);
    this.clock = new Clock(this);
    this.destination = new Destination(this);
    this._connect(this.clock.y, this.destination.x);
  }
}

/** What it tells of itself goes to the console, whatever the level of its log. */
const mute = () => {
  const { log } = console;
  console.log = () => {};
  return () => {
    console.log = log;
  };
};

const measured = (Program, answer) => size => {
  const unmute = mute();
  let settle = {};
  const ended = new Promise((resolve, reject) => {
    settle = { resolve, reject };
  });
  const app = new Program(size, settle.resolve, () => settle.reject(Error('it failed')));
  unmute();
  return {
    run: async () => {
      const unmuteRun = mute();
      app._start();
      await ended;
      unmuteRun();
    },
    answer: () => answer(app),
  };
};

/** As in ../programs.js, but that a run is asynchronous. */
exports.programs = {
  pingpong: measured(PingPong, app => app.pong.pongs),
  timelimit: measured(TimeLimit, app => app.destination.last),
};
