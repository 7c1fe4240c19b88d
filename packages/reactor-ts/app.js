// The main reactor of a program, and its execution.

import { Alarm } from './alarm.js';
import { Log } from './log.js';
import { Reaction } from './reaction.js';
import { SortablePrecedenceGraph } from './precedence-graph.js';
import { Reactor } from './reactor.js';
import { Runtime } from './runtime.js';
import { nsOf } from './time.js';

/** @import { PrecedenceGraph } from './precedence-graph.js' */
/** @import { TimeValue } from './time.js' */

/** The time that a program runs before it yields to the event loop, in ms. */
const sliceMs = 2;

/** Tags between two readings of the clock. */
const tagsPerLook = 64;

/** Reactions, each after all that it depends on. @extends {SortablePrecedenceGraph<Reaction<any>>} */
export class ReactionGraph extends SortablePrecedenceGraph {
  /** @param {PrecedenceGraph<any>} [graph] */
  constructor(graph) {
    super(Reaction, graph);
  }

  /** Whether each reaction has a higher priority number than those that it depends on. @returns {boolean} */
  isInOrder() {
    return [...this.getNodes()].every(node =>
      [...this.getUpstreamNeighbors(node)].every(
        before => before.getPriority() < node.getPriority(),
      ),
    );
  }
}

/** Adds all that depends on some nodes. @param {PrecedenceGraph<any>} graph @param {Set<any>} reached */
const addDownstream = (graph, reached) => {
  for (const node of reached)
    for (const after of graph.getDownstreamNeighbors(node)) reached.add(after);
  return reached;
};

/**
 * Find a cycle. Ports that are connected in a circle into which no reaction leads are taken out of the graph instead: no
 * value ever reaches them, and reactor-ts accepts them.
 *
 * @param {PrecedenceGraph<any>} graph  of ports and reactions
 */
const findCycle = graph => {
  for (;;) {
    const cycle = graph.findCycle();
    if (cycle === undefined || cycle.some(node => node instanceof Reaction)) return cycle;
    const reached = addDownstream(graph, graph.getSourceNodes());
    const reactions = [...reached].filter(node => node instanceof Reaction);
    if (addDownstream(graph, new Set(reactions)).has(cycle[0])) return cycle;
    for (const port of cycle) graph.removeNode(port);
  }
};

/** The main reactor of a program; it starts and ends the program. */
export class App extends Reactor {
  /** @readonly */
  _uuid = globalThis.crypto.randomUUID();

  /** @readonly */
  _alarm = new Alarm();

  /** Whether ports are connected in a circle into which nothing leads. */
  _hasCircle = false;

  /** Whether caller ports are connected. */
  _hasCalls = false;

  /** @protected */
  _errored = false;

  /** @protected @type {string | undefined} */
  _errorMessage = undefined;

  #fast;

  #keepAlive;

  #isDone = false;

  /** The logical time that physical time has reached. */
  #reachedNs = 0;

  /**
   * @param {TimeValue | undefined} [executionTimeout]  the last tag is at this time
   * @param {boolean} [keepAlive]  go on when no event is pending
   * @param {boolean} [fast]  do not wait for physical time
   * @param {() => void} [success]  called when the program has ended
   * @param {() => void} [failure]  called instead if it reported an error
   */
  constructor(
    executionTimeout = undefined,
    keepAlive = false,
    fast = false,
    success = () => {},
    failure = () => {},
  ) {
    super(null);
    const { name } = this.constructor;
    /** @readonly */
    this._name = name === '' ? 'app' : name.charAt(0).toLowerCase() + name.slice(1);
    this.success = success;
    this.failure = failure;
    this.#fast = fast;
    this.#keepAlive = keepAlive;
    if (executionTimeout !== undefined) this._scheduler.stopTimeNs = nsOf(executionTimeout);
  }

  get _kind() {
    return /** @type {const} */ ('app');
  }

  _getName() {
    return this._name;
  }

  _makeRuntime() {
    return new Runtime(this);
  }

  get _isActive() {
    return this._active;
  }

  /** For federated programs; without effect. @param {TimeValue} _interval */
  setAdvanceMessageInterval(_interval) {}

  /**
   * Start the program. As in reactor-ts, it runs the first tag before it returns, and the next one if that is due, which
   * may be the end; the others come later.
   *
   * @throws {Error} for a cycle; also any error that a reaction of these tags throws, after which the program goes on
   *   with the next tag if the caller catches it
   */
  _start() {
    this._analyzeDependencies();
    this._active = true;
    this._appRuntime.start();
    const scheduler = this._scheduler;
    scheduler.onWake = () => this.#wake();
    scheduler.prepareTag();
    this.#step();
    if (scheduler.prepareTag() && this.#isDue(scheduler.nextTimeNs)) this.#step();
    if (scheduler.hasStopped) this.#finish();
    else this.#next(0);
  }

  /**
   * Compute the order of reactions.
   *
   * @throws {Error} for a cycle, which it names
   * @protected
   */
  _analyzeDependencies() {
    Log.globalLogger.info('>>> Initializing');
    this._appRuntime.orderReactions();
  }

  /**
   * All reactions with their priorities: those of reactor-ts, unless a reaction would run before
   * one that writes its inputs through a list of ports, or over a connection that was made while the
   * program runs. reactor-ts ignores both.
   */
  _orderedReactions() {
    const whole = this._getPrecedenceGraph();
    const [nodes] = whole.size();
    const cycle = findCycle(whole);
    this._hasCircle = whole.size()[0] < nodes;
    if (cycle !== undefined)
      throw new Error(`Cycle in reaction graph. ${[...cycle, cycle[0]].join(' → ')}`);
    const graph = new ReactionGraph(whole);
    if (!this._active) graph.updatePriorities();
    else if (!graph.isInOrder()) graph.mendPriorities();
    const lists = this._listDependencies();
    if (lists.length > 0) {
      for (const [upstream, downstream] of lists) whole.addEdge(upstream, downstream);
      const complete = new ReactionGraph(whole);
      if (!complete.isInOrder() && !whole.hasCycle()) complete.mendPriorities();
    }
    const all = [...graph.getNodes()];
    this._appRuntime.order.reset([...all], lists.length > 0 || this._hasCircle || this._hasCalls);
    return all;
  }

  /** End at the next microstep. */
  _shutdown() {
    if (this._active) this._scheduler.requestStop();
  }

  /** @param {string | undefined} message */
  _reportError(message) {
    this._errored = true;
    this._errorMessage =
      this._errorMessage === undefined ? message : `${this._errorMessage} || ${message ?? ''}`;
  }

  /** @private @returns {Runtime} */
  get _appRuntime() {
    return /** @type {any} */ (this)._runtime;
  }

  /** @private */
  get _scheduler() {
    return this._appRuntime.scheduler;
  }

  /** Called when something was scheduled between tags. */
  #wake() {
    if (!this.#isDone) this._alarm.setAt(0, () => this.#run());
  }

  /** @param {number} timeNs  logical time of the next tag */
  #next(timeNs) {
    const atMs = this.#fast || timeNs === 0 ? 0 : this._appRuntime.startMs + timeNs / 1e6;
    this._alarm.setAt(atMs, () => this.#run());
  }

  #run() {
    const scheduler = this._scheduler;
    const endMs = performance.now() + sliceMs;
    for (let count = 1; !scheduler.hasStopped; count += 1) {
      if (!scheduler.prepareTag()) {
        if (this.#keepAlive || this._appRuntime.waitsForever) {
          this.#next(Infinity);
          return;
        }
        scheduler.requestStop();
        scheduler.prepareTag();
      }
      if (!this.#isDue(scheduler.nextTimeNs)) {
        this.#next(scheduler.nextTimeNs);
        return;
      }
      this.#step();
      if (count % tagsPerLook === 0 && performance.now() > endMs) {
        this.#next(0);
        return;
      }
    }
    this.#finish();
  }

  /**
   * Run a tag. If a reaction throws, the program goes on with the next tag, as far as the process survives the error.
   *
   * @throws {unknown} what a reaction threw
   */
  #step() {
    try {
      this._appRuntime.step();
    } catch (error) {
      if (this._scheduler.hasStopped) this.#isDone = true;
      else this.#next(0);
      throw error;
    }
  }

  /** @param {number} timeNs */
  #isDue(timeNs) {
    if (this.#fast || timeNs <= this.#reachedNs) return true;
    // By the clock that reactions read, so that none reads a time before its tag's.
    this.#reachedNs = this._appRuntime.clock.nowNs();
    return timeNs <= this.#reachedNs;
  }

  #finish() {
    if (this.#isDone) return;
    this.#isDone = true;
    this._alarm.unset();
    Log.info(
      this,
      () => `>>> End of execution at (logical) time: ${this.util.getCurrentLogicalTime()}`,
    );
    if (!this._errored) {
      this.success();
      return;
    }
    console.error('>>> Erroneous exit.');
    if (this._errorMessage !== undefined) console.error(`Reason: ${this._errorMessage}`);
    this.failure();
  }
}
