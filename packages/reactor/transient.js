// Transient children: reactors that live for one answer. A reaction spawns them; each runs to its end before anything
// else of its creator, by its own numbering of levels. The values that it wrote to its result ports are then present at
// the creator's ports, and the child is gone. This suits divide and conquer: of twenty million children only one path
// exists at a time.
//
// A child that has ended is reused for the next spawn of its class. So its values come through inputs and its state is
// in `this.state(...)`, which is reset. Its own fields cannot be assigned to.

import { UserError, quote } from '#model';
import { assemble } from './assemble.js';
import { insistClass, insistContainer, insistReactor, insistUnassembled } from './container.js';
import { describe } from './node.js';
import { shutDown, start } from './life.js';
import { adopt } from './adoption.js';
import { Port } from './port.js';
import { Region } from './region.js';

/** @import { ReactorNode } from './node.js' */
/** @import { Reactor } from './reactor.js' */
/** @import { Slot } from './slot.js' */
/** @import { Reaction } from './reaction.js' */
/** @import { BuiltIn } from './built-in.js' */

/**
 * The creator's port of a transient child's output: present when the child has written it.
 *
 * @template T
 * @extends {Port<T>}
 */
export class ResultPort extends Port {
  /**
   * @param {Transient} transient
   * @param {any} container
   * @param {string} name
   */
  constructor(transient, container, name) {
    super(container, true);
    this.transient = transient;
    this.name = name;
  }

  get path() {
    return `${this.transient.path}.${this.name}`;
  }
}

/** A child that can be spawned. */
export class Instance {
  /** @param {ReactorNode} node */
  constructor(node) {
    this.node = node;
    this.region = /** @type {Region} */ (node.region);
    /** @type {Slot[]} in the order in which they were declared */
    this.inputs = [];
    /** @type {Slot[]} in the order of the transient's results */
    this.results = [];
    /** @type {Instance | null} */
    this.nextUnused = null;
    /** Whether it only has reactions to inputs: no startup, timers, modes, contained reactors or states. */
    this.isPlain = false;
    /** Its shutdown triggers, whose reactions run when it has nothing else to do. @type {BuiltIn[]} */
    this.shutdowns = [];
    this.isEnding = false;
  }
}

/** Children of one class with the same results. */
export class Pool {
  constructor() {
    /** @type {Instance | null} */
    this.unused = null;
  }
}

/** @typedef {new (container: any) => Reactor} TransientClass */

const classRemedy = 'give a class that extends Reactor';

// eslint-disable-next-line house/max-class-lines -- a life of a transient reactor, from its birth to its pool; each step changes the same links
export class Transient {
  /**
   * @param {any} container
   * @param {TransientClass} type  made with its container as the only argument
   * @param {string[]} results  names of its outputs; each is a port of this object: `this.left.sum`
   */
  constructor(container, type, results) {
    const { node, mode } = insistContainer(container, 'a transient child');
    insistUnassembled(node, 'a transient child');
    insistClass(type, () => `${node.path}: a transient child is`, classRemedy);
    if (!Array.isArray(results) || !results.every(name => typeof name === 'string')) {
      throw new UserError(
        `${node.path}: the results of a transient child are ${describe(results)}; give a list of names of its outputs`,
      );
    }
    this.node = node;
    this.mode = mode;
    this.type = type;
    this.results = results;
    /** @type {ResultPort<any>[]} */
    this.ports = results.map(name => new ResultPort(this, container, name));
    this.ports.forEach((port, i) => {
      if (results[i] in this)
        throw new UserError(`${node.path}: a result cannot be called ${quote(results[i])}`);
      Object.defineProperty(this, results[i], { value: port, enumerable: true });
    });
    /** @type {Reaction | null} the last reaction that spawned it */
    this.writer = null;
    /** @type {Region} */
    this.region = /** @type {any} */ (null);
    /** @type {Pool} */
    this.pool = /** @type {any} */ (null);
    /** @type {Instance | null} */
    this.instance = null;
    /** @type {Transient | null} */
    this.nextSpawned = null;
    /** @type {ReactorNode | null} a child that did not end at its first tag */
    this.adopted = null;
    node.transients.push(this);
  }

  /** @returns {string} */
  get path() {
    return this.node.pathOf(this, this.#ordinal());
  }

  /** Its name within its creator. */
  get ownName() {
    return this.node.nameOf(this, this.#ordinal());
  }

  #ordinal() {
    return `transient${this.node.transients.indexOf(this)}`;
  }

  /** @param {Region} region */
  assemble(region) {
    this.region = region;
    const { pools } = region.scheduler;
    let byResults = pools.get(this.type);
    if (byResults === undefined) {
      byResults = new Map();
      pools.set(this.type, byResults);
    }
    const key = this.results.join(' ');
    this.pool = byResults.get(key) ?? new Pool();
    byResults.set(key, this.pool);
  }

  /**
   * Makes a child, gives it these values at its inputs, in the order of their declaration, and runs it to its end as
   * soon as the present reaction returns.
   *
   * @param {...any} values
   * @throws {UserError} in a reaction that did not declare it as an effect, or while an earlier child is still there
   */
  spawn(...values) {
    const { region } = this;
    const running = region === null ? null : region.running;
    if (running !== this.writer || running === null) this.#checkWriter(running);
    if (this.instance !== null || this.adopted !== null) {
      throw new UserError(
        `${this.path} was spawned again before its child was gone; use one for each child, or delete the child`,
      );
    }
    const { pool } = this;
    let instance = pool.unused;
    if (instance === null) instance = this.#make();
    else pool.unused = instance.nextUnused;
    this.instance = instance;
    const inner = instance.region;
    inner.transient = this;
    const { inputs } = instance;
    if (values.length > inputs.length) {
      throw new UserError(
        `${this.path} was spawned with ${values.length} values; ${this.type.name} has ${inputs.length} inputs`,
      );
    }
    for (let i = 0; i < values.length; i += 1) {
      const value = values[i];
      if (typeof value === 'object' && value !== null) region.scheduler.prepareValue(value);
      inner.write(inputs[i], value);
    }
    if (region.spawned === null) region.spawned = this;
    else /** @type {Transient} */ (region.spawnedLast).nextSpawned = this;
    region.spawnedLast = this;
  }

  /** Begins the first of the spawned children. @returns {Region} its region */
  enter() {
    this.region.spawned = this.nextSpawned;
    this.nextSpawned = null;
    const instance = /** @type {Instance} */ (this.instance);
    if (!instance.isPlain) {
      for (const node of instance.node.subtree()) {
        node.started = false;
        for (const mode of node.modes) {
          mode.started = false;
          mode.active = false;
        }
      }
      start(instance.node, true);
      // The child ends before the program does, unless it is adopted.
      const { endings } = this.region.scheduler;
      for (const shutdown of instance.shutdowns) endings.delete(shutdown);
    }
    return instance.region;
  }

  /** Leaves a child that has nothing more to run at this tag. @returns {Region} the region of its creator */
  leave() {
    const instance = /** @type {Instance} */ (this.instance);
    const inner = instance.region;
    const { region, ports } = this;
    const { results } = instance;
    if (instance.shutdowns.length > 0 && !instance.isEnding && !inner.isWaiting()) {
      instance.isEnding = true;
      for (const shutdown of instance.shutdowns) shutDown(shutdown);
      return inner;
    }
    instance.isEnding = false;
    for (let i = 0; i < results.length; i += 1) {
      const result = results[i];
      if (result.present) region.write(/** @type {Slot} */ (ports[i].slot), result.value);
    }
    inner.clear();
    this.instance = null;
    if (inner.pending > 0) {
      // The child is not finished: from now on it is a reactor like any other.
      this.adopted = adopt(instance.node, this, results);
      for (const shutdown of instance.shutdowns) region.scheduler.endings.add(shutdown);
      return region;
    }
    if (!instance.isPlain) {
      for (const node of instance.node.subtree()) {
        // The ended child enters no mode.
        node.transition = null;
        for (const state of node.states) state.reset();
      }
    }
    instance.nextUnused = this.pool.unused;
    this.pool.unused = instance;
    return region;
  }

  /** @returns {Instance} */
  #make() {
    const { type, results } = this;
    const reactor = new type(null);
    insistReactor(reactor, () => `${this.path}: a transient child is`, classRemedy);
    const { node } = reactor;
    const region = new Region(this.region.scheduler);
    region.transient = this;
    assemble(node, region);
    const instance = new Instance(node);
    for (const port of node.ports) {
      if (port.isInput && port instanceof Port && !(port instanceof ResultPort)) {
        instance.inputs.push(/** @type {Slot} */ (port.slot));
      }
    }
    for (const name of results) {
      const port = /** @type {any} */ (reactor)[name];
      if (!(port instanceof Port) || port.isInput || port.node !== node) {
        throw new UserError(
          `${this.path}: ${type.name} has no output ${quote(name)}; name its results as it does`,
        );
      }
      instance.results.push(/** @type {Slot} */ (port.slot));
    }
    instance.isPlain = node
      .subtree()
      .every(
        n => n.triggers.length + n.modes.length + n.states.length + n.builtIns.all().length === 0,
      );
    instance.shutdowns = node
      .subtree()
      .flatMap(inner => [inner, ...inner.modes])
      .flatMap(({ builtIns }) => builtIns.shutdown ?? []);
    for (const { reactor: inner } of node.subtree()) Object.freeze(inner);
    return instance;
  }

  /** @param {Reaction | null} running */
  #checkWriter(running) {
    if (running === null || !running.writes.has(this)) {
      throw new UserError(
        `${this.path} is spawned by ${running?.path ?? 'no reaction'}, which did not declare it; ` +
          'add it to the effects of the reaction',
      );
    }
    this.writer = running;
  }
}
