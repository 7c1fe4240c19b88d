// Programs written as reactor-ts has them: its classes, its names, its constructors.

import test from 'ava';
import {
  Action,
  App,
  Args,
  Bank,
  InMultiPort,
  InPort,
  Origin,
  OutMultiPort,
  OutPort,
  Parameter,
  Reactor,
  State,
  TimeUnit,
  TimeValue,
  Timer,
  Triggers,
} from '../index.js';

class Ramp extends Reactor {
  until = new Parameter(/** @type {number} */ (0));
  next = new Action(this, Origin.logical, TimeValue.usec(3));
  value = new OutPort(this);

  constructor(/** @type {Reactor} */ parent, until = 10) {
    super(parent);
    this.until = new Parameter(until);
    this.addReaction(
      new Triggers(this.startup),
      new Args(this.schedulable(this.next)),
      function (next) {
        next.schedule(0, 0);
      },
    );
    this.addReaction(
      new Triggers(this.next),
      new Args(this.schedulable(this.next), this.until, this.writable(this.value)),
      function (next, until, value) {
        const n = next.get();
        if (n === until.get()) {
          // @ts-expect-error: `this` is the reactor, as the library calls it
          this.util.requestStop();
        } else {
          next.schedule(0, n + 1);
          value.set(n);
        }
      },
    );
  }
}

class Print extends Reactor {
  value = new InPort(this);
  last = new State(/** @type {number[]} */ ([]));
  constructor(/** @type {Reactor} */ parent) {
    super(parent);
    this.addReaction([this.value], [this.value, this.last], (value, last) => {
      last.set([...last.get(), value.get()]);
    });
  }
}

test('an App runs with actions, ports, parameters and state', async t => {
  class RampApp extends App {
    ramp = new Ramp(this, 4);
    print = new Print(this);
    constructor(/** @type {() => void} */ success) {
      super(undefined, false, true, success);
      this._connect(this.ramp.value, this.print.value);
    }
  }
  let succeeded = 0;
  const app = new RampApp(() => {
    succeeded += 1;
  });
  const program = await app._start();
  t.is(succeeded, 1);
  t.deepEqual(app.print.last.get(), [0, 1, 2, 3]);
  t.is(program?.tag, '15000ns.1');
});

test('an App that fails reports it', async t => {
  class Failing extends App {
    tick = new Timer(this, 0, TimeValue.secs(1));
    constructor(/** @type {(error: any) => void} */ failure) {
      super(TimeValue.secs(3), false, true, () => t.fail(), failure);
      this.addReaction([this.tick], [], function () {
        // @ts-expect-error: `this` is the reactor
        this.util.requestErrorStop('this is wrong');
      });
    }
  }
  /** @type {any} */
  let error;
  await new Failing(e => {
    error = e;
  })._start();
  t.is(error.message, 'Failing: this is wrong');
});

test('an App has banks and multiports', async t => {
  class Periodic extends Reactor {
    t = new Timer(this, 0, TimeValue.sec(1));
    o = new OutPort(this);
    constructor(/** @type {Reactor} */ parent) {
      super(parent);
      this.addReaction([this.t], [this.writable(this.o)], o => o.set(this.getBankIndex()));
    }
  }
  class Scatter extends Reactor {
    out = new OutMultiPort(this, 3);
    in = new InMultiPort(this, 3);
    constructor(/** @type {Reactor} */ parent) {
      super(parent);
      this.addReaction([this.in], [this.in, this.allWritable(this.out)], (from, out) => {
        for (let i = 0; i < from.width; i += 1) out.set(2 - i, from.get(i));
      });
    }
  }
  class Main extends App {
    sources = new Bank(this, 3, Periodic);
    scatter = new Scatter(this);
    prints = new Bank(this, 3, Print);
    constructor() {
      super(TimeValue.withUnits(1, TimeUnit.sec), undefined, true);
      this._connectMulti(
        this.sources.port(p => p.o),
        [this.scatter.in],
      );
      this._connectMulti(
        [this.scatter.out],
        this.prints.port(p => p.value),
      );
    }
  }
  const main = new Main();
  await main._start();
  t.deepEqual(
    main.prints.all().map(({ last }) => last.get()),
    [
      [2, 2],
      [1, 1],
      [0, 0],
    ],
  );
  t.is(main.sources.get(2).getBankIndex(), 2);
});

test('a mutation of reactor-ts makes reactors for what comes', async t => {
  class AddOne extends Reactor {
    x = new InPort(this);
    y = new OutPort(this);
    constructor(/** @type {Reactor} */ owner, /** @type {number} */ id) {
      super(owner);
      this.addReaction([this.x], [this.x, this.writable(this.y)], (input, output) =>
        output.set(
          input
            .get()
            .map((/** @type {number} */ v, /** @type {number} */ i) => v + (i === id ? 1 : 0)),
        ),
      );
    }
  }
  class Computer extends Reactor {
    in = new InPort(this);
    out = new OutPort(this);
    constructor(/** @type {Reactor} */ container) {
      super(container);
      this.addMutation([this.in], [this.in, this.writable(this.out)], src => {
        let last = src;
        for (const id of src.get().keys()) {
          const adder = new AddOne(this, id);
          this.connect(last, adder.x);
          last = adder.y;
        }
        this.connect(last, this.out);
      });
    }
  }
  class Main extends App {
    compute = new Computer(this);
    print = new Print(this);
    constructor() {
      super(undefined, undefined, true);
      this._connect(this.compute.out, this.print.value);
      this.addReaction([this.startup], [this.writable(this.compute.in)], to =>
        to.set([1, 2, 3, 4]),
      );
    }
  }
  const main = new Main();
  await main._start();
  t.deepEqual(main.print.last.get(), [[2, 3, 4, 5]]);
  t.is(main.compute.node.children.length, 4);
});

test('time values are numbers of nanoseconds', t => {
  t.is(TimeValue.msec(10), 10_000_000);
  t.is(TimeValue.secsAndNs(1, 5), 1_000_000_005);
  t.is(TimeValue.withUnits(2, TimeUnit.minute), 120_000_000_000);
  t.is(TimeValue.zero(), 0);
  t.true(TimeValue.sec(1) < TimeValue.forever());
});
