// The order of reactions where it is not obvious. The expected output is that of reactor-ts 0.6.2, except where a comment
// says otherwise.

import test from 'ava';
import {
  Action,
  App,
  Bank,
  CalleePort,
  CallerPort,
  InPort,
  Origin,
  OutPort,
  Reactor,
  TimeValue,
} from '../index.js';
import { runFast } from './helpers.js';

test('with a timeout of 0 the reactions at startup all run before those at shutdown', async t => {
  /** @type {string[]} */
  const order = [];
  class Main extends App {
    action = new Action(/** @type {Reactor} */ (this), Origin.logical);
    /** @param {any[]} args */
    constructor(...args) {
      super(...args);
      this.addReaction([this.shutdown], [], () => order.push('shutdown'));
      this.addReaction([this.startup, this.shutdown], [], () => order.push('both'));
      this.addReaction(
        [this.startup],
        [this.schedulable(this.action)],
        (/** @type {any} */ action) => {
          order.push('startup');
          action.schedule(0, null);
        },
      );
      this.addReaction([this.action], [], () => order.push('action'));
    }
  }
  await runFast(Main, TimeValue.zero());
  t.deepEqual(order, ['both', 'startup', 'shutdown', 'both']);
});

class Pass extends Reactor {
  inp = new InPort(/** @type {Reactor} */ (this));
  out = new OutPort(/** @type {Reactor} */ (this));
  /** @param {Reactor} parent */
  constructor(parent) {
    super(parent);
    this._connect(this.inp, this.out);
  }
}

test('ports connected in a circle are accepted if nothing leads into it', async t => {
  /** @type {string[]} */
  const order = [];
  class Main extends App {
    pass = new Pass(this);
    /** @param {any[]} args */
    constructor(...args) {
      super(...args);
      this._connect(this.pass.out, this.pass.inp);
      this.addReaction([this.startup, this.pass.out], [], () => order.push('startup'));
    }
  }
  await runFast(Main);
  t.deepEqual(order, ['startup']);
});

test('ports connected in a circle are refused if a reaction writes one of them', t => {
  class Main extends App {
    pass = new Pass(this);
    constructor() {
      super();
      this._connect(this.pass.out, this.pass.inp);
      this.addReaction([this.startup], [this.writable(this.pass.inp)], () => {});
    }
  }
  // In reactor-ts the error is that the stack is too deep.
  t.throws(() => new Main()._start(), { message: /^Cycle in reaction graph\. main\.pass/ });
});

test('a circle of ports behind a port that nobody writes is accepted', async t => {
  class Loop extends Pass {
    other = new InPort(/** @type {Reactor} */ (this));
    /** @param {Reactor} parent */
    constructor(parent) {
      super(parent);
      this._disconnect(this.inp, this.out);
      // Both sources are checked before either is connected, as in reactor-ts.
      this._connectMulti([this.inp, this.other], [this.out, this.out], false);
    }
  }
  class Main extends App {
    loop = new Loop(this);
    /** @param {any[]} args */
    constructor(...args) {
      super(...args);
      this._connect(this.loop.out, this.loop.inp);
    }
  }
  t.is((await runFast(Main)).ended, 'success');
});

test('events of a physical action come in the order of their times', async t => {
  /** @type {string[]} */
  const order = [];
  class Main extends App {
    action = new Action(/** @type {Reactor} */ (this), Origin.physical);
    /** @param {any[]} args */
    constructor(...args) {
      super(...args);
      const { action } = this;
      this.addReaction([this.startup], [this.schedulable(action)], (/** @type {any} */ it) => {
        it.schedule(TimeValue.sec(2), 'c');
        it.schedule(TimeValue.sec(1), 'a');
        it.schedule(TimeValue.sec(1), 'b');
        it.schedule(TimeValue.sec(2), 'd');
      });
      this.addReaction([action], [action], (/** @type {any} */ it) => order.push(it.get()));
    }
  }
  await runFast(Main);
  t.deepEqual(order, ['a', 'b', 'c', 'd']);
});

test('a fast program runs its first two tags, and perhaps ends, before its start returns', async t => {
  /** @param {TimeValue | undefined} timeout @param {number} count  of events */
  const run = (timeout, count) =>
    new Promise(end => {
      /** @type {(string | number)[]} */
      const order = [];
      class Main extends App {
        action = new Action(/** @type {Reactor} */ (this), Origin.logical, TimeValue.sec(1));
        constructor() {
          super(timeout, false, true, () => {
            order.push('end');
            setImmediate(end, order);
          });
          this.addReaction(
            [this.startup, this.action],
            [this.schedulable(this.action)],
            (/** @type {any} */ action) => {
              if (order.push(order.length) <= count) action.schedule(0, null);
            },
          );
        }
      }
      new Main()._start();
      order.push('started');
    });
  t.deepEqual(await run(undefined, 0), [0, 'started', 'end']);
  t.deepEqual(await run(undefined, 1), [0, 1, 'started', 'end']);
  t.deepEqual(await run(TimeValue.sec(3), 0), [0, 'end', 'started']);
});

/** @type {string[]} */
let called = [];

class Server extends Reactor {
  callee = new CalleePort(/** @type {Reactor} */ (this));
  /** @param {Reactor} parent */
  constructor(parent) {
    super(parent);
    this.addReaction([this.callee], [this.callee], (/** @type {any} */ callee) =>
      callee.return(callee.get()),
    );
  }
}

class Client extends Reactor {
  caller = new CallerPort(/** @type {Reactor} */ (this));
  inp = new InPort(/** @type {Reactor} */ (this));
  /** @param {Reactor} parent @param {string} name */
  constructor(parent, name) {
    super(parent);
    this.addReaction([this.startup, this.inp], [this.caller], (/** @type {any} */ caller) =>
      called.push(caller.invoke(name)),
    );
  }
}

test.serial('reactions that call one procedure are not ordered by their connections', async t => {
  called = [];
  class Main extends App {
    server = new Server(this);
    first = new Client(this, 'first');
    second = new Client(this, 'second');
    /** @param {any[]} args */
    constructor(...args) {
      super(...args);
      this._connectCall(this.second.caller, this.server.callee);
      this._connectCall(this.first.caller, this.server.callee);
      this.addReaction([this.startup], [this.writable(this.first.inp)], () => {});
    }
  }
  await runFast(Main);
  t.deepEqual(called, ['first', 'second']);
});

test('a list of ports of a bank delays only the reactions that depend on it', async t => {
  /** @type {string[]} */
  const order = [];
  class Node extends Reactor {
    inp = new InPort(/** @type {Reactor} */ (this));
    out = new OutPort(/** @type {Reactor} */ (this));
    /** @param {Reactor} parent @param {string} name */
    constructor(parent, name) {
      super(parent);
      for (const part of [1, 2])
        this.addReaction([this.startup, this.inp], [this.inp, this.writable(this.out)], () =>
          order.push(`${name} ${part}`),
        );
    }
  }
  class Main extends App {
    bank = new Bank(/** @type {Reactor} */ (this), 1, Node, this, 'member');
    a = new Node(this, 'a');
    b = new Node(this, 'b');
    c = new Node(this, 'c');
    /** @param {any[]} args */
    constructor(...args) {
      super(...args);
      this._connect(this.bank.port(node => node.out)[0], this.c.inp);
      this._connect(this.a.out, this.b.inp);
      this.addReaction(
        [this.startup, this.a.out],
        [/** @type {any} */ (this.bank.writable(this.bank.port(node => node.inp)))],
        () => order.push('main'),
      );
    }
  }
  await runFast(Main);
  // In reactor-ts: member 1, a 1, member 2, a 2, c 1, main, b 1, c 2, b 2; the members do not wait for "main".
  t.deepEqual(order.join(', '), 'a 1, a 2, main, member 1, member 2, c 1, b 1, c 2, b 2');
});

test('a connection made by a mutation changes the order only where it must', async t => {
  /** @type {string[]} */
  const order = [];
  class Step extends Reactor {
    inp = new InPort(/** @type {Reactor} */ (this));
    out = new OutPort(/** @type {Reactor} */ (this));
    go;
    /** @param {Reactor} parent @param {string} name */
    constructor(parent, name) {
      super(parent);
      this.go = new Action(/** @type {Reactor} */ (this), Origin.logical);
      this.addReaction([this.startup], [this.schedulable(this.go)], (/** @type {any} */ action) =>
        action.schedule(TimeValue.msec(1), null),
      );
      this.addReaction([this.go, this.inp], [this.writable(this.out)], () => order.push(name));
    }
  }
  class Main extends App {
    a = new Step(this, 'a');
    b = new Step(this, 'b');
    c = new Step(this, 'c');
    d = new Step(this, 'd');
    /** @param {any[]} args */
    constructor(...args) {
      super(...args);
      const { b, c } = this;
      this.addMutation([this.startup], [], function link() {
        this.connect(c.out.asConnectable(), b.inp.asConnectable());
      });
    }
  }
  await runFast(Main);
  // reactor-ts would go on with a, b, c, d, and run b before the reaction that writes its input.
  t.deepEqual(order, ['a', 'c', 'b', 'd']);
});

test('a mutation that makes and connects many reactors builds the graph of the program once', async t => {
  class Step extends Reactor {
    inp = new InPort(/** @type {Reactor} */ (this));
    out = new OutPort(/** @type {Reactor} */ (this));
    /** @param {Reactor} parent */
    constructor(parent) {
      super(parent);
      this.addReaction(
        [this.startup, this.inp],
        [this.inp, this.writable(this.out)],
        (/** @type {any} */ inp, /** @type {any} */ out) => out.set((inp.get() ?? 0) + 1),
      );
    }
  }
  /** How often the graph is built for a chain, and what comes out of it. @param {number} count */
  const buildsFor = async count => {
    let builds = 0;
    /** @type {string[]} */
    const got = [];
    class Main extends App {
      first = new Step(this);
      /** @param {any[]} args */
      constructor(...args) {
        super(...args);
        const { first } = this;
        const app = /** @type {any} */ (this);
        this.addMutation([this.startup], [], function make() {
          let last = first;
          for (let i = 1; i < count; i += 1) {
            const next = new Step(app);
            this.connect(last.out.asConnectable(), next.inp.asConnectable());
            last = next;
          }
          const circle = () => this.connect(last.out.asConnectable(), first.inp.asConnectable());
          try {
            circle();
          } catch (error) {
            got.push(/** @type {Error} */ (error).message.replace(/.* Reason/, 'Reason'));
          }
          app.last = last;
        });
      }

      _getPrecedenceGraph() {
        builds += 1;
        return super._getPrecedenceGraph();
      }
    }
    const { app } = await runFast(Main);
    t.deepEqual(got, ['Reason is New connection introduces cycle.']);
    t.is(app.last.out.value, count);
    return builds;
  };
  t.is(await buildsFor(40), await buildsFor(2));
});
