// Programs in the form of reactor-ts. Their expected output was compared with that of reactor-ts
// 0.6.2.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import {
  Action,
  App,
  Bank,
  CalleePort,
  CallerPort,
  FederatedApp,
  InMultiPort,
  InPort,
  Origin,
  OutMultiPort,
  OutPort,
  Reactor,
  TimeValue,
  Timer,
} from '../index.js';
import { runFast } from './helpers.js';

const example = (/** @type {string} */ name) =>
  fileURLToPath(new URL(`../examples/${name}.js`, import.meta.url));

/** @type {(name: string, args: string[]) => { status: number | null, stdout: string }} */
const runExample = (name, args) =>
  spawnSync(process.execPath, [example(name), ...args], { encoding: 'utf8' });

test('the examples run to their end', t => {
  const { status, stdout } = runExample('ping-pong', ['100']);
  t.deepEqual([status, stdout], [0, 'Pong received 100 pings.\n']);
  t.is(runExample('time-limit', ['100']).stdout, 'Counted 100 ticks.\n');
  t.is(runExample('sieve', ['30']).stdout, '2 3 5 7 11 13 17 19 23 29\n');
});

/** An output and two reactors that read it, the second by way of a third. */
class Source extends Reactor {
  out = new OutPort(/** @type {Reactor} */ (this));
  /** @param {Reactor} parent */
  constructor(parent) {
    super(parent);
    this.addReaction([this.startup], [this.writable(this.out)], (/** @type {any} */ out) =>
      out.set([1, 2]),
    );
  }
}

test('a value is passed by reference, so a receiver may change it', async t => {
  class Sink extends Reactor {
    inp = new InPort(/** @type {Reactor} */ (this));
    /** @type {unknown} */
    got = undefined;
    /** @param {Reactor} parent */
    constructor(parent) {
      super(parent);
      this.addReaction([this.inp], [this.inp], (/** @type {any} */ inp) => {
        inp.get().push(3);
        this.got = inp.get();
      });
    }
  }
  class Main extends App {
    source = new Source(this);
    sink = new Sink(this);
    /** @param {any[]} args */
    constructor(...args) {
      super(...args);
      this._connect(this.source.out, this.sink.inp);
    }
  }
  const { app } = await runFast(Main);
  t.deepEqual(app.sink.got, [1, 2, 3]);
});

test("the last of an action's events at one tag remains", async t => {
  /** @type {unknown[]} */
  const got = [];
  class Main extends App {
    act = new Action(/** @type {Reactor} */ (this), Origin.logical);
    /** @param {any[]} args */
    constructor(...args) {
      super(...args);
      this.addReaction([this.startup], [this.schedulable(this.act)], (/** @type {any} */ act) => {
        act.schedule(0, 'a');
        act.schedule(0, 'b');
        act.schedule(TimeValue.msec(1), 'c');
        act.schedule(TimeValue.msec(1), 'd');
      });
      this.addReaction([this.act], [this.act], (/** @type {any} */ act) => {
        const { time, microstep } = this.util.getCurrentTag();
        got.push([act.get(), String(time.subtract(this.util.getStartTime())), microstep]);
      });
    }
  }
  await runFast(Main);
  t.deepEqual(got, [
    ['b', '(0 secs; 0 nsecs)', 1],
    ['d', '(0 secs; 1000000 nsecs)', 0],
  ]);
});

test('a timer with offset zero is absent at the first tag and present at the next', async t => {
  /** @type {boolean[]} */
  const present = [];
  class Main extends App {
    timer = new Timer(/** @type {Reactor} */ (this), 0, TimeValue.msec(1));
    /** @param {any[]} args */
    constructor(...args) {
      super(...args);
      this.addReaction([this.timer], [this.timer], (/** @type {any} */ timer) => {
        present.push(timer.get() !== undefined);
      });
    }
  }
  await runFast(Main, TimeValue.msec(2));
  t.deepEqual(present, [false, true, true]);
});

test('a program runs until its timeout, or without one until no event is pending', async t => {
  class Main extends App {
    last = '';
    /** @param {any[]} args */
    constructor(...args) {
      super(...args);
      this.addReaction([this.shutdown], [], () => {
        const { time, microstep } = this.util.getCurrentTag();
        this.last = `${time.subtract(this.util.getStartTime())} ${microstep}`;
      });
    }
  }
  t.is((await runFast(Main, TimeValue.sec(5))).app.last, '(5 secs; 0 nsecs) 0');
  t.is((await runFast(Main)).app.last, '(0 secs; 0 nsecs) 1');
});

test('a reported error calls the callback of failure', async t => {
  class Main extends App {
    /** @param {any[]} args */
    constructor(...args) {
      super(...args);
      this.addReaction([this.startup], [], () => this.util.requestErrorStop('broken'));
    }
  }
  t.is((await runFast(Main)).ended, 'failure');
});

test('a missed deadline runs the handler instead', async t => {
  /** @type {string[]} */
  const ran = [];
  class Main extends App {
    /** @param {any[]} args */
    constructor(...args) {
      super(...args);
      this.addReaction([this.startup], [], () => {
        const start = performance.now();
        while (performance.now() < start + 5);
      });
      this.addReaction(
        [this.startup],
        [],
        () => ran.push('on time'),
        TimeValue.msec(1),
        () => ran.push('late'),
      );
      this.addReaction(
        [this.startup],
        [],
        () => ran.push('on time'),
        TimeValue.sec(1000),
        () => ran.push('late'),
      );
    }
  }
  await runFast(Main);
  t.deepEqual(ran, ['late', 'on time']);
});

test('a reaction that writes a bank by lists runs before the reactions of its members', async t => {
  /** @type {unknown[]} */
  const order = [];
  class Member extends Reactor {
    inp = new InPort(/** @type {Reactor} */ (this));
    /** @param {Reactor} parent */
    constructor(parent) {
      super(parent);
      this.addReaction([this.startup, this.inp], [this.inp], (/** @type {any} */ inp) => {
        order.push(`${this.getBankIndex()}: ${inp.get()}`);
      });
    }
  }
  class Main extends App {
    bank = new Bank(/** @type {Reactor} */ (this), 2, Member, this);
    /** @param {any[]} args */
    constructor(...args) {
      super(...args);
      const inputs = this.bank.port(member => member.inp);
      this.addReaction(
        [this.startup],
        [/** @type {any} */ (this.bank.writable(inputs))],
        (/** @type {any} */ writers) =>
          writers.forEach((/** @type {any} */ writer, /** @type {number} */ i) =>
            writer.set(i * 10),
          ),
      );
    }
  }
  await runFast(Main);
  // reactor-ts runs the members earlier, and a second time.
  t.deepEqual(order, ['0: 0', '1: 10']);
});

test('a multiport refuses a width that is no whole number, as a flag of the program may give it', t => {
  class Wide extends Reactor {
    /** @param {Reactor} parent @param {number} width */
    constructor(parent, width) {
      super(parent);
      this.out = new OutMultiPort(/** @type {Reactor} */ (this), width);
    }
  }
  class Main extends App {
    /** @param {number} width */
    constructor(width) {
      super();
      this.bank = new Bank(this, 1, Wide, this, width);
    }
  }
  for (const width of [NaN, -1, 2.5]) {
    t.throws(() => new Main(width), {
      instanceOf: RangeError,
      message: `a multiport of main.Wide cannot have the width ${width}; it takes a whole number from 0`,
    });
  }
  t.is(new Main(0).bank.get(0).out.width(), 0);
});

test('multiports are connected channel by channel, on request starting again from the first source', async t => {
  /** @type {unknown[]} */
  const got = [];
  class Wide extends Reactor {
    out = new OutMultiPort(/** @type {Reactor} */ (this), 2);
    inp = new InMultiPort(/** @type {Reactor} */ (this), 4);
    /** @param {Reactor} parent */
    constructor(parent) {
      super(parent);
      this.addReaction([this.startup], [this.allWritable(this.out)], (/** @type {any} */ out) => {
        out.set(0, 'a');
        out.set(1, 'b');
      });
      this.addReaction([this.inp], [this.inp], (/** @type {any} */ inp) => got.push(inp.values()));
    }
  }
  class Main extends App {
    from = new Wide(this);
    to = new Wide(this);
    /** @param {any[]} args */
    constructor(...args) {
      super(...args);
      this._connectMulti([this.from.out], [this.to.inp], true);
    }
  }
  await runFast(Main);
  t.deepEqual(got, [['a', 'b', 'a', 'b']]);
});

test('a call runs the procedure at once', async t => {
  /** @type {unknown[]} */
  const got = [];
  class Server extends Reactor {
    callee = new CalleePort(/** @type {Reactor} */ (this));
    /** @param {Reactor} parent */
    constructor(parent) {
      super(parent);
      this.addReaction([this.callee], [this.callee], (/** @type {any} */ callee) =>
        callee.return(callee.get() * 2),
      );
    }
  }
  class Client extends Reactor {
    caller = new CallerPort(/** @type {Reactor} */ (this));
    /** @param {Reactor} parent */
    constructor(parent) {
      super(parent);
      this.addReaction([this.startup], [this.caller], (/** @type {any} */ caller) =>
        got.push(caller.invoke(21)),
      );
    }
  }
  class Main extends App {
    server = new Server(this);
    client = new Client(this);
    /** @param {any[]} args */
    constructor(...args) {
      super(...args);
      this._connectCall(this.client.caller, this.server.callee);
    }
  }
  await runFast(Main);
  t.deepEqual(got, [42]);
});

test('a deleted reactor gets its shutdown and then no reaction runs', async t => {
  /** @type {string[]} */
  const said = [];
  class Ticker extends Reactor {
    timer = new Timer(/** @type {Reactor} */ (this), 0, TimeValue.msec(1));
    /** @param {Reactor} parent */
    constructor(parent) {
      super(parent);
      this.addReaction([this.timer], [], () => said.push('tick'));
      this.addReaction([this.shutdown], [], () => said.push('end'));
    }
  }
  class Main extends App {
    ticker = new Ticker(this);
    timer = new Timer(/** @type {Reactor} */ (this), TimeValue.msec(2), 0);
    /** @param {any[]} args */
    constructor(...args) {
      super(...args);
      const { ticker } = this;
      this.addMutation([this.timer], [], function remove() {
        this.delete(ticker);
      });
    }
  }
  await runFast(Main, TimeValue.msec(9));
  t.deepEqual(said, ['tick', 'tick', 'tick', 'end']);
});

test('the timers of a deleted reactor do not keep the program from ending', async t => {
  let ticks = 0;
  class Clock extends Reactor {
    tick = new Timer(/** @type {Reactor} */ (this), TimeValue.usec(1), TimeValue.usec(1));
    /** @param {Reactor} parent */
    constructor(parent) {
      super(parent);
      this.addReaction([this.tick], [], () => (ticks += 1));
    }
  }
  class Main extends App {
    clock = new Clock(this);
    end = new Action(/** @type {Reactor} */ (this), Origin.logical, TimeValue.usec(3));
    /** @param {any[]} args */
    constructor(...args) {
      super(...args);
      const { clock } = this;
      this.addReaction([this.startup], [this.schedulable(this.end)], (/** @type {any} */ end) =>
        end.schedule(0, null),
      );
      this.addMutation([this.end], [], function remove() {
        this.delete(clock);
      });
    }
  }
  t.is((await runFast(Main)).ended, 'success');
  t.is(ticks, 3);
});

test('an error of a reaction at the first tag is thrown by the start', t => {
  class Main extends App {
    /** @param {any[]} args */
    constructor(...args) {
      super(...args);
      this.addReaction([this.startup], [], () => {
        throw new RangeError('broken');
      });
    }
  }
  const error = t.throws(() => new Main(undefined, false, true)._start());
  t.true(error instanceof RangeError);
});

test('a cycle is refused with the names of its parts', t => {
  class Pass extends Reactor {
    inp = new InPort(/** @type {Reactor} */ (this));
    out = new OutPort(/** @type {Reactor} */ (this));
    /** @param {Reactor} parent */
    constructor(parent) {
      super(parent);
      this.addReaction([this.inp], [this.inp, this.writable(this.out)], () => {});
    }
  }
  class Main extends App {
    a = new Pass(this);
    b = new Pass(this);
    constructor() {
      super();
      this._connect(this.a.out, this.b.inp);
      this._connect(this.b.out, this.a.inp);
    }
  }
  const { message } = /** @type {Error} */ (t.throws(() => new Main()._start()));
  t.true(message.startsWith('Cycle in reaction graph.'));
  for (const part of ['main.a.inp', 'main.a[R0]', 'main.a.out', 'main.b.inp', 'main.b.out'])
    t.true(message.includes(part), message);
});

test('a physical action scheduled from outside arrives at the time of the clock', async t => {
  /** @type {unknown[]} */
  const got = [];
  const ended = new Promise(end => {
    class Main extends App {
      act = new Action(/** @type {Reactor} */ (this), Origin.physical);
      constructor() {
        super(undefined, true, false, () => end(undefined));
        this.addReaction([this.startup], [this.schedulable(this.act)], (/** @type {any} */ act) => {
          setTimeout(() => {
            act.schedule(0, 'a');
            act.schedule(0, 'b');
          }, 5);
        });
        this.addReaction([this.act], [this.act], (/** @type {any} */ act) => {
          const late = this.util.getElapsedLogicalTime().isLaterThan(TimeValue.msec(3));
          got.push([act.get(), late]);
          if (got.length === 2) this.util.requestStop();
        });
      }
    }
    new Main()._start();
  });
  await ended;
  t.deepEqual(got, [
    ['a', true],
    ['b', true],
  ]);
});

test('no reaction reads a physical time before the logical time of its tag', async t => {
  let tags = 0;
  /** @type {string[]} */
  const early = [];
  await new Promise(end => {
    class Main extends App {
      timer = new Timer(/** @type {Reactor} */ (this), TimeValue.usec(50), TimeValue.usec(250));
      constructor() {
        super(TimeValue.msec(30), false, false, () => end(undefined));
        this.addReaction([this.timer], [], () => {
          const physical = this.util.getCurrentPhysicalTime();
          const logical = this.util.getCurrentLogicalTime();
          tags += 1;
          if (physical.isEarlierThan(logical)) early.push(`${logical.subtract(physical)}`);
        });
      }
    }
    new Main()._start();
  });
  t.is(tags, 120);
  t.deepEqual(early, []);
});

test('federated programs are refused by name', t => {
  t.throws(() => new FederatedApp(), {
    message: /^FederatedApp is for federated programs, which .* does not run; compile the program/,
  });
});
