// Connections that are cut, or made, at the tag of their values: what is present, what is ready, and at what cost.

import test from 'ava';
import { Program, Reactor, runFast } from '../index.js';

/** Writes all its channels at the startup. */
class Source extends Reactor {
  /** @param {any} container @param {number} width */
  constructor(container, width) {
    super(container);
    this.out = this.outputs(width);
    this.r = this.reaction({ triggers: this.startup, effects: this.out }, () => {
      for (let i = width - 1; i >= 0; i -= 1) this.out.set(i, i);
    });
  }
}

/** Notes what is present of a multiport at 1 ns. */
class Wide extends Reactor {
  /** @type {unknown[]} */
  seen = [];
  t = this.timer(1);
  /** @param {any} container @param {number} width */
  constructor(container, width) {
    super(container);
    this.in = this.inputs(width);
    this.r = this.reaction({ triggers: this.t, sources: this.in }, () =>
      this.seen.push(...this.in.present()),
    );
  }
}

/** Notes what it gets. */
class Sink extends Reactor {
  in = this.input();
  /** @type {unknown[]} */
  got = [];
  r = this.reaction({ triggers: this.in }, () => this.got.push(this.in.get()));
}

/**
 * Runs a reactor that gets all channels of a source at 1 ns.
 *
 * @template {Reactor & { in: any }} H
 * @param {new (container: any) => H} Hub
 * @param {number} count  of channels
 */
const runHub = (Hub, count) => {
  class Main extends Reactor {
    source = new Source(this, count);
    hub = new Hub(this);
    wires = this.connect(this.source.out, this.hub.in, { after: 1 });
  }
  const main = new Main();
  runFast(main, { timeout: 2 });
  return main.hub;
};

for (const isModal of [false, true]) {
  const how = isModal ? 'of a mode' : 'without one';
  test(`many connections are cut at the tag of their values, each by a few steps: ${how}`, t => {
    /** Steps through what was written and what is ready, for one connection. @param {number} count */
    const stepsFor = count => {
      let steps = 0;
      class Hub extends Reactor {
        in = this.inputs(count);
        t = this.timer(1);
        on = this.mode({ initial: true });
        /** @type {Sink[]} */
        sinks = this.bank(count, Sink).all();
        wide = new Wide(this, count);
        /** @param {any} container */
        constructor(container) {
          super(container);
          const options = isModal ? { mode: this.on } : {};
          for (let i = 0; i < count; i += 1) {
            const from = this.in.channel(i);
            this.connect(from, this.sinks[i].in, options);
            this.connect(from, this.wide.in.channel(i), options);
          }
          this.mutation({ triggers: this.t }, () => {
            const { ready, written } = /** @type {import("../region.js").Region} */ (
              this.node.region
            );
            const { drain } = ready;
            ready.drain = () => {
              const members = drain.call(ready);
              steps += members.length;
              return members;
            };
            for (let slot = written; slot !== null; slot = slot.nextWritten) {
              let next = slot.nextWritten;
              const value = {
                get: () => ((steps += 1), next),
                set: (/** @type {any} */ to) => (next = to),
              };
              Object.defineProperty(slot, 'nextWritten', value);
            }
            steps = 0;
            for (let i = 0; i < count; i += 2) {
              const from = this.in.channel(i);
              this.disconnect(from, this.sinks[i].in);
              this.disconnect(from, this.wide.in.channel(i));
            }
          });
        }
      }
      class Main extends Reactor {
        source = new Source(this, count);
        hub = new Hub(this);
        wires = this.connect(this.source.out, this.hub.in, { after: 1 });
      }
      const main = new Main();
      new Program(main, { fast: true, timeout: 2 }).runFast();
      const odd = Array.from({ length: count }, (_, i) => i).filter(i => i % 2 === 1);
      t.deepEqual(main.hub.wide.seen, odd);
      t.deepEqual(
        main.hub.sinks.flatMap(({ got }) => got),
        odd,
      );
      return steps / count;
    };
    t.true(stepsFor(60) <= stepsFor(6) + 1);
  });
}

test('a multiport that is only read shows a value that it has by a connection of this tag', t => {
  class Hub extends Reactor {
    in = this.inputs(2);
    t = this.timer(1);
    wide = new Wide(this, 3);
    m = this.mutation({ triggers: this.t }, () => {
      this.connect(this.in.channel(1), this.wide.in.channel(2));
      this.connect(this.in.channel(0), this.wide.in.channel(1));
    });
  }
  class Main extends Reactor {
    source = new Source(this, 2);
    hub = new Hub(this);
    wires = this.connect(this.source.out, this.hub.in, { after: 1 });
  }
  const main = new Main();
  runFast(main, { timeout: 2 });
  t.deepEqual(main.hub.wide.seen, [1, 2]);
});

test('a channel that is connected at the tag of its value leaves the channels of other multiports alone', t => {
  class Single extends Reactor {
    in = this.inputs(2);
    r = this.reaction({ triggers: this.in.channel(0) }, () => {});
  }
  class Hub extends Reactor {
    in = this.inputs(3);
    t = this.timer(1);
    wide = new Wide(this, 3);
    single = new Single(this);
    wires = this.connect(this.in, this.wide.in);
    m = this.mutation({ triggers: this.t }, () =>
      this.connect(this.in.channel(0), this.single.in.channel(0)),
    );
  }
  class Main extends Reactor {
    source = new Source(this, 3);
    hub = new Hub(this);
    wires = this.connect(this.source.out, this.hub.in, { after: 1 });
  }
  const main = new Main();
  runFast(main, { timeout: 2 });
  t.deepEqual(main.hub.wide.seen, [0, 1, 2]);
});

test('connections are cut by their source alone without a look at those from other channels', t => {
  /** How often a destination is asked where it is connected from, for each. @param {number} count */
  const looksFor = count => {
    let looks = 0;
    class Hub extends Reactor {
      in = this.inputs(count);
      t = this.timer(1);
      /** @type {Sink[]} */
      sinks = this.bank(count, Sink).all();
      wires = this.connect(
        this.in,
        this.sinks.map(sink => sink.in),
      );
      m = this.mutation({ triggers: this.t }, () => {
        for (const { in: port } of this.sinks) {
          const { fromAt } = port;
          port.fromAt = index => ((looks += 1), fromAt.call(port, index));
        }
        for (let i = 0; i < count; i += 1) this.disconnect(this.in.channel(i));
      });
    }
    const hub = runHub(Hub, count);
    t.deepEqual(
      hub.sinks.flatMap(({ got }) => got),
      [],
    );
    return looks / count;
  };
  t.true(looksFor(60) <= looksFor(6));
});

test('channels of one multiport are cut, and connected, one by one without a look at the others', t => {
  /** How often a destination is asked for its source, its slot or its readers, for each channel. @param {number} count */
  const looksFor = count => {
    let looks = 0;
    class Hub extends Reactor {
      in = this.inputs(count);
      t = this.timer(1);
      wide = new Wide(this, count);
      wires = this.connect(this.in, this.wide.in);
      m = this.mutation({ triggers: this.t }, () => {
        const port = /** @type {any} */ (this.wide.in);
        for (const name of ['fromAt', 'slotAt', 'observedAt']) {
          const look = port[name];
          port[name] = (/** @type {number} */ index) => ((looks += 1), look.call(port, index));
        }
        for (let i = 0; i < count; i += 1) this.disconnect(this.in.channel(i));
        for (let i = 0; i < count; i += 1)
          this.connect(this.in.channel(i), this.wide.in.channel(count - 1 - i));
        for (let i = 0; i < count; i += 2)
          this.disconnect(this.in.channel(i), this.wide.in.channel(count - 1 - i));
      });
    }
    const hub = runHub(Hub, count);
    t.is(hub.wide.seen.length, count / 2);
    return looks / count;
  };
  t.true(looksFor(120) <= looksFor(12));
});

test('reactors are deleted one by one without a look at the others', t => {
  /** How often a reactor's ports are asked where they are connected from, for each reactor. @param {number} count */
  const looksFor = count => {
    let looks = 0;
    class Pass extends Reactor {
      in = this.input();
      out = this.output();
      r = this.reaction({ triggers: this.in, effects: this.out }, () =>
        this.out.set(this.in.get()),
      );
      /** @param {any} container */
      constructor(container) {
        super(container);
        for (const port of [this.in, this.out]) {
          const { fromAt } = port;
          port.fromAt = index => ((looks += 1), fromAt.call(port, index));
        }
      }
    }
    class Main extends Reactor {
      t = this.timer(1, 1);
      source = new Source(this, 1);
      passes = this.bank(count, Pass).all();
      sink = new Sink(this);
      wires = this.connect(
        [this.source.out.channel(0), ...this.passes.map(({ out }) => out)],
        [...this.passes.map(({ in: port }) => port), this.sink.in],
      );
      m = this.mutation({ triggers: this.t }, () =>
        this.delete(/** @type {Pass} */ (this.passes.pop())),
      );
    }
    const main = new Main();
    const program = new Program(main, { fast: true, timeout: count });
    const before = looks;
    // Where its connections lead is noted at the first change.
    program.step();
    program.step();
    const noted = looks;
    while (program.step());
    t.deepEqual(main.sink.got, [0]);
    t.true(noted - before < 20 * count);
    return (looks - noted) / count;
  };
  t.true(looksFor(60) <= looksFor(6) + 1);
});
