// Costs of n parts or events: steps are counted, that grow with n and not with its square.

import test from 'ava';
import fc from 'fast-check';
import { TagHeap } from '#schedule';
import { Program, Reactor, outlineOf, runFast } from '../index.js';
import { Traced } from './helpers.js';

const many = 200;

/** @template T @param {(i: number) => T} make @returns {T[]} */
const listOf = make => Array.from({ length: many }, (_, i) => make(i));

class Source extends Reactor {
  out = this.output();
  send = this.reaction({ triggers: this.startup, effects: this.out }, () => this.out.set(1));
}

class Sink extends Reactor {
  in = this.input();
  take = this.reaction({ triggers: this.in }, () => {});
}

test.serial('events of an action for one tag are each moved a few times', t => {
  /** @type {unknown[]} */
  const seen = [];
  class Main extends Reactor {
    act = this.action();
    go = this.reaction({ triggers: this.startup, effects: this.act }, () => {
      for (let i = 0; i < many; i += 1) this.act.scheduleAt({ timeNs: 5 }, i);
    });
    see = this.reaction({ triggers: this.act }, () => seen.push(this.act.get()));
  }
  const { putBack } = TagHeap.prototype;
  let moves = 0;
  TagHeap.prototype.putBack = function count(event) {
    moves += 1;
    putBack.call(this, event);
  };
  try {
    runFast(new Main());
  } finally {
    TagHeap.prototype.putBack = putBack;
  }
  t.deepEqual(
    seen,
    listOf(i => i),
  );
  t.true(moves < 5 * many, `${moves} moves`);
});

/**
 * The tags of events of one action: at each tag the first that was scheduled arrives, and the others are due one microstep
 * later.
 *
 * @param {{ timeNs: number, microstep: number, value: number }[]} events
 */
const arrivals = events => {
  const waiting = events.map(event => ({ ...event }));
  /** @type {string[]} */
  const trace = [];
  while (waiting.length > 0) {
    const [{ timeNs, microstep }] = [...waiting].sort(
      (a, b) => a.timeNs - b.timeNs || a.microstep - b.microstep,
    );
    const due = waiting.filter(event => event.timeNs === timeNs && event.microstep === microstep);
    trace.push(`${timeNs}.${microstep} ${due[0].value}`);
    waiting.splice(waiting.indexOf(due[0]), 1);
    for (const event of due.slice(1)) event.microstep += 1;
  }
  return trace;
};

test('events of an action for one tag arrive one by one, in the order in which they were scheduled', t => {
  const places = fc.record({
    action: fc.nat(2),
    timeNs: fc.nat(2),
    microstep: fc.nat(4),
    isNext: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(places, { maxLength: 40 }), all => {
      const scheduled = all.map(({ action, timeNs, microstep, isNext }, value) =>
        isNext
          ? { action, timeNs, microstep: timeNs === 0 ? 1 : 0, value, isNext }
          : { action, timeNs, microstep: microstep + 1, value, isNext },
      );
      class Main extends Traced {
        acts = [0, 1, 2].map(() => this.action());
        go = this.reaction({ triggers: this.startup, effects: this.acts }, () => {
          for (const { action, timeNs, microstep, value, isNext } of scheduled) {
            if (isNext) this.acts[action].schedule(timeNs, value);
            else this.acts[action].scheduleAt({ timeNs, microstep }, value);
          }
        });
        see = this.acts.map((act, i) =>
          this.reaction({ triggers: act }, () => {
            const { timeNs, microstep } = this.util.getCurrentTag();
            seen[i].push(`${timeNs}.${microstep} ${act.get()}`);
          }),
        );
      }
      /** @type {string[][]} */
      const seen = [[], [], []];
      runFast(new Main());
      t.deepEqual(
        seen,
        [0, 1, 2].map(action => arrivals(scheduled.filter(event => event.action === action))),
      );
    }),
  );
});

test('an outline walks over the fields of a reactor a few times', t => {
  let reads = 0;
  class Main extends Reactor {
    act = this.action();
    see = new Proxy(
      listOf(() => this.reaction({ triggers: this.act }, () => {})),
      {
        getOwnPropertyDescriptor: (target, key) => {
          reads += 1;
          return Reflect.getOwnPropertyDescriptor(target, key);
        },
      },
    );
  }
  const program = new Program(new Main());
  reads = 0;
  const [{ reactions }] = outlineOf(program).reactors;
  t.is(reactions.at(-1)?.name, `see[${many - 1}]`);
  t.true(reads < 5 * many, `${reads} reads`);
});

test('a reaction inherits the earliest of many deadlines at once', t => {
  class Step extends Reactor {
    in = this.input();
    out = this.output();
    /** @param {Reactor} container @param {number} place */
    constructor(container, place) {
      super(container);
      this.pass = this.reaction(
        { triggers: this.in, effects: this.out, deadline: 1_000_000 - place, late: () => {} },
        () => this.out.set(1),
      );
    }
  }
  class Main extends Reactor {
    source = new Source(this);
    steps = listOf(i => new Step(this, i));
    wires = this.connect(
      [this.source.out, ...this.steps.slice(0, -1).map(step => step.out)],
      this.steps.map(step => step.in),
    );
  }
  const main = new Main();
  const port = main.steps[0].in;
  let visits = 0;
  const slotAt = port.slotAt.bind(port);
  port.slotAt = index => {
    visits += 1;
    return slotAt(index);
  };
  const program = new Program(main);
  t.is(program.main, main);
  t.is(/** @type {any} */ (main.source).send.inheritedNs, 1_000_000 - many + 1);
  t.true(visits < many / 2, `${visits} visits`);
});

test('a connection of many ports looks at the mode of each a few times', t => {
  let reads = 0;
  class Main extends Reactor {
    busy = this.mode({ initial: true });
    sources = listOf(() => new Source(this.busy));
    sinks = listOf(() => new Sink(this.busy));
    constructor() {
      super();
      for (const { node } of this.sinks) {
        const { mode } = node;
        Object.defineProperty(node, 'mode', {
          get: () => {
            reads += 1;
            return mode;
          },
        });
      }
      this.connect(
        this.sources.map(({ out }) => out),
        this.sinks.map(sink => sink.in),
        { mode: this.busy },
      );
    }
  }
  t.notThrows(() => new Program(new Main()));
  t.true(reads < 20 * many, `${reads} reads`);
});
