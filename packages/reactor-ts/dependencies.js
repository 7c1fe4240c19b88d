// The dependencies in a reactor: of reactions on each other and on the ports that they read, and of
// ports on the reactions that write them. Edges are added in the order of reactor-ts, because the
// order of reactions depends on it.

import { Action } from './action.js';
import { CalleePort, CallerPort } from './call-ports.js';
import { MultiPort, WritableMultiPort } from './multiport.js';
import { IOPort, WritablePort } from './port.js';
import { Mutation } from './reaction.js';
import { Trigger } from './trigger.js';

/** @import { PrecedenceGraph } from './precedence-graph.js' */
/** @import { Reaction } from './reaction.js' */
/** @import { Reactor } from './reactor.js' */

/** @typedef {PrecedenceGraph<any>} Graph  of ports and reactions */

/**
 * The single ports of a port or multiport.
 *
 * @param {unknown} item
 * @returns {IOPort<any>[]}
 */
export const portsOf = item =>
  item instanceof IOPort ? [item] : item instanceof MultiPort ? item.channels() : [];

/**
 * Add a reaction to its triggers.
 *
 * @param {Reactor} reactor
 * @param {Reaction<any>} reaction
 * @throws {Error} if a list of triggers has anything else
 */
export const bindTriggers = (reactor, reaction) => {
  /** @param {Trigger} trigger */
  const bind = trigger => trigger.getManager(reactor._getKey(trigger)).addReaction(reaction);
  for (const item of reaction.trigs) {
    if (item instanceof Trigger) bind(item);
    if (!Array.isArray(item)) continue;
    for (const trigger of item) {
      if (!(trigger instanceof Trigger)) {
        throw new Error('Non-Trigger included in Triggers list.');
      }
      bind(trigger);
    }
  }
};

/**
 * @param {Graph} graph  of the reactor
 * @param {Reaction<any> | undefined} before  the reaction that was added before it
 * @param {Reaction<any>} reaction
 * @throws {Error} if a list of triggers has anything but ports
 */
export const recordDependencies = (graph, before, reaction) => {
  if (before !== undefined) graph.addEdge(before, reaction);
  for (const item of reaction.trigs) {
    for (const port of portsOf(item)) graph.addEdge(port, reaction);
    if (!Array.isArray(item)) continue;
    for (const each of item) {
      if (!(each instanceof IOPort || each instanceof MultiPort)) {
        throw new Error('Non-Port included in Triggers list.');
      }
      for (const port of portsOf(each)) graph.addEdge(port, reaction);
    }
  }
  for (const item of reaction.args) {
    for (const port of portsOf(item)) graph.addEdge(port, reaction);
    if (item instanceof CalleePort) graph.addEdge(reaction, item);
    else if (item instanceof CallerPort) graph.addEdge(item, reaction);
    else if (item instanceof WritablePort) graph.addEdge(reaction, item.getPort());
    else if (item instanceof WritableMultiPort) {
      for (const port of item.getPorts()) graph.addEdge(reaction, port);
    }
  }
};

/**
 * The ports that a reaction reads and writes through lists, such as the ports of a bank. reactor-ts
 * ignores them.
 *
 * @param {Reaction<any>} reaction
 * @returns {[upstream: any, downstream: any][]}
 */
export const listDependencies = reaction => {
  /** @type {[upstream: any, downstream: any][]} */
  const edges = [];
  for (const item of reaction.args.filter(each => Array.isArray(each)).flat()) {
    for (const port of portsOf(item)) edges.push([port, reaction]);
    if (item instanceof WritablePort) edges.push([reaction, item.getPort()]);
    if (item instanceof WritableMultiPort)
      for (const port of item.getPorts()) edges.push([reaction, port]);
  }
  return edges;
};

/**
 * Add dependencies of calls: a port that a procedure writes must be written, by its last caller's
 * call, before others read it.
 *
 * @param {Reactor} reactor
 * @param {Graph} graph
 */
export const addCallDependencies = (reactor, graph) => {
  for (const component of reactor._components()) {
    if (!(component instanceof CalleePort)) continue;
    const manager = component.getManager(reactor._getKey(component));
    const procedure = manager.getProcedure();
    const lastCaller = manager.getLastCaller();
    if (procedure === undefined || lastCaller === undefined) continue;
    for (const effect of graph.getDownstreamNeighbors(procedure)) {
      if (!(effect instanceof CalleePort)) graph.addEdge(lastCaller, effect);
    }
  }
};

/**
 * Ports and reactions that depend directly on one, as in the graph of the whole program. Dependencies of calls are left out.
 *
 * @param {any} node
 * @returns {Generator<any>}
 */
export function* downstreamOf(node) {
  /** @type {Reactor} */
  const owner = node instanceof Trigger ? node.getContainer() : node._reactor;
  yield* owner._graph.getDownstreamNeighbors(node);
  const outer = owner._getContainer();
  if (outer !== owner) yield* outer._graph.getDownstreamNeighbors(node);
  // The reactors in it react after its last mutation; edges from earlier ones were added when they were the last.
  if (!(node instanceof Mutation)) return;
  for (const inner of owner._getOwnReactors()) {
    yield* inner._graph.getDownstreamNeighbors(node);
    const first = inner._getFirstReactionOrMutation();
    if (first !== undefined && node === owner._getLastMutation()) yield first;
  }
}

/**
 * Ports and reactions that one depends on directly, as in the graph of the whole program. Dependencies of calls are left out.
 *
 * @param {any} node
 * @returns {Generator<any>}
 */
export function* upstreamOf(node) {
  /** @type {Reactor} */
  const owner = node instanceof Trigger ? node.getContainer() : node._reactor;
  yield* owner._graph.getUpstreamNeighbors(node);
  const outer = owner._getContainer();
  if (outer !== owner) yield* outer._graph.getUpstreamNeighbors(node);
}

/**
 * Whether a container may hold the key of an inner component: not for actions, which are private.
 *
 * @param {unknown} component
 */
export const isReachable = component => !(component instanceof Action);
