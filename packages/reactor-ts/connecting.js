// Decides by the graph of dependencies which ports may be connected, and connects call ports.

import { InPort, OutPort } from './port.js';
import { downstreamOf } from './dependencies.js';
import { Reaction } from './reaction.js';

/** @import { CalleePort, CallerPort } from './call-ports.js' */
/** @import { IOPort } from './port.js' */
/** @import { Reactor } from './reactor.js' */

/** The reason why two ports cannot be connected; 0 if they can. */
export const CanConnectResult = Object.freeze({
  SUCCESS: 0,
  SELF_LOOP: 'Source port and destination port are the same.',
  DESTINATION_OCCUPIED: 'Destination port is already occupied.',
  DOWNSTREAM_WRITE_CONFLICT: 'Write conflict: port is already occupied.',
  NOT_IN_SCOPE: 'Source and destination ports are not in scope.',
  RT_CONNECTION_OUTSIDE_CONTAINER: 'New connection is outside of container.',
  RT_DIRECT_FEED_THROUGH: 'New connection introduces direct feed through.',
  RT_CYCLE: 'New connection introduces cycle.',
  MUTATION_CAUSALITY_LOOP:
    'New connection will change the causal effect of the mutation that triggered this connection.',
});

/** @typedef {(typeof CanConnectResult)[keyof typeof CanConnectResult]} CanConnectResult */

/**
 * Whether a connection is within a reactor: from its inputs or its contained reactors' outputs to
 * its outputs or their inputs.
 *
 * @param {Reactor} reactor
 * @param {IOPort<any>} source
 * @param {IOPort<any> | undefined} destination
 */
export const isInScope = (reactor, source, destination) => {
  const isSource =
    source instanceof OutPort
      ? source._isContainedByContainerOf(reactor)
      : source._isContainedBy(reactor);
  if (destination === undefined) return isSource && source instanceof OutPort;
  const isDestination =
    destination instanceof InPort
      ? destination._isContainedByContainerOf(reactor)
      : destination._isContainedBy(reactor);
  return isSource && isDestination;
};

/**
 * @param {Reactor} reactor
 * @param {IOPort<any>} source
 * @param {IOPort<any>} destination
 * @returns {CanConnectResult}
 */
export const checkConnection = (reactor, source, destination) => {
  if (source === destination) return CanConnectResult.SELF_LOOP;
  const graph = reactor._graph;
  if (graph.getUpstreamNeighbors(destination).size > 0)
    return CanConnectResult.DESTINATION_OCCUPIED;
  if (!reactor._isRunning()) {
    if (graph.getDownstreamNeighbors(destination).size > 0) {
      return CanConnectResult.DOWNSTREAM_WRITE_CONFLICT;
    }
    return isInScope(reactor, source, destination)
      ? CanConnectResult.SUCCESS
      : CanConnectResult.NOT_IN_SCOPE;
  }
  const isOutside =
    source instanceof OutPort &&
    destination instanceof InPort &&
    source._isContainedBy(reactor) &&
    destination._isContainedBy(reactor);
  if (isOutside) return CanConnectResult.RT_CONNECTION_OUTSIDE_CONTAINER;
  return makesCycle(reactor._root(), source, destination)
    ? CanConnectResult.RT_CYCLE
    : CanConnectResult.SUCCESS;
};

/**
 * Whether a program would have a cycle with another connection. The order of reactions was without one, so only what
 * depends on the destination is looked at, unless the program has calls, or a circle of ports, which reactor-ts counts as
 * a cycle here.
 *
 * @param {any} app
 * @param {IOPort<any>} source
 * @param {IOPort<any>} destination
 */
const makesCycle = (app, source, destination) => {
  if (app._hasCircle || app._hasCalls) {
    const whole = app._getPrecedenceGraph();
    whole.addEdge(source, destination);
    return whole.hasCycle();
  }
  const horizon = app._appRuntime.order.horizonOf(source);
  /** @type {Set<any>} of ports and reactions */
  const reached = new Set([destination]);
  for (const node of reached) {
    if (node === source) return true;
    if (node instanceof Reaction && node.getPriority() > horizon) continue;
    for (const after of downstreamOf(node)) reached.add(after);
  }
  return false;
};

/**
 * Connect a caller port to a callee port, whose procedure must be set. As in reactor-ts, a connection
 * does not order the reactions that call one procedure.
 *
 * @param {Reactor} reactor
 * @param {CallerPort<any, any>} caller
 * @param {CalleePort<any, any>} callee
 */
export const connectCall = (reactor, caller, callee) => {
  if (!reactor.canConnectCall(caller, callee)) {
    throw new Error(`ERROR connecting ${caller} to ${callee}`);
  }
  caller.remotePort = callee;
  const manager = callee.getManager(reactor._getKey(callee));
  const container = caller.getManager(reactor._getKey(caller)).getContainer();
  const reactions = container._getReactionsAndMutations();
  /** @type {number[]} */
  const places = [...container._graph.getDownstreamNeighbors(caller)]
    .filter(each => each instanceof Reaction)
    .map(each => reactions.indexOf(each))
    .filter(place => place >= 0);
  const lastCaller = manager.getLastCaller();
  if (lastCaller === undefined) throw new Error('No procedure linked to callee port');
  /** @type {any} */ (reactor._root())._hasCalls = true;
  reactor._graph.addEdge(callee, caller);
  if (places.length > 0) manager.setLastCaller(reactions[Math.max(...places)]);
};
