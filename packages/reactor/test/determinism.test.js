// Random programs: what happens does not depend on the order in which reactors and connections are made, and is what a
// naive interpreter says, which runs each tag by trying reactors in the order of their dependencies.

import test from 'ava';
import fc from 'fast-check';
import { Federate, Program, Reactor } from '../index.js';
import { testClock } from './helpers.js';

/** @import { Action, InMultiPort } from '../index.js' */

/** @typedef {{ period: number, offset: number, delays: number[] }} NodeShape */
/** @typedef {{ from: number, to: number, channel: number, after: number | undefined }} Wire */
/** @typedef {{ nodes: NodeShape[], wires: Wire[] }} Shape */

const channels = 3;
const endNs = 40;

/** @type {(left: number, right: number) => number} */
const mix = (left, right) => (Math.imul(left ^ right, 0x9e3779b1) ^ (left >>> 15)) >>> 0;

/** @type {fc.Arbitrary<Shape>} */
const arbShape = fc.integer({ min: 1, max: 7 }).chain(count =>
  fc.record({
    nodes: fc.array(
      fc.record({
        period: fc.nat(9),
        offset: fc.nat(5),
        delays: fc.array(fc.nat(6), { maxLength: 2 }),
      }),
      { minLength: count, maxLength: count },
    ),
    wires: fc
      .array(
        fc.record({
          from: fc.nat(count - 1),
          to: fc.nat(count - 1),
          channel: fc.nat(channels - 1),
          after: fc.option(fc.nat(7), { nil: undefined }),
        }),
        { maxLength: 12 },
      )
      .map(wires => {
        /** @type {Map<string, Wire>} one source an input; at once only forwards, so that there is no cycle */
        const byTarget = new Map();
        for (const wire of wires) {
          const after = wire.from < wire.to ? wire.after : (wire.after ?? 1);
          byTarget.set(`${wire.to} ${wire.channel}`, { ...wire, after });
        }
        return [...byTarget.values()];
      }),
  }),
);

/**
 * The rule of a node, shared by both ways of running it: its new state, whether it writes, what it schedules.
 *
 * @param {NodeShape} shape
 * @param {number} state
 * @param {(number | undefined)[]} present  inputs, then the action, then the timer
 */
const decide = (shape, state, present) => {
  let next = state;
  present.forEach((value, i) => {
    if (value !== undefined) next = mix(next, mix(value, i));
  });
  return { state: next, writes: next % 3 !== 0, schedules: next % 4 === 0 ? shape.delays : [] };
};

class Node extends Reactor {
  /** @type {InMultiPort<any>} */
  in = this.inputs(channels);
  out = this.output();
  /** @type {Action<any>} */
  act = this.action();
  constructor(
    /** @type {any} */ main,
    /** @type {NodeShape} */ shape,
    /** @type {string[]} */ trace,
  ) {
    super(main);
    const tick = this.timer(shape.offset, shape.period);
    let state = 1;
    this.reaction({ triggers: [this.in, this.act, tick], effects: [this.out, this.act] }, () => {
      const { timeNs, microstep } = this.util.getCurrentTag();
      const result = decide(shape, state, [
        ...this.in.values(),
        this.act.get(),
        tick.isPresent() ? timeNs : undefined,
      ]);
      state = result.state;
      trace.push(`${timeNs}.${microstep} ${state}`);
      if (result.writes) this.out.set(state);
      result.schedules.forEach((delay, i) => this.act.schedule(delay, state + i));
    });
  }
}

/**
 * @param {Shape} shape
 * @param {number[]} order  in which reactors are made
 */
const runProgram = ({ nodes, wires }, order) => {
  /** @type {string[][]} */
  const traces = nodes.map(() => []);
  class Main extends Reactor {
    constructor() {
      super();
      /** @type {Node[]} */
      const made = [];
      for (const i of order) made[i] = new Node(this, nodes[i], traces[i]);
      for (const i of order) {
        for (const { from, to, channel, after } of wires) {
          if (to === i) this.connect(made[from].out, made[to].in.channel(channel), { after });
        }
      }
    }
  }
  new Program(new Main(), {
    fast: true,
    timeout: endNs,
    keepalive: true,
    maxMicrosteps: 1000,
  }).runFast();
  return traces;
};

/**
 * The naive interpreter: a list of events, sorted anew for each tag.
 *
 * @param {Shape} shape
 */
const interpret = ({ nodes, wires }) => {
  /** @type {string[][]} */
  const traces = nodes.map(() => []);
  const states = nodes.map(() => 1);
  /** @type {{ time: number, step: number, node: number, place: number, value: number }[]} */
  let events = nodes.map(({ offset }, node) => ({
    time: offset,
    step: 0,
    node,
    place: channels + 1,
    value: offset,
  }));
  for (;;) {
    const [first] = [...events].sort((a, b) => a.time - b.time || a.step - b.step);
    if (first === undefined || first.time > endNs) break;
    const { time, step } = first;
    if (time === endNs && step > 0) break;
    const now = events.filter(event => event.time === time && event.step === step);
    events = events.filter(event => !now.includes(event));
    const present = nodes.map(() => new Array(channels + 2).fill(undefined));
    for (const event of now) {
      if (present[event.node][event.place] !== undefined) {
        // Piled up: at the next microstep, behind nothing that was there before.
        events.push({ ...event, step: step + 1 });
        continue;
      }
      present[event.node][event.place] = event.value;
      const { period } = nodes[event.node];
      if (event.place === channels + 1 && period > 0) {
        events.push({ ...event, time: time + period, step: 0, value: time + period });
      }
    }
    /** @type {typeof events} */
    const delayed = [];
    nodes.forEach((shape, node) => {
      if (present[node].every((/** @type {any} */ value) => value === undefined)) return;
      const result = decide(shape, states[node], present[node]);
      states[node] = result.state;
      traces[node].push(`${time}.${step} ${result.state}`);
      result.schedules.forEach((delay, i) =>
        events.push({
          time: time + delay,
          step: delay === 0 ? step + 1 : 0,
          node,
          place: channels,
          value: result.state + i,
        }),
      );
      if (!result.writes) return;
      for (const { from, to, channel, after } of wires) {
        if (from !== node) continue;
        if (after === undefined) present[to][channel] = result.state;
        else {
          delayed.push({
            time: time + after,
            step: after === 0 ? step + 1 : 0,
            node: to,
            place: channel,
            value: result.state,
          });
        }
      }
    });
    events.push(...delayed);
  }
  return traces;
};

test('a program does what the naive interpreter says, in whatever order it is made', t => {
  fc.assert(
    fc.property(
      arbShape.chain(shape =>
        fc.tuple(
          fc.constant(shape),
          fc.shuffledSubarray(
            shape.nodes.map((_, i) => i),
            { minLength: shape.nodes.length },
          ),
        ),
      ),
      ([shape, order]) => {
        const expected = interpret(shape);
        t.deepEqual(runProgram(shape, [...shape.nodes.keys()]), expected);
        t.deepEqual(runProgram(shape, order), expected);
      },
    ),
    { numRuns: 300 },
  );
});

/**
 * Each node in a federate of its own, and a host that carries values between them.
 *
 * @param {Shape} shape
 */
const runSplit = ({ nodes, wires }) => {
  /** @type {string[][]} */
  const traces = nodes.map(() => []);
  const clock = testClock();
  const federates = nodes.map(
    (shape, i) => new Federate(new Node(null, shape, traces[i]), { clock }),
  );
  // Stages: an input comes one stage after the output that it is connected to, at once.
  const stages = nodes.map(() => new Array(channels).fill(0));
  for (let round = 0; round < nodes.length; round += 1) {
    federates.forEach((federate, from) => {
      const [stage] = federate.setStages(input => stages[from][input]);
      for (const wire of wires) {
        if (wire.from === from && wire.after === undefined)
          stages[wire.to][wire.channel] = stage + 1;
      }
    });
  }
  /** @type {{ timeNs: number, microstep: number, to: number, channel: number, value: any }[]} */
  let underWay = [];
  /** @type {(a: any, b: any) => number} */
  const compare = (a, b) => a.timeNs - b.timeNs || a.microstep - b.microstep;
  for (;;) {
    const tags = [...federates.map(federate => federate.nextTag()), ...underWay].filter(
      tag => tag !== undefined,
    );
    const [tag] = tags.sort(compare);
    if (tag === undefined || tag.timeNs > endNs || (tag.timeNs === endNs && tag.microstep > 0))
      break;
    const { timeNs, microstep } = tag;
    const arriving = underWay.filter(value => compare(value, tag) === 0);
    underWay = underWay.filter(value => compare(value, tag) !== 0);
    /** @type {Set<number>} */
    const begun = new Set();
    const provide = (/** @type {number} */ i) => {
      if (!begun.has(i)) federates[i].beginTag(timeNs, microstep);
      begun.add(i);
      return federates[i];
    };
    federates.forEach((federate, i) => {
      const next = federate.nextTag();
      if (next !== undefined && compare(next, tag) === 0) provide(i);
    });
    /** @type {Set<string>} */
    const taken = new Set();
    for (const value of arriving) {
      const key = `${value.to} ${value.channel}`;
      if (taken.has(key)) underWay.push({ ...value, microstep: microstep + 1 });
      else provide(value.to).setInput(value.channel, value.value);
      taken.add(key);
    }
    for (let stage = 0; stage <= nodes.length; stage += 1) {
      for (const from of [...begun].sort((a, b) => a - b)) {
        for (const [, value] of federates[from].runStage(stage)) {
          for (const { from: source, to, channel, after } of wires) {
            if (source !== from) continue;
            if (after === undefined) provide(to).setInput(channel, value);
            else {
              const step = after === 0 ? microstep + 1 : 0;
              underWay.push({ timeNs: timeNs + after, microstep: step, to, channel, value });
            }
          }
        }
      }
    }
    for (const i of begun) federates[i].endTag();
  }
  return traces;
};

test('a program that is split into federates does what it does in one piece', t => {
  fc.assert(
    fc.property(arbShape, shape => {
      t.deepEqual(runSplit(shape), interpret(shape));
    }),
    { numRuns: 300 },
  );
});

test('a federate tells which inputs an output depends on, at zero delay', t => {
  class Inner extends Reactor {
    a = this.input();
    b = this.input();
    out = this.output();
    r0 = this.reaction({ triggers: this.a }, () => {});
    r1 = this.reaction({ sources: this.b, triggers: this.startup, effects: this.out }, () => {});
  }
  class Main extends Reactor {
    x = this.input();
    y = this.inputs(3);
    o1 = this.output();
    o2 = this.output();
    o3 = this.output();
    inner = new Inner(this);
    wires = [
      this.connect([this.x, this.y.channel(1)], [this.inner.a, this.inner.b]),
      this.connect(this.inner.out, this.o1),
      this.connect(this.y.channel(2), this.o2),
      this.connect(this.y.channel(0), this.o3, { after: 0 }),
    ];
  }
  const federate = new Federate(new Main(), { clock: testClock() });
  t.deepEqual(
    federate.inputs.map(({ path }) => path),
    ['x', 'y[0]', 'y[1]', 'y[2]'],
  );
  // The first reaction of `inner` comes before the second, so x matters too.
  t.deepEqual(federate.dependencies(), [[0, 2], [3], []]);
  t.deepEqual(
    federate.setStages(input => [5, 0, 1, 2][input]),
    [5, 2, 0],
  );
});
