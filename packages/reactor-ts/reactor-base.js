// The contents of a reactor: components and their keys, reactions, dependencies. The methods that
// programs call are in reactor.js.

import { Component } from './component.js';
import { addCallDependencies, isReachable, listDependencies } from './dependencies.js';
import { TaggedEvent } from './event.js';
import { IOPort, InPort, OutPort } from './port.js';
import { PrecedenceGraph } from './precedence-graph.js';
import { Mutation } from './reaction.js';
import { Timer } from './timer.js';

/** @import { Reaction } from './reaction.js' */
/** @import { Reactor } from './reactor.js' */
/** @import { Runtime } from './runtime.js' */
/** @import * as types from './types.js' */

export class ReactorBase extends Component {
  /** The keys of the components in it. @protected @type {Map<Component, symbol>} */
  _keyChain = new Map();

  /** @protected @type {PrecedenceGraph<any>} */
  _dependencyGraph = new PrecedenceGraph();

  /** @protected @type {Reaction<any>[]} */
  _reactions = [];

  /** @protected @type {Mutation<any>[]} */
  _mutations = [];

  /** @protected @type {Runtime} */
  _runtime = /** @type {any} */ (undefined);

  /** Whether it runs. @protected */
  _active = false;

  /** Time, tags and stopping. @protected @type {types.UtilityFunctions} */
  util = /** @type {any} */ (undefined);

  /** @param {Runtime} runtime */
  _receiveRuntimeObject(runtime) {
    if (this._runtime !== undefined || runtime === undefined) {
      throw new Error('Can only establish link to runtime once.');
    }
    this._runtime = runtime;
    this.util = runtime.util;
  }

  /** @param {Component} component */
  _requestRuntimeObject(component) {
    component._receiveRuntimeObject(this._runtime);
  }

  /** @returns {Runtime} */
  _makeRuntime() {
    throw new Error('Cannot instantiate component without a parent.');
  }

  /**
   * @param {Component} component
   * @param {symbol} key
   */
  _register(component, key) {
    if (component === undefined || component === null) {
      throw new Error('Unable to register undefined or null component');
    }
    if (component._isRegistered()) {
      throw new Error(
        `Unable to register ${component._getFullyQualifiedName()} as it already has a container.`,
      );
    }
    this._keyChain.set(component, key);
  }

  /**
   * Remove a reactor and its connections.
   *
   * @param {Reactor} reactor
   * @param {symbol} key
   */
  _deregister(reactor, key) {
    if (this._keyChain.get(reactor) !== key) {
      console.log(`Unable to deregister reactor: ${reactor._getFullyQualifiedName()}`);
      return;
    }
    this._keyChain.delete(reactor);
    for (const component of reactor._components()) {
      if (!(component instanceof IOPort)) continue;
      for (const source of this._dependencyGraph.getUpstreamNeighbors(component)) {
        if (source instanceof IOPort)
          source.getManager(this._getKey(source)).delReceiver(reactor.writable(component));
      }
      this._dependencyGraph.removeNode(component);
    }
  }

  /** @protected */
  _unplug() {
    this._getContainer()._deregister(/** @type {any} */ (this), this._key);
  }

  /**
   * The key of a component of this reactor, or of a reactor in it; keys of actions in the latter
   * are not given.
   *
   * @param {Component} component
   * @param {symbol} [key]  of this reactor, from its container
   * @returns {symbol | undefined}
   */
  _getKey(component, key) {
    if (component._isContainedBy(this) || this._key === key) return this._keyChain.get(component);
    if (!isReachable(component) || !component._isContainedByContainerOf(this)) return undefined;
    const owner = /** @type {Reactor} */ (/** @type {any} */ (component)._container);
    return owner._getKey(component, this._keyChain.get(owner));
  }

  /** @param {Reaction<any>} reaction */
  _getReactionIndex(reaction) {
    return reaction instanceof Mutation
      ? this._mutations.indexOf(reaction)
      : this._reactions.indexOf(reaction);
  }

  /** @param {Reaction<any>} reaction @protected */
  prevReaction(reaction) {
    const all = this._getReactionsAndMutations();
    return all[all.indexOf(reaction) - 1];
  }

  /** @param {Reaction<any>} reaction @protected */
  nextReaction(reaction) {
    const all = this._getReactionsAndMutations();
    return all[all.indexOf(reaction) + 1];
  }

  /** @param {Component} port */
  _isDownstream(port) {
    return port instanceof InPort
      ? port._isContainedByContainerOf(this)
      : port instanceof OutPort && port._isContainedBy(this);
  }

  /** @param {Component} port */
  _isUpstream(port) {
    return port instanceof OutPort
      ? port._isContainedByContainerOf(this)
      : port instanceof InPort && port._isContainedBy(this);
  }

  _isRunning() {
    return this._runtime.isRunning();
  }

  get _graph() {
    return this._dependencyGraph;
  }

  /** @returns {Reactor} */
  _root() {
    /** @type {any} */
    let reactor = this;
    while (reactor._container !== reactor) reactor = reactor._container;
    return reactor;
  }

  _components() {
    return [...this._keyChain.keys()];
  }

  /** @returns {Reactor[]} */
  _getOwnReactors() {
    return /** @type {any[]} */ (this._components().filter(each => each instanceof ReactorBase));
  }

  _getReactions() {
    return [...this._reactions];
  }

  _getMutations() {
    return [...this._mutations];
  }

  /** @returns {Reaction<any>[]} */
  _getReactionsAndMutations() {
    return [...this._mutations, ...this._reactions];
  }

  _getLastMutation() {
    return this._mutations.at(-1);
  }

  _getFirstReactionOrMutation() {
    return this._mutations[0] ?? this._reactions[0];
  }

  _getLastReactionOrMutation() {
    return this._reactions.at(-1) ?? this._mutations.at(-1);
  }

  /**
   * The dependencies in this reactor and in the reactors that it contains.
   *
   * @param {number} [depth]  the number of levels; -1 for all
   * @returns {PrecedenceGraph<any>} a new one
   */
  _getPrecedenceGraph(depth = -1) {
    const graph = new PrecedenceGraph();
    this._addToGraph(graph, depth);
    return graph;
  }

  /**
   * @param {PrecedenceGraph<any>} graph
   * @param {number} depth
   */
  _addToGraph(graph, depth) {
    const first = this._getFirstReactionOrMutation();
    const before = this._container._getLastMutation();
    if (
      /** @type {Component} */ (this._container) !== this &&
      first !== undefined &&
      before !== undefined
    ) {
      this._dependencyGraph.addEdge(before, first);
    }
    addCallDependencies(/** @type {any} */ (this), this._dependencyGraph);
    graph.addAll(this._dependencyGraph);
    if (depth === 0) return;
    for (const reactor of this._getOwnReactors()) reactor._addToGraph(graph, depth - 1);
  }

  /** At its last tag: make its shutdown present, and that of every reactor in it. */
  _delete() {
    this._runtime.delete(/** @type {any} */ (this));
    const { shutdown } = /** @type {any} */ (this);
    shutdown.update(new TaggedEvent(shutdown, this.util.getCurrentTag(), null));
  }

  /** At the end of the tag that deleted it: deactivate all its reactions. */
  _leave() {
    endParts(this._components(), this._getReactionsAndMutations(), this._runtime);
    if (this._container._keyChain.has(this)) this._unplug();
    this._runtime.change();
  }

  /**
   * Dependencies by lists of ports, in this reactor and in every reactor in it.
   *
   * @returns {[upstream: any, downstream: any][]}
   */
  _listDependencies() {
    return [
      ...this._getReactionsAndMutations().flatMap(listDependencies),
      ...this._getOwnReactors().flatMap(reactor => reactor._listDependencies()),
    ];
  }
}

/**
 * @param {Component[]} components
 * @param {Reaction<any>[]} reactions
 * @param {Runtime} runtime
 */
const endParts = (components, reactions, { order }) => {
  for (const reaction of reactions) {
    reaction.active = false;
    order.remove(reaction);
  }
  for (const component of components) if (component instanceof Timer) component.stop();
};
