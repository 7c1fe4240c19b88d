// Mutations and the outputs of their own reactor: what feeds an output is swapped, and an output leads on to what the
// reactor contains, as in reactor-ts.

import test from 'ava';
import { Reactor, runFast } from '../index.js';

/** @param {Reactor} reactor */
const now = reactor => reactor.util.getCurrentTag().timeNs;

class Numbered extends Reactor {
  out = this.output();
  tick = this.timer(0, 1);
  /** @param {any} container @param {number} number */
  constructor(container, number) {
    super(container);
    this.reaction({ triggers: this.tick, effects: this.out }, () => this.out.set(number));
  }
}

/** Swaps the child behind its output at 2, and writes the output itself at 5, when there is none. */
class Swap extends Reactor {
  out = this.output();
  child = new Numbered(this, 1);
  wires = this.connect(this.child.out, this.out);
  ticks = [this.timer(2), this.timer(5)];
  swap = this.mutation({ triggers: this.ticks, effects: this.out }, () => {
    this.disconnect(this.child.out);
    this.delete(this.child);
    if (now(this) === 5) {
      this.out.set('none');
      return;
    }
    this.child = new Numbered(this, 2);
    this.connect(this.child.out, this.out);
  });
}

test('a mutation swaps what feeds the output of its reactor, at the tag itself', t => {
  /** @type {string[]} */
  const seen = [];
  class Main extends Reactor {
    // It is made first, and comes behind the mutation all the same.
    view = new (class extends Reactor {
      in = this.input();
      r = this.reaction({ triggers: this.in }, () => seen.push(`${now(this)} ${this.in.get()}`));
    })(this);
    swap = new Swap(this);
    wires = this.connect(this.swap.out, this.view.in);
  }
  runFast(new Main(), { timeout: 7 });
  t.deepEqual(seen, ['0 1', '1 1', '2 2', '3 2', '4 2', '5 none']);
});

for (const [verb, change] of /** @type {[string, (main: any) => void][]} */ ([
  ['connects to', main => main.connect(main.spare.out, main.other)],
  ['disconnects', main => main.disconnect(main.child.out)],
])) {
  test(`a mutation that ${verb.replace(' to', '')} an output without having it as an effect: an error`, t => {
    class Main extends Reactor {
      inner = new (class extends Reactor {
        out = this.output();
        other = this.output();
        child = new Numbered(this, 1);
        spare = new Numbered(this, 2);
        wires = this.connect(this.child.out, this.out);
        m = this.mutation({ triggers: this.startup }, () => change(this));
      })(this);
    }
    const port = verb === 'disconnects' ? 'out' : 'other';
    t.throws(() => runFast(new Main(), { timeout: 1 }), {
      message: `inner.m failed at 0ns.0: inner.m ${verb} inner.${port}, whose readers may have run at this tag already; add it to the effects of the reaction`,
    });
  });
}

test('a mutation that writes a connected output is an error', t => {
  class Main extends Reactor {
    out = this.output();
    child = new Numbered(this, 1);
    wires = this.connect(this.child.out, this.out);
    m = this.mutation({ triggers: this.startup, effects: this.out }, () => this.out.set(1));
  }
  t.throws(() => runFast(new Main(), { timeout: 1 }), {
    message:
      'm failed at 0ns.0: m writes out, which is connected from child.out; disconnect it first',
  });
});

/** The sieve of reactor-ts: each filter keeps some primes, and makes the next filter behind its own output. */
class Filter extends Reactor {
  inp = this.input();
  out = this.output();
  /** @type {number[]} */
  primes = [];
  hasChild = false;
  /** @param {any} container @param {number} first @param {number} size @param {number[]} found */
  constructor(container, first, size, found) {
    super(container);
    this.primes.push(first);
    found.push(first);
    this.addMutation([this.inp], [this.inp, this.writable(this.out)], (inp, out) => {
      const candidate = inp.get();
      if (this.primes.some(prime => candidate % prime === 0)) return;
      if (this.primes.length < size) {
        this.primes.push(candidate);
        found.push(candidate);
      } else if (this.hasChild) {
        out.set(candidate);
      } else {
        const next = new Filter(this, candidate, size, found);
        this.connect(out, next.inp);
        this.hasChild = true;
      }
    });
  }
}

test('the sieve of reactor-ts grows behind its own outputs, without a relay', t => {
  /** @type {number[]} */
  const found = [];
  class Ramp extends Reactor {
    out = this.output();
    tick = this.timer(0, 1);
    n = 2;
    r = this.reaction({ triggers: this.tick, effects: this.out }, () => {
      this.n += 1;
      this.out.set(this.n);
    });
  }
  class Main extends Reactor {
    ramp = new Ramp(this);
    filter = new Filter(this, 2, 3, found);
    wires = this.connect(this.ramp.out, this.filter.inp);
  }
  runFast(new Main(), { timeout: 60 });
  t.deepEqual(found, [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61]);
});

test("a mutation's write to an output that leads inwards is there inside and outside at the tag", t => {
  /** @type {string[]} */
  const seen = [];
  class Inner extends Reactor {
    in = this.input();
    r = this.reaction({ triggers: this.in }, () =>
      seen.push(`inner ${now(this)} ${this.in.get()}`),
    );
  }
  class Outer extends Reactor {
    out = this.output();
    tick = this.timer(0, 1);
    /** @type {Inner | null} */
    inner = null;
    m = this.mutation({ triggers: this.tick, effects: this.out }, () => {
      this.out.set(now(this));
      if (now(this) === 1) {
        this.inner = new Inner(this);
        this.connect(this.out, this.inner.in);
      } else if (now(this) === 3) {
        this.disconnect(this.out, this.inner?.in);
      }
    });
  }
  class Main extends Reactor {
    outer = new Outer(this);
    r = this.reaction({ triggers: this.outer.out }, () =>
      seen.push(`outer ${now(this)} ${this.outer.out.get()}`),
    );
  }
  runFast(new Main(), { timeout: 3 });
  t.deepEqual(
    seen.filter(line => line.startsWith('inner')),
    ['inner 1 1', 'inner 2 2'],
  );
  t.deepEqual(
    seen.filter(line => line.startsWith('outer')),
    ['outer 0 0', 'outer 1 1', 'outer 2 2', 'outer 3 3'],
  );
});

test('an output leads inwards by a mutation only', t => {
  class Inner extends Reactor {
    in = this.input();
  }
  class Main extends Reactor {
    out = this.output();
    inner = new Inner(this);
    wires = this.connect(this.out, this.inner.in);
  }
  t.throws(() => runFast(new Main()), {
    message:
      'Main: out cannot be the source of a connection here; it takes one of its own inputs or an output of a reactor directly in it',
  });
});

test('mutations of different modes all come before what the reactor contains', t => {
  /** @type {string[]} */
  const seen = [];
  class Inner extends Reactor {
    tick = this.timer(0, 1);
    r = this.reaction({ triggers: this.tick }, () => seen.push('inner'));
  }
  class Main extends Reactor {
    tick = this.timer(0, 1);
    inner = new Inner(this);
    A = this.mode({ initial: true });
    B = this.mode();
    a = this.mutation({ mode: this.A, triggers: this.tick }, () => seen.push('a'));
    b = this.mutation({ mode: this.B, triggers: this.tick }, () => seen.push('b'));
  }
  runFast(new Main(), { timeout: 0 });
  t.deepEqual(seen, ['a', 'inner']);
});
