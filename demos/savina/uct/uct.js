import { Reactor } from 'swingset-runner/reactor';
import { benchmark, bounds, insist, Runner } from '../common/benchmark.js';
import { JavaRandom } from '../common/java-random.js';
import { busyWait } from '../common/pseudo-random.js';

/** Draws, for each node that asks in turn, whether it gets children: 0, or the work of each of them. */
class Granter {
  #random = new JavaRandom(2);

  #parameters;

  constructor(parameters) {
    this.#parameters = parameters;
    this.size = 1 + parameters.children;
    this.height = 2;
    this.work = this.#drawWork();
  }

  get isFull() {
    return this.size + this.#parameters.children > this.#parameters.maxNodes;
  }

  #drawWork() {
    const { work, deviation } = this.#parameters;
    for (;;) {
      const drawn = Math.round(this.#random.nextNormal() * deviation + work);
      if (drawn > 0) return drawn;
    }
  }

  grant() {
    if (this.isFull || !this.#random.nextBoolean()) return 0;
    const work = this.#drawWork();
    const { children, urgentPercent } = this.#parameters;
    // The choice of an urgent child decides only who is told first; it is drawn all the same.
    if (this.#random.nextBelow(100) <= urgentPercent) this.#random.nextBelow(children);
    this.size += children;
    return work;
  }
}

/** A node; when it is granted children, it contains them. */
class Node extends Reactor {
  ask = this.input();
  plan = this.input();
  count = this.output();

  constructor(container, parameters, work) {
    super(container);
    let isNew = true;
    let family = null;

    this.mutation({ triggers: [this.ask, this.plan], effects: this.count }, () => {
      if (this.ask.isPresent()) {
        const isTraversal = this.ask.get() === 'traverse';
        if (isTraversal) busyWait(work);
        if (family === null) this.count.set(isTraversal || isNew ? 1 : 0);
      }
      if (this.plan.isPresent() && family === null) {
        isNew = false;
        const [granted] = this.plan.get();
        if (granted === 0) return;
        family = new Family(this, parameters, granted);
        this.connect(this.ask, family.ask);
        this.connect(family.count, this.count);
        // The plan of this tag was for the node itself: from the next one on, it is for those that it contains.
        family.isNew = true;
        this.connect(this.plan, family.plan);
      }
    });
  }
}

/** The children of a node: adds what they count, and hands each its part of a plan. */
class Family extends Reactor {
  ask = this.input();
  plan = this.input();
  count = this.output();
  isNew = false;

  constructor(container, parameters, work) {
    super(container);
    const { children } = parameters;
    const nodes = this.bank(children, Node, parameters, work);
    const counts = nodes.port('count');
    const plans = nodes.port('plan');
    const asking = new Array(children).fill(0);
    this.connect(this.ask, nodes.port('ask'), { repeat: true });

    this.reaction({ triggers: this.plan, effects: plans }, () => {
      if (this.isNew) {
        this.isNew = false;
        return;
      }
      const plan = this.plan.get();
      let at = 0;
      plans.forEach((port, i) => {
        if (asking[i] > 0) port.set(plan.slice(at, at + asking[i]));
        at += asking[i];
      });
    });

    this.reaction({ triggers: counts, sources: this.ask, effects: this.count }, () => {
      let sum = this.ask.get() === 'traverse' ? 1 : 0;
      counts.forEach((port, i) => {
        asking[i] = port.get();
        sum += asking[i];
      });
      this.count.set(sum);
    });
  }
}

/** Asks the nodes of the lowest generation whether they want children, until there are enough; then visits all. */
class Root extends Reactor {
  start = this.input();
  finished = this.output();
  ask = this.output();
  plan = this.output();
  count = this.input();
  next = this.action();
  grant = this.action();

  constructor(container, parameters) {
    super(container);
    let granter = new Granter(parameters);

    this.reaction({ triggers: this.start, effects: this.next }, () => {
      granter = new Granter(parameters);
      this.next.schedule();
    });

    this.reaction({ triggers: this.next, effects: this.ask }, () =>
      this.ask.set(granter.isFull ? 'traverse' : 'ask'),
    );

    this.reaction({ triggers: this.grant, effects: [this.plan, this.next] }, () => {
      const plan = Array.from({ length: this.grant.get() }, () => granter.grant());
      if (plan.some(work => work > 0)) granter.height += 1;
      this.plan.set(plan);
      this.next.schedule();
    });

    this.reaction({ triggers: this.count, effects: [this.grant, this.finished] }, () => {
      const count = this.count.get();
      const { size, height } = granter;
      if (granter.isFull) this.finished.set({ size, height, visited: count });
      else this.grant.schedule(0, count);
    });
  }
}

/** Begins each iteration with a root that has children, and no more. */
class Tree extends Reactor {
  start = this.input();
  ask = this.input();
  plan = this.input();
  count = this.output();

  constructor(container, parameters) {
    super(container);
    let family = null;
    // The reactors that the mutation makes lead from these inputs to the output. A vat must say so when it starts.
    const sources = [this.ask, this.plan];
    this.mutation({ triggers: this.start, sources, effects: this.count }, () => {
      if (family !== null) {
        this.disconnect(family.count);
        this.delete(family);
      }
      family = new Family(this, parameters, new Granter(parameters).work);
      this.connect([this.ask, this.plan], [family.ask, family.plan]);
      this.connect(family.count, this.count);
    });
  }
}

class UnbalancedTree extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const root = new Root(this, parameters);
    const tree = new Tree(this, parameters);
    this.connect(runner.start, [root.start, tree.start], { repeat: true });
    this.connect([root.ask, root.plan], [tree.ask, tree.plan]);
    this.connect([tree.count, root.finished], [root.count, runner.finished]);
  }
}

/** The expected tree, computed by generations alone. */
const expectedOf = parameters => {
  const granter = new Granter(parameters);
  let asking = parameters.children;
  while (!granter.isFull) {
    const before = granter.size;
    for (let i = 0; i < asking; i += 1) granter.grant();
    asking = granter.size - before;
    insist(asking > 0, () => 'the tree has died out; it wants more children for each node');
    granter.height += 1;
  }
  return granter;
};

const check = ({ size, height, visited }, parameters) => {
  const expected = expectedOf(parameters);
  insist(size === expected.size, () => `the tree has ${size} nodes, not ${expected.size}`);
  insist(height === expected.height, () => `the tree is ${height} high, not ${expected.height}`);
  insist(visited === size, () => `${visited} of ${size} nodes were visited`);
  return `${size} nodes, ${height} high`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { maxNodes: 200_000, children: 10, work: 500, deviation: 100, urgentPercent: 50 },
  sizes: {
    // With fewer children the tree dies out before it is full.
    children: { from: 3, to: 1_000 },
    work: { to: 1_000_000 },
    deviation: { from: 0, to: 1_000_000 },
    urgentPercent: bounds.percent,
  },
  check,
  main: UnbalancedTree,
  parts: { root: Root, tree: Tree },
});
