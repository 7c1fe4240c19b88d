// After TestForPreviousOutput, MixedReactions, DoubleReaction, ReadOutputOfContainedReactor, StartupOutFromInside,
// SendingInside, SendingInside2, MultipleContained, NestedTriggeredReactions, ToReactionNested, Determinism, Composition,
// CompositionGain, CompositionInitializationOrder, PortValueCleanup, TriggerDownstreamOnlyIfPresent, TriggerIssue,
// UnconnectedInput, DanglingOutput, SelfLoop, CycleBreaking of Lingua Franca, and its tests of cycles.

import test from 'ava';
import { InPort, OutPort, Reactor, runFast } from '../index.js';
import { Traced } from './helpers.js';

/** @type {(main: Traced, options?: object) => string[]} */
const traceOf = (main, options) => {
  runFast(main, options);
  return main.trace;
};

class Source extends Reactor {
  out = this.output();
  tick = this.timer(0, '1 ms');
  count = 0;
  send = this.reaction({ triggers: this.tick, effects: this.out }, () => {
    this.count += 1;
    this.out.set(this.count);
  });
}

test('a later reaction sees and replaces what an earlier one wrote', t => {
  class Inner extends Reactor {
    /** @type {OutPort<any>} */
    out = this.output();
    r1 = this.reaction({ triggers: this.startup, effects: this.out }, () => this.out.set(21));
    r2 = this.reaction({ triggers: this.startup, effects: this.out }, () =>
      this.out.set(this.out.isPresent() ? 2 * this.out.get() : 0),
    );
  }
  class Main extends Traced {
    inner = new Inner(this);
    r = this.reaction({ triggers: this.inner.out }, () => this.log(this.inner.out.get()));
  }
  t.deepEqual(traceOf(new Main()), ['0.0 42']);
});

test('two inputs from one source by ways of different length are present together', t => {
  class Pass extends Reactor {
    in = this.input();
    out = this.output();
    r = this.reaction({ triggers: this.in, effects: this.out }, () => this.out.set(this.in.get()));
  }
  class Destination extends Reactor {
    /** @type {InPort<any>} */
    x = this.input();
    /** @type {InPort<any>} */
    y = this.input();
    constructor(/** @type {any} */ main) {
      super(main);
      this.reaction({ triggers: [this.x, this.y] }, () => main.log(this.x.get() + this.y.get()));
    }
  }
  class Main extends Traced {
    d = new Destination(this);
    p2 = new Pass(this);
    p1 = new Pass(this);
    s = new Source(this);
    wires = [
      this.connect(this.s.out, this.d.x),
      this.connect(this.s.out, this.p1.in),
      this.connect(this.p1.out, this.p2.in),
      this.connect(this.p2.out, this.d.y),
    ];
  }
  t.deepEqual(traceOf(new Main(), { timeout: '2 ms' }), ['0.0 2', '1.0 4', '2.0 6']);
});

test('the order in which reactors are made does not matter, what they declare does', t => {
  class Node extends Reactor {
    in = this.input();
    out = this.output();
    constructor(/** @type {any} */ main, /** @type {string} */ name) {
      super(main);
      this.reaction({ triggers: [this.startup, this.in], effects: this.out }, () => {
        main.log(name);
        this.out.set(name);
      });
    }
  }
  for (const names of ['abcd', 'dcba', 'bdac']) {
    class Main extends Traced {
      /** @type {Record<string, Node>} */
      nodes = {};
      constructor() {
        super();
        for (const name of names) this.nodes[name] = new Node(this, name);
        const { a, b, c, d } = this.nodes;
        this.connect([a.out, b.out, c.out], [b.in, c.in, d.in]);
      }
    }
    t.deepEqual(traceOf(new Main()), ['0.0 a', '0.0 b', '0.0 c', '0.0 d']);
  }
});

test('a container reads outputs of what it contains, and writes its inputs', t => {
  class Inner extends Reactor {
    in = new InPort(this);
    out = new OutPort(this);
    r = this.reaction({ triggers: this.in, effects: this.out }, () =>
      this.out.set(this.in.get() + 1),
    );
  }
  class Main extends Traced {
    a = new Inner(this);
    b = new Inner(this);
    go = this.reaction({ triggers: this.startup, effects: [this.a.in, this.b.in] }, () => {
      this.a.in.set(1);
      this.b.in.set(10);
    });
    got = this.reaction({ triggers: this.a.out, sources: this.b.out }, () =>
      this.log(this.a.out.get(), this.b.out.get()),
    );
  }
  t.deepEqual(traceOf(new Main()), ['0.0 2 11']);
});

test('an output may be connected from inside at any depth', t => {
  class Leaf extends Reactor {
    /** @type {InPort<any>} */
    in = this.input();
    out = this.output();
    r = this.reaction({ triggers: this.in, effects: this.out }, () => this.out.set(-this.in.get()));
  }
  class Shell extends Reactor {
    /** @type {InPort<any>} */
    in = this.input();
    out = this.output();
    /** @type {Reactor & { in: any, out: any }} */
    inner;
    constructor(/** @type {any} */ container, /** @type {number} */ depth) {
      super(container);
      this.inner = depth === 0 ? new Leaf(this) : new Shell(this, depth - 1);
      this.connect(this.in, this.inner.in);
      this.connect(this.inner.out, this.out);
    }
  }
  class Main extends Traced {
    source = new Source(this);
    shell = new Shell(this, 50);
    wire = this.connect(this.source.out, this.shell.in);
    r = this.reaction({ triggers: this.shell.out }, () => this.log(this.shell.out.get()));
  }
  t.deepEqual(traceOf(new Main(), { timeout: '1 ms' }), ['0.0 -1', '1.0 -2']);
});

test('an input of a container is seen by its own reactions and by what it contains', t => {
  class Leaf extends Reactor {
    in = this.input();
    constructor(/** @type {any} */ container, /** @type {any} */ main) {
      super(container);
      this.reaction({ triggers: this.in }, () => main.log('leaf', this.in.get()));
    }
  }
  class Shell extends Reactor {
    in = this.input();
    constructor(/** @type {any} */ main) {
      super(main);
      this.leaf = new Leaf(this, main);
      this.connect(this.in, this.leaf.in);
      this.reaction({ triggers: this.in }, () => main.log('shell', this.in.get()));
    }
  }
  class Main extends Traced {
    source = new Source(this);
    shell = new Shell(this);
    wire = this.connect(this.source.out, this.shell.in);
  }
  t.deepEqual(traceOf(new Main(), { timeout: 0 }).sort(), ['0.0 leaf 1', '0.0 shell 1']);
});

test('a port is absent at the tags at which nothing is written', t => {
  class Odd extends Reactor {
    /** @type {InPort<any>} */
    in = this.input();
    out = this.output();
    r = this.reaction({ triggers: this.in, effects: this.out }, () => {
      if (this.in.get() % 2 === 1) this.out.set(this.in.get());
    });
  }
  class Main extends Traced {
    source = new Source(this);
    odd = new Odd(this);
    wire = this.connect(this.source.out, this.odd.in);
    r1 = this.reaction({ triggers: this.odd.out }, () => this.log('triggered'));
    r2 = this.reaction({ triggers: this.source.out, sources: this.odd.out }, () =>
      this.log(this.odd.out.isPresent(), this.odd.out.get()),
    );
  }
  t.deepEqual(traceOf(new Main(), { timeout: '2 ms' }), [
    '0.0 triggered',
    '0.0 true 1',
    '1.0 false ',
    '2.0 triggered',
    '2.0 true 3',
  ]);
});

test('unconnected inputs are absent and unconnected outputs go nowhere', t => {
  class Inner extends Reactor {
    a = this.input();
    b = this.input();
    out = this.output();
    constructor(/** @type {any} */ main) {
      super(main);
      this.reaction({ triggers: [this.a, this.b], effects: this.out }, () => {
        main.log(this.a.get(), this.b.get(), this.b.isPresent());
        this.out.set(0);
      });
    }
  }
  class Main extends Traced {
    source = new Source(this);
    inner = new Inner(this);
    wire = this.connect(this.source.out, this.inner.a);
  }
  t.deepEqual(traceOf(new Main(), { timeout: 0 }), ['0.0 1  false']);
});

test('undefined is a value like any other', t => {
  class Inner extends Reactor {
    out = this.output();
    r = this.reaction({ triggers: this.startup, effects: this.out }, () => this.out.set(undefined));
  }
  class Main extends Traced {
    inner = new Inner(this);
    r = this.reaction({ triggers: this.inner.out }, () =>
      this.log(this.inner.out.isPresent(), this.inner.out.get()),
    );
  }
  t.deepEqual(traceOf(new Main()), ['0.0 true ']);
});

// Cycles

class Filter extends Reactor {
  in = this.input();
  out = this.output();
  r0 = this.reaction({ triggers: this.in }, () => {});
  r1 = this.reaction({ triggers: this.startup, effects: this.out }, () => this.out.set(1));
}

test('a cycle names all ports and reactions on it', t => {
  class Mixer extends Reactor {
    in = this.input();
    out = this.output();
    mix = this.reaction({ triggers: this.in, effects: this.out }, () => {});
  }
  class Main extends Reactor {
    filter = new Filter(this);
    mixer = new Mixer(this);
    wires = this.connect([this.filter.out, this.mixer.out], [this.mixer.in, this.filter.in]);
  }
  t.throws(() => runFast(new Main()), {
    message:
      'zero-delay cycle: filter.r0 → filter.r1 → filter.out → mixer.in → mixer.mix → mixer.out → filter.in → filter.r0; ' +
      'break it with an action or an "after" delay',
  });
});

test('a reactor whose output leads to its own input is a cycle, and none with "after"', t => {
  class Loop extends Reactor {
    /** @type {InPort<any>} */
    in = this.input();
    out = this.output();
    r = this.reaction({ triggers: [this.startup, this.in], effects: this.out }, () => {
      if ((this.in.get() ?? 0) < 3) this.out.set((this.in.get() ?? 0) + 1);
    });
  }
  class Main extends Traced {
    loop = new Loop(this);
    constructor(/** @type {object} */ options) {
      super();
      this.connect(this.loop.out, this.loop.in, options);
      this.reaction({ triggers: this.loop.out }, () => this.log(this.loop.out.get()));
    }
  }
  t.throws(() => runFast(new Main({})), {
    message: /^zero-delay cycle: loop\.r → loop\.out → loop\.in → loop\.r; /,
  });
  t.deepEqual(traceOf(new Main({ after: 0 })), ['0.0 1', '0.1 2', '0.2 3']);
  t.deepEqual(traceOf(new Main({ after: '1 ms' })), ['0.0 1', '1.0 2', '2.0 3']);
});

test('an output of an earlier reaction to an input of a later one is no cycle', t => {
  class Loop extends Reactor {
    in = this.input();
    out = this.output();
    first = this.reaction({ triggers: this.startup, effects: this.out }, () => this.out.set(5));
    constructor(/** @type {any} */ main) {
      super(main);
      this.reaction({ triggers: this.in }, () => main.log(this.in.get()));
    }
  }
  class Main extends Traced {
    loop = new Loop(this);
    wire = this.connect(this.loop.out, this.loop.in);
  }
  t.deepEqual(traceOf(new Main()), ['0.0 5']);
});

test('a cycle through containers names their ports', t => {
  class Inner extends Reactor {
    in = this.input();
    out = this.output();
    r = this.reaction({ sources: this.in, triggers: this.startup, effects: this.out }, () => {});
  }
  class Shell extends Reactor {
    in = this.input();
    out = this.output();
    inner = new Inner(this);
    wires = [this.connect(this.in, this.inner.in), this.connect(this.inner.out, this.out)];
  }
  class Main extends Reactor {
    shell = new Shell(this);
    wire = this.connect(this.shell.out, this.shell.in);
  }
  t.throws(() => runFast(new Main()), {
    message:
      /^zero-delay cycle: shell\.inner\.r → shell\.inner\.out → shell\.out → shell\.in → shell\.inner\.in → shell\.inner\.r; /,
  });
});
