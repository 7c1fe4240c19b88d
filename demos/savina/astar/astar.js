import { Reactor } from 'swingset-runner/reactor';
import { benchmark, bounds, insist, Runner, slicesOf } from '../common/benchmark.js';
import { busyWait } from '../common/pseudo-random.js';
import { provideGrid, targetOf } from './grid.js';

/**
 * Says from which nodes workers search, and keeps from where each node was reached. Workers do not share that, as they do
 * in Lingua Franca's programs: each knows what was reached when a tag began, and what it has reached itself. Of two that
 * reach a node at one tag, the first worker has it. So the path is the same each time.
 */
class Manager extends Reactor {
  start = this.input();
  finished = this.output();
  reached = this.output();
  next = this.action();

  constructor(container, { workers, size }) {
    super(container);
    this.search = this.outputs(workers);
    this.found = this.inputs(workers);
    this.more = this.inputs(workers);
    const target = targetOf(size);
    let parents = new Map();
    let queue = [];
    let fresh = [];

    this.reaction({ triggers: this.start, effects: this.next }, () => {
      parents = new Map([[0, -1]]);
      queue = [0];
      fresh = [0];
      this.next.schedule();
    });

    this.reaction(
      { triggers: this.next, effects: [this.next, this.search, this.reached, this.finished] },
      () => {
        if (parents.has(target)) {
          const path = [target];
          while (path[0] > 0) path.unshift(parents.get(path[0]));
          this.finished.set(path);
          return;
        }
        insist(queue.length > 0, () => 'no node is left to search from, and no path was found');
        this.reached.set(fresh);
        fresh = [];
        const starts = queue.splice(0, workers);
        starts.forEach((node, i) => this.search.set(i, node));
        this.next.schedule();
      },
    );

    this.reaction({ triggers: this.found, sources: this.more }, () =>
      this.found.forEachPresent((found, worker) => {
        const own = new Set();
        for (const [node, parent] of found) {
          if (parents.has(node)) continue;
          parents.set(node, parent);
          fresh.push(node);
          own.add(node);
        }
        for (const node of this.more.get(worker)) if (own.has(node)) queue.push(node);
      }),
    );
  }
}

/** Searches from a node, as far as the threshold allows. */
class Worker extends Reactor {
  start = this.input();
  reached = this.input();
  search = this.input();
  found = this.output();
  more = this.output();

  constructor(container, { size, threshold }) {
    super(container);
    const neighbours = provideGrid(size);
    const target = targetOf(size);
    const known = new Uint8Array(neighbours.length);

    this.reaction({ triggers: this.start }, () => known.fill(0));

    this.reaction({ triggers: this.reached }, () => {
      for (const node of this.reached.get()) known[node] = 1;
    });

    this.reaction({ triggers: this.search, effects: [this.found, this.more] }, () => {
      const found = [];
      const queue = [this.search.get()];
      let done = 0;
      for (; done < queue.length && done < threshold && !known[target]; done += 1) {
        busyWait(100);
        const node = queue[done];
        for (const neighbour of neighbours[node]) {
          if (known[neighbour]) continue;
          known[neighbour] = 1;
          found.push([neighbour, node]);
          queue.push(neighbour);
        }
      }
      // Nodes that other workers reached at this tag come with `reached` at the next. A node that another worker has, since
      // both reached it at this tag, stays known here.
      this.found.set(found);
      this.more.set(queue.slice(done));
    });
  }
}

class GuidedSearch extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const manager = new Manager(this, parameters);
    const workers = this.bank(parameters.workers, Worker, parameters);
    this.connect(runner.start, [manager.start, workers.port('start')], { repeat: true });
    this.connect(manager.finished, runner.finished);
    this.connect(manager.reached, workers.port('reached'), { repeat: true });
    this.connect(manager.search, workers.port('search'));
    this.connect(workers.port('found'), manager.found);
    this.connect(workers.port('more'), manager.more);
  }
}

const check = (path, { size }) => {
  const neighbours = provideGrid(size);
  insist(path[0] === 0, () => `the path begins at node ${path[0]}`);
  insist(path.at(-1) === targetOf(size), () => `the path ends at node ${path.at(-1)}`);
  path.slice(1).forEach((node, i) => {
    insist(neighbours[path[i]].includes(node), () => `node ${node} is no neighbour of ${path[i]}`);
  });
  return `a path of ${path.length} nodes`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { workers: 20, size: 30, threshold: 1_024 },
  sizes: { workers: bounds.members, size: { to: 200 } },
  check,
  main: GuidedSearch,
  parts: { manager: Manager, worker: slicesOf(Worker, ({ workers }) => workers) },
});
