// The measured reactor programs. Each is created anew for every run, and gives its result.

import { Program, Reactor, interleaved, runFast } from '#reactor';

/** @import { InMultiPort, InPort } from '#reactor' */

class Ping extends Reactor {
  receive = this.input();
  send = this.output();
  serve = this.action();

  constructor(/** @type {Reactor} */ container, /** @type {number} */ pings) {
    super(container);
    let left = pings;
    this.reaction({ triggers: [this.startup, this.serve], effects: this.send }, () => {
      this.send.set(left);
      left -= 1;
    });
    this.reaction({ triggers: this.receive, effects: this.serve }, () => {
      if (left > 0) this.serve.schedule(0);
      else this.requestStop();
    });
  }
}

class Pong extends Reactor {
  receive = this.input();
  send = this.output();
  pongs = 0;

  answer = this.reaction({ triggers: this.receive, effects: this.send }, () => {
    this.pongs += 1;
    this.send.set(this.receive.get());
  });
}

/** Savina's PingPong, as Lingua Franca's benchmarks have it: one action per ping, and so one tag per ping. */
class PingPong extends Reactor {
  constructor(/** @type {number} */ pings) {
    super();
    this.ping = new Ping(this, pings);
    this.pong = new Pong(this);
    this.connect([this.ping.send, this.pong.send], [this.pong.receive, this.ping.receive]);
  }
}

class Clock extends Reactor {
  y = this.output();
  tick = this.timer(0, 1);
  count = 0;

  send = this.reaction({ triggers: this.tick, effects: this.y }, () => {
    this.count += 1;
    this.y.set(this.count);
  });
}

class Destination extends Reactor {
  x = this.input();
  last = 0;

  check = this.reaction({ triggers: this.x }, () => {
    const value = this.x.get();
    if (value !== this.last + 1) throw Error(`got ${value} behind ${this.last}`);
    this.last = value;
  });

  end = this.reaction({ triggers: this.shutdown }, () => {});
}

/** Lingua Franca's TimeLimit: a clock of 1 ns, and a reactor that checks its values. */
class TimeLimit extends Reactor {
  clock = new Clock(this);
  destination = new Destination(this);
  wire = this.connect(this.clock.y, this.destination.x);
}

/** libcsp's sum: each step spawns two children, waits for both, and adds. */
class Sum extends Reactor {
  /** @type {InPort<any>} */
  low = this.input();
  /** @type {InPort<any>} */
  high = this.input();
  sum = this.output();
  left = this.transient(Sum, ['sum']);
  right = this.transient(Sum, ['sum']);

  split = this.reaction(
    { triggers: [this.low, this.high], effects: [this.sum, this.left, this.right] },
    () => {
      const low = this.low.get();
      const high = this.high.get();
      if (low === high) {
        this.sum.set(low);
        return;
      }
      const middle = low + Math.floor((high - low) / 2);
      this.left.spawn(low, middle);
      this.right.spawn(middle + 1, high);
    },
  );

  add = this.reaction({ triggers: [this.left.sum, this.right.sum], effects: this.sum }, () =>
    this.sum.set(this.left.sum.get() + this.right.sum.get()),
  );
}

class SumOf extends Reactor {
  result = 0;

  constructor(/** @type {number} */ high) {
    super();
    this.all = this.transient(Sum, ['sum']);
    this.reaction({ triggers: this.startup, effects: this.all }, () => this.all.spawn(0, high));
    this.reaction({ triggers: this.all.sum }, () => {
      this.result = this.all.sum.get();
    });
  }
}

class Member extends Reactor {
  heard = 0;

  constructor(/** @type {Reactor} */ container, /** @type {number} */ width) {
    super(container);
    /** @type {InMultiPort<number>} */
    this.in = this.inputs(width);
    this.out = this.outputs(width);
    this.go = this.input();
    this.reaction({ triggers: this.go, effects: this.out }, () => {
      for (let i = 0; i < 10; i += 1) this.out.set((7 * i) % width, i);
    });
    this.reaction({ triggers: this.in }, () =>
      this.in.forEachPresent(value => {
        this.heard += value;
      }),
    );
  }
}

/** All reactors are connected to all others; at each tag one of them writes to ten others. */
class Connected extends Reactor {
  tick = this.timer(0, 1);

  constructor(/** @type {number} */ width) {
    super();
    this.members = this.bank(width, Member, width);
    this.connect(interleaved(this.members.port('out')), this.members.port('in'));
    const first = this.members.get(0);
    this.reaction({ triggers: this.tick, effects: first.go }, () => first.go.set(true));
  }
}

/** A given number of pending actions; each one that comes is scheduled again, at a pseudo-random time. */
class Pending extends Reactor {
  come = 0;
  a = this.action();

  constructor(/** @type {number} */ pending) {
    super();
    let seed = 1;
    const delay = () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
      return 1 + (seed % (16 * pending));
    };
    this.reaction({ triggers: this.startup, effects: this.a }, () => {
      for (let i = 0; i < pending; i += 1) this.a.schedule(delay());
    });
    this.reaction({ triggers: this.a, effects: this.a }, () => {
      this.come += 1;
      this.a.schedule(delay());
    });
  }
}

/** The programs are long at one time, and are meant to be: without a bound each would say so. */
const bounded = { maxMicrosteps: Number.MAX_SAFE_INTEGER };

/**
 * The measured programs. The time excludes the preparation, unless the preparation is measured.
 *
 * @type {Record<string, (size: number) => { run: () => void, answer: () => unknown }>}
 */
export const programs = {
  pingpong: pings => {
    const main = new PingPong(pings);
    return { run: () => void runFast(main, bounded), answer: () => main.pong.pongs };
  },
  timelimit: events => {
    const main = new TimeLimit();
    return {
      run: () => void runFast(main, { timeout: events, ...bounded }),
      answer: () => main.destination.last,
    };
  },
  sum: high => {
    const main = new SumOf(high);
    return { run: () => void runFast(main, bounded), answer: () => main.result };
  },
  assemble: width => {
    /** @type {Program | undefined} */
    let program;
    return {
      run: () => {
        program = new Program(new Connected(width), { fast: true });
      },
      answer: () => program?.scheduler.nextTag(),
    };
  },
  connected: width => {
    const main = new Connected(width);
    const program = new Program(main, { fast: true });
    for (let i = 0; i < 100; i += 1) program.step();
    return {
      run: () => {
        for (let i = 0; i < 10_000; i += 1) program.step();
      },
      answer: () => main.members.all().reduce((sum, { heard }) => sum + heard, 0),
    };
  },
  pending: pending => {
    const main = new Pending(pending);
    const program = new Program(main, { fast: true });
    const turn = () => {
      const until = main.come + 200_000;
      while (main.come < until) program.step();
    };
    turn();
    return { run: turn, answer: () => main.come };
  },
};
