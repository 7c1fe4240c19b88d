// Mutations: reactors and connections that are made and taken away while the program runs. Lingua Franca has none;
// after ReplaceReactor and the sieve of reactor-ts.

import { Reactor } from 'swingset-runner/reactor';
import { Part, program, reactorBuilder } from '../../program.js';
import { Count, Print } from '../parts.js';

/** @import { Action, InPort } from 'swingset-runner/reactor' */

class Worker extends Part {
  /** @type {InPort<any>} */
  in = this.input();
  out = this.output();
  start = this.reaction({ triggers: this.startup }, () => this.note(this.params.name, 'starts'));
  r = this.reaction({ triggers: this.in, effects: this.out }, () => {
    this.note(this.params.name, this.in.get());
    this.out.set(this.in.get() * 10);
  });
  end = this.reaction({ triggers: this.shutdown }, () => this.note(this.params.name, 'ends'));
}

class Creates extends Part {
  in = this.input();
  out = this.output();
  m = this.mutation({ triggers: this.in, effects: this.out }, () => {
    if (this.in.get() !== 2) return;
    const worker = new Worker(this, { name: 'w' });
    this.connect(this.in, worker.in);
    this.connect(worker.out, this.out);
  });
}

export const createReactor = program({
  name: 'CreateReactor',
  rule: 'a reactor that is made at a tag reacts at that tag, and what it writes leaves its container',
  parts: { source: [Count, { period: 10 }], group: Creates, print: Print },
  connections: [{ from: ['source.out', 'group.out'], to: ['group.in', 'print.in'] }],
  options: { timeout: 20 },
  trace: {
    group: ['10.0 w starts', '10.0 w 2', '20.0 w 3', '20.0 w ends'],
    print: ['10.0 20', '20.0 30'],
  },
});

class Ticker extends Part {
  t = this.timer(0, 10);
  a = this.action({ minDelay: 7 });
  r = this.reaction({ triggers: this.t, effects: this.a }, () => {
    this.note(this.params.name);
    this.a.schedule();
  });
  later = this.reaction({ triggers: this.a }, () => this.note(this.params.name, 'later'));
  end = this.reaction({ triggers: this.shutdown }, () => this.note(this.params.name, 'ends'));
}

class Replaces extends Part {
  swap = this.timer(15);
  current = new Ticker(this, { name: 'old' });
  m = this.mutation({ triggers: this.swap }, () => {
    this.delete(this.current);
    this.current = new Ticker(this, { name: 'new' });
  });
}

export const replaceReactor = program({
  name: 'ReplaceReactor',
  rule: 'a reactor that is deleted ends at that tag, and its events with it',
  parts: { main: Replaces },
  options: { timeout: 30 },
  unordered: true,
  trace: {
    main: [
      '0.0 old',
      '7.0 old later',
      '10.0 old',
      '15.0 new',
      '15.0 old ends',
      '22.0 new later',
      '25.0 new',
      '30.0 new ends',
    ],
  },
});

class Rewires extends Part {
  in = this.input();
  a = new Worker(this, { name: 'a' });
  b = new Worker(this, { name: 'b' });
  wire = this.connect(this.in, this.a.in);
  m = this.mutation({ triggers: this.in }, () => {
    if (this.in.get() === 2) {
      this.disconnect(this.in, this.a.in);
      this.connect(this.in, this.b.in);
    }
    if (this.in.get() === 3) {
      this.disconnect(this.in);
      this.connect(this.in, this.a.in);
      this.connect(this.a.out, this.b.in);
    }
  });
}

export const rewire = program({
  name: 'Rewire',
  rule: 'connections change at a tag, and levels with them',
  parts: { source: [Count, { period: 10 }], group: Rewires },
  connections: [{ from: ['source.out'], to: ['group.in'] }],
  options: { timeout: 25 },
  unordered: true,
  trace: {
    group: [
      '0.0 a starts',
      '0.0 b starts',
      '0.0 a 1',
      '10.0 b 2',
      '20.0 a 3',
      '20.0 b 30',
      '25.0 a ends',
      '25.0 b ends',
    ],
  },
});

/** Lets through what it does not divide. */
class Filter extends Part {
  /** @type {InPort<any>} */
  in = this.input();
  out = this.output();
  r = this.reaction({ triggers: this.in, effects: this.out }, () => {
    if (this.in.get() % this.params.prime !== 0) this.out.set(this.in.get());
  });
}

/** The end of the chain of filters: what arrives is a prime, and a filter is put in for it. */
class Sieve extends Part {
  in = this.input();
  first = new Filter(this, { prime: 2 });
  last = this.first;
  wire = this.connect(this.in, this.first.in);
  /** @type {Action<any>} */
  a = this.action();
  r = this.reaction({ triggers: this.in, effects: this.a }, () =>
    this.a.schedule(0, this.in.get()),
  );
  found = this.mutation({ triggers: this.a }, () => {
    const n = this.a.get();
    if (n < 2 || this.primes.some(prime => n % prime === 0)) return;
    this.primes.push(n);
    this.note(n);
    if (n === 2) return;
    const next = new Filter(this, { prime: n });
    this.connect(this.last.out, next.in);
    this.last = next;
  });
  /** @type {number[]} */
  primes = [];
  end = this.reaction({ triggers: this.shutdown }, () =>
    this.note('filters', this.node.children.length),
  );
}

export const sieve = program({
  name: 'Sieve',
  rule: 'a chain grows by one filter for each prime',
  parts: { source: [Count, { start: 2, period: 10 }], sieve: Sieve },
  connections: [{ from: ['source.out'], to: ['sieve.in'] }],
  options: { timeout: 125 },
  trace: {
    sieve: ['0.1 2', '10.1 3', '30.1 5', '50.1 7', '90.1 11', '110.1 13', '125.0 filters 6'],
  },
});

class ByReaction extends Part {
  in = this.input();
  /** @type {any} */
  worker = undefined;
  r = this.reaction({ triggers: this.in }, () => {
    if (this.in.get() === 1) {
      this.worker = new Worker(this, { name: 'w' });
      this.connect(this.in, this.worker.in);
    }
    if (this.in.get() === 3) this.delete(this.worker);
  });
}

export const reactionMakesReactor = program({
  name: 'ReactionMakesReactor',
  rule: 'a plain reaction makes a reactor at the tag, and deletes it at the next microstep',
  parts: { source: [Count, { period: 10 }], main: ByReaction },
  connections: [{ from: ['source.out'], to: ['main.in'] }],
  options: { timeout: 40 },
  trace: { main: ['0.0 w starts', '0.0 w 1', '10.0 w 2', '20.0 w 3', '20.1 w ends'] },
});

class DelayedWire extends Part {
  in = this.input();
  go = this.timer(0, 20);
  w = new Worker(this, { name: 'w' });
  m = this.mutation({ triggers: this.go }, () => {
    const now = this.util.getElapsedLogicalTime();
    if (now === 0) this.connect(this.in, this.w.in, { after: 15 });
    if (now === 20) this.disconnect(this.in);
  });
}

export const delayedWire = program({
  name: 'MutateDelayedConnection',
  rule: 'a delayed connection that is taken away takes with it what is under way',
  parts: { source: [Count, { period: 10 }], main: DelayedWire },
  connections: [{ from: ['source.out'], to: ['main.in'] }],
  options: { timeout: 40 },
  trace: { main: ['0.0 w starts', '15.0 w 1', '40.0 w ends'] },
});

/** Adds the numbers from `low` to `high`, by a child for each half. It has no powers: a transient child gets nothing. */
class Sum extends Reactor {
  /** @type {InPort<any>} */
  low = this.input();
  /** @type {InPort<any>} */
  high = this.input();
  result = this.output();
  left = this.transient(Sum, ['result']);
  right = this.transient(Sum, ['result']);
  go = this.reaction(
    { triggers: [this.low, this.high], effects: [this.result, this.left, this.right] },
    () => {
      const low = this.low.get();
      const high = this.high.get();
      const middle = Math.floor((low + high) / 2);
      if (low === high) {
        this.result.set(low);
      } else {
        this.left.spawn(low, middle);
        this.right.spawn(middle + 1, high);
      }
    },
  );
  add = this.reaction(
    { triggers: [this.left.result, this.right.result], effects: this.result },
    () => this.result.set(this.left.result.get() + this.right.result.get()),
  );
}

class Sums extends Part {
  in = this.input();
  out = this.output();
  sum = this.transient(Sum, ['result']);
  go = this.reaction({ triggers: this.in, effects: this.sum }, () =>
    this.sum.spawn(0, this.in.get()),
  );
  got = this.reaction({ triggers: this.sum.result, effects: this.out }, () =>
    this.out.set(this.sum.result.get()),
  );
}

export const transientSum = program({
  name: 'TransientSum',
  rule: 'transient children divide and conquer within a tag',
  parts: { source: [Count, { start: 10, step: 90, period: 10 }], main: Sums, print: Print },
  connections: [{ from: ['source.out', 'main.out'], to: ['main.in', 'print.in'] }],
  options: { timeout: 10 },
  trace: { print: ['0.0 55', '10.0 5050'] },
});

export const buildReactor = reactorBuilder(
  createReactor,
  replaceReactor,
  rewire,
  sieve,
  reactionMakesReactor,
  delayedWire,
  transientSum,
);
