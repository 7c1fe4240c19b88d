// Programs that change while they run: what fits into the order of reactions is put there, in the order that the whole
// program would give.

import test from 'ava';
import { makeRandom } from '#testkit';
import { Action, App, InPort, Origin, OutPort, Reactor, TimeValue, Timer } from '../index.js';
import { RunningOrder } from '../running-order.js';
import { runFast } from './helpers.js';

/** @import { Random } from '#testkit' */

/** Passes on what it gets, at startup too, and says so. */
class Step extends Reactor {
  inp = new InPort(/** @type {Reactor} */ (this));
  out = new OutPort(/** @type {Reactor} */ (this));

  /** @param {Reactor} parent @param {string} name @param {string[]} seen */
  constructor(parent, name, seen) {
    super(parent);
    this.addReaction(
      [this.startup, this.inp],
      [this.inp, this.writable(this.out)],
      (/** @type {any} */ inp, /** @type {any} */ out) => {
        seen.push(`${name} ${inp.get()}`);
        out.set(`${name}`);
      },
    );
    this.addReaction([this.inp], [this.inp], () => seen.push(`${name} again`));
  }
}

/** A program that counts how often the graph of the whole program is built. */
class Counting extends App {
  builds = 0;

  _getPrecedenceGraph() {
    this.builds += 1;
    return super._getPrecedenceGraph();
  }
}

/** A chain that grows by one reactor a tag. @param {number} length */
const grow = async length => {
  /** @type {string[]} */
  const seen = [];
  class Main extends Counting {
    grows = new Action(/** @type {Reactor} */ (this), Origin.logical);
    last = new Step(/** @type {Reactor} */ (this), 's0', seen);
    ended = new Step(/** @type {Reactor} */ (this), 'end', seen);
    made = 0;

    /** @param {any[]} args */
    constructor(...args) {
      super(...args);
      /** @type {any} */
      const self = this;
      this.addMutation(
        [this.startup, this.grows],
        [this.schedulable(this.grows)],
        /** @this {any} */
        function make(/** @type {any} */ grows) {
          self.made += 1;
          const made = new Step(self, `s${self.made}`, seen);
          self[`s${self.made}`] = made;
          this.connect(self.last.out.asConnectable(), made.inp.asConnectable());
          self.last = made;
          if (self.made < length) grows.schedule(TimeValue.usec(1), null);
        },
      );
    }
  }
  const { app } = await runFast(Main);
  return { builds: app.builds, seen };
};

test('reactors that are made and connected one by one do not build the graph of the program', async t => {
  const long = await grow(200);
  t.is(long.builds, (await grow(2)).builds);
  t.is(long.seen.filter(line => line.endsWith('again')).length, 1);
});

test('a connection against the order builds the graph, and the reactions run in its order', async t => {
  /** @type {string[]} */
  const seen = [];
  class Main extends Counting {
    first = new Step(/** @type {Reactor} */ (this), 'first', seen);
    second = new Step(/** @type {Reactor} */ (this), 'second', seen);

    /** @param {any[]} args */
    constructor(...args) {
      super(...args);
      const { first, second } = this;
      this.addMutation([this.startup], [], function connect() {
        this.connect(second.out.asConnectable(), first.inp.asConnectable());
      });
    }
  }
  const { app } = await runFast(Main);
  t.is(app.builds, 2);
  t.deepEqual(seen, ['second undefined', 'first second', 'first again']);
});

test('an insertion that has no room left numbers all reactions anew', async t => {
  class Main extends Counting {
    tick = new Timer(/** @type {Reactor} */ (this), TimeValue.zero(), TimeValue.usec(1));
    count = 0;
    /** @type {string[]} */
    seen = [];

    /** @param {any[]} args */
    constructor(...args) {
      super(...args);
      /** @type {any} */
      const self = this;
      // Always directly after the mutation, so that the room halves.
      this.addMutation([this.tick], [], () => {
        self.count += 1;
        if (self.count < 300) self[`s${self.count}`] = new Step(self, `s${self.count}`, self.seen);
      });
      this.addReaction([this.tick], [], () => self.seen.push('after'));
    }
  }
  const { app } = await runFast(Main, TimeValue.usec(310));
  const priorities = [...app._orderedReactions()].map(each => each.getPriority());
  t.is(new Set(priorities).size, priorities.length);
  t.deepEqual(app.seen.slice(0, 4), ['s1 undefined', 'after', 's2 undefined', 'after']);
});

/** @param {Random} random @param {Reactor[]} reactors */
const pickTwo = (random, reactors) => [random.pick(reactors), random.pick(reactors)];

/** A random program that makes, connects, disconnects and deletes reactors, and all that they saw. @param {number} seed */
const runRandom = async seed => {
  const random = makeRandom(seed);
  /** @type {string[]} */
  const seen = [];
  /** Has reactors in it, which are in the same lists as all others. */
  class Nest extends Step {
    /** @param {Reactor} parent @param {string} name */
    constructor(parent, name) {
      super(parent, name, seen);
      this.inner = new Step(/** @type {any} */ (this), `${name}i`, seen);
      if (random.chance(0.5)) this._connect(this.inp, this.inner.inp);
      this.addMutation([this.inp], [this.inp], () => seen.push(`${name} mutates`));
      this.addReaction([this.inner.out], [this.inner.out], (/** @type {any} */ inner) =>
        seen.push(`${name} ${inner.get()}`),
      );
    }
  }
  class Main extends Counting {
    tick = new Timer(/** @type {Reactor} */ (this), TimeValue.zero(), TimeValue.usec(1));
    count = 0;
    /** @type {any[]} */
    there = [0, 1, 2].map(i => new Step(/** @type {any} */ (this), `s${i}`, seen));

    /** @param {any[]} args */
    constructor(...args) {
      super(...args);
      /** @type {any} */
      const self = this;
      this.addMutation(
        [this.tick],
        [],
        /** @this {any} */
        function change() {
          const { there } = self;
          for (let i = random.below(4); i > 0; i -= 1) {
            const name = `m${(self.count += 1)}`;
            const made = random.chance(0.4) ? new Nest(self, name) : new Step(self, name, seen);
            there.push(made);
          }
          for (let i = random.below(4); i > 0; i -= 1) {
            const [from, to] = pickTwo(random, there);
            try {
              if (random.chance(0.8))
                this.connect(
                  /** @type {any} */ (from).out.asConnectable(),
                  /** @type {any} */ (to).inp.asConnectable(),
                );
              else this.disconnect(/** @type {any} */ (from).out, /** @type {any} */ (to).inp);
            } catch (error) {
              seen.push(/** @type {Error} */ (error).message.replace(/.* Reason/, 'Reason'));
            }
          }
          if (random.chance(0.3) && there.length > 3)
            this.delete(there.splice(random.below(there.length), 1)[0]);
        },
      );
      this.addReaction(
        [this.tick],
        this.there.map(each => this.writable(each.inp)),
        (...inputs) => {
          for (const input of inputs) if (random.chance(0.5)) input.set('tick');
        },
      );
    }
  }
  const { app } = await runFast(Main, TimeValue.usec(12));
  return { seen, builds: app.builds };
};

test.serial(
  'random programs do what they do when each change orders the whole program',
  async t => {
    const { takeChanges } = RunningOrder.prototype;
    let fewer = 0;
    for (let seed = 1; seed <= 150; seed += 1) {
      const { seen, builds } = await runRandom(seed);
      RunningOrder.prototype.takeChanges = () => false;
      const whole = await runRandom(seed);
      RunningOrder.prototype.takeChanges = takeChanges;
      t.deepEqual(seen, whole.seen, `seed ${seed}`);
      if (builds < whole.builds) fewer += 1;
    }
    t.true(fewer > 100);
  },
);
