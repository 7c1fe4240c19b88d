// Changes while a program runs: reactors and connections are made and deleted by reactions.
//
// A mutation runs before all reactions of the reactors contained in its reactor, so all its changes are done before anything there
// runs at the tag: it may do everything. An ordinary reaction may run after some of them. It may make reactors, connect
// what it made (and its own effects), and delete a contained reactor, which then ends at the next microstep.

import { UserError } from '#model';
import { assemble, bindOutlet } from './assemble.js';
import { Connection, applyConnection } from './connect.js';
import { insistNoCycle, originsOf } from './connection-cycle.js';
import { visitReadersOf } from './graph.js';
import { noteConnected, noteCut } from './late-levels.js';
import { shutDown, start } from './life.js';
import { Channel } from './multiport.js';
import { describe } from './node.js';
import { isActive, Outlet } from './outlet.js';
import { destinationsAt, destinationsFrom } from './downstream.js';
import { cut, rewire, wiresTo } from './rewiring.js';

/** @import { ReactorNode } from './node.js' */
/** @import { Mode } from './mode.js' */
/** @import { ConnectOptions } from './connect.js' */
/** @import { AnyPort } from './port.js' */
/** @import { Reaction } from './reaction.js' */
/** @import { Region } from './region.js' */

/**
 * The running reaction of a reactor, for actions that only a reaction may do.
 *
 * @param {ReactorNode} node
 * @param {string} what
 */
const insistRunning = (node, what) => {
  const running = node.region?.running ?? null;
  if (running === null || running.node !== node) {
    const when = node.region === null ? 'before it runs, and so' : 'while it runs, but';
    throw new UserError(
      `${node.path}: ${what} ${when} not by a reaction of its own; a reaction or mutation of it may`,
    );
  }
  return running;
};

/**
 * Notes that a reactor is being made in a running one. It is assembled after its constructor has returned: at the next
 * change, or when the reaction returns.
 *
 * @param {ReactorNode} node
 * @param {ReactorNode} parent
 */
export const expectBirth = (node, parent) => {
  insistRunning(parent, 'a reactor was made in it');
  const region = /** @type {Region} */ (parent.region);
  region.birth ??= { unborn: [], newborn: [] };
  region.birth.unborn.push(node);
};

/**
 * Assembles and starts the new reactors.
 *
 * @param {Region} region
 */
const giveBirth = region => {
  const { birth } = region;
  if (birth === null) return;
  const nodes = birth.unborn;
  birth.unborn = [];
  for (const node of nodes) {
    assemble(node, region);
    // In an inactive mode it starts when the mode is entered.
    if (isActive(node.enclosing)) start(node, true);
    if (region.scheduler.isLastTag() || isLeaving(node, region.scheduler)) endSubtree(node);
    birth.newborn.push(node);
  }
};

/**
 * Whether a reactor is within one that was deleted at this tag.
 *
 * @param {ReactorNode} node
 * @param {import('./scheduler.js').Scheduler} scheduler
 */
const isLeaving = (node, { leaving }) => {
  if (leaving.size === 0) return false;
  for (let { parent } = node; parent !== null; parent = parent.parent)
    if (leaving.has(parent)) return true;
  return false;
};

/**
 * Ends a reaction: the reactors that it made are now like all others.
 *
 * @param {Region} region
 */
export const endReaction = region => {
  giveBirth(region);
  region.birth = null;
};

/**
 * @param {ReactorNode} node
 * @param {Mode | null} mode
 * @param {any} from
 * @param {any} to
 * @param {ConnectOptions & { mode?: Mode }} [options]
 */
export const connectRunning = (node, mode, from, to, options) => {
  const running = insistRunning(node, 'a connection was made in it');
  const region = /** @type {Region} */ (node.region);
  giveBirth(region);
  const connection = new Connection(node, mode, from, to, options);
  connection.isByMutation = running.isMutation;
  /** @type {Outlet[]} */
  const outlets = [];
  /** @type {[AnyPort, number][]} */
  const targets = [];
  /** The former connections, restored if the new one is refused. @type {[AnyPort, number, any, number][]} */
  const before = [];
  try {
    applyConnection(connection, (port, index, ...was) => {
      targets.push([port, index]);
      before.push([port, index, ...was]);
      const from = port.fromAt(index);
      if (from instanceof Outlet) outlets.push(from);
    });
    for (const [port, index] of targets) insistEarly(running, 'connects to', port, index);
    insistNoCycle(targets, originsWith(outlets));
  } catch (error) {
    for (const [port, index, was, wasIndex] of before.reverse()) port.setFrom(index, was, wasIndex);
    for (const outlet of outlets) {
      node.outlets.delete(outlet);
      outlet.leave();
    }
    throw error;
  }
  /** @type {Set<Reaction>} */
  const changed = new Set();
  for (const [port, index] of targets) rewire(port, index, changed);
  for (const outlet of outlets) {
    bindOutlet(outlet);
    const source = /** @type {AnyPort} */ (outlet.source).slotAt(outlet.sourceIndex);
    if (source?.present) outlet.passOn(source.value);
    if (outlet.target !== null)
      visitReadersOf(outlet.target, reaction => void changed.add(reaction));
  }
  noteConnected(targets, changed, region);
  removePassed(running, region);
};

/**
 * Checks that the readers of a new connection have not run at this tag: they are contained and a mutation runs before
 * them, or they are new, or they follow the reaction, which has the port among its effects.
 *
 * @param {Reaction} running
 * @param {'connects to' | 'disconnects'} verb
 * @param {AnyPort} port
 * @param {number} index
 */
const insistEarly = (running, verb, port, index) => {
  const { node } = running;
  const isInner = port.node !== node;
  if (isInner && running.isMutation) return;
  const { birth } = /** @type {Region} */ (node.region);
  if (isInner && birth?.newborn.includes(port.node)) return;
  const indexes = running.writes.get(port);
  if (indexes === null || indexes?.has(index)) return;
  const remedy = isInner ? 'make it a mutation' : 'add it to the effects of the reaction';
  throw new UserError(
    `${running.path} ${verb} ${port.path}, whose readers may have run at this tag already; ${remedy}`,
  );
};

/**
 * Removes the mutation itself and earlier ones from the ready queue, if a port became present by the change: their turn
 * at this tag is over.
 *
 * @param {Reaction} running
 * @param {Region} region
 */
const removePassed = ({ node }, { ready, running }) => {
  const last = node.reactions.indexOf(/** @type {Reaction} */ (running));
  const passed = node.reactions.slice(0, last + 1);
  if (!passed.some(({ queued }) => queued)) return;
  for (const reaction of ready.drain()) if (!passed.includes(reaction)) ready.push(reaction);
};

/**
 * The sources of a channel, including noted connections that are not bound yet.
 *
 * @param {Outlet[]} fresh
 */
const originsWith = fresh => (/** @type {AnyPort} */ port, /** @type {number} */ index) => {
  const origins = originsOf(port, index);
  for (const { isImmediate, source, sourceIndex, destination, index: at } of fresh) {
    if (isImmediate && destination === port && at === index)
      origins.push([/** @type {AnyPort} */ (source), sourceIndex]);
  }
  return origins;
};

/**
 * @param {ReactorNode} node
 * @param {any} from  a port or channel
 * @param {any} to  a port or channel; without it, all destinations of `from`
 */
export const disconnectRunning = (node, from, to) => {
  const running = insistRunning(node, 'a connection was taken away in it');
  if (!running.isMutation) {
    throw new UserError(
      `${running.path} takes a connection away, which only a mutation may do; declare it by "mutation"`,
    );
  }
  const region = /** @type {Region} */ (node.region);
  giveBirth(region);
  const source = endOf(from, node);
  const target = to === undefined ? undefined : endOf(to, node);
  /** @type {Set<Reaction>} */
  const changed = new Set();
  /** @type {import('./rewiring.js').Wire[]} */
  const chosen = [];
  const ends =
    target === undefined
      ? destinationsFrom(source.port, source.index, node)
      : destinationsAt(target.port, node, target.index);
  for (const [port, index] of ends) {
    for (const wire of wiresTo(port, index)) {
      if (wire.source !== source.port) continue;
      if (source.index >= 0 && wire.sourceIndex !== source.index) continue;
      insistEarly(running, 'disconnects', port, index);
      chosen.push(wire);
    }
  }
  for (const wire of chosen) cut(node, wire, changed);
  if (chosen.length === 0) {
    throw new UserError(
      `${node.path}: ${describe(from)} is not connected${to === undefined ? '' : ` to ${describe(to)}`} here`,
    );
  }
  noteCut(changed, region);
  removePassed(running, region);
};

/**
 * Deletes a contained reactor. Its reactions to shutdown run at this tag if a mutation deletes it, otherwise at the
 * next microstep. When that tag ends, it is removed with all that it contains, its connections and its events.
 *
 * @param {ReactorNode} node  the container
 * @param {any} reactor
 */
export const deleteRunning = (node, reactor) => {
  const running = insistRunning(node, 'a reactor was deleted in it');
  const region = /** @type {Region} */ (node.region);
  giveBirth(region);
  /** @type {ReactorNode | undefined} */
  const victim = reactor?.node;
  // Ports, timers, actions and modes have a node, too: that of their reactor.
  if (victim === undefined || victim.reactor !== reactor) {
    throw new UserError(
      `${running.path} deletes ${describe(reactor)}, which is no reactor; give a reactor that is directly in ${node.path}`,
    );
  }
  if (victim.parent !== node || victim.isRemoved) {
    throw new UserError(
      `${running.path} deletes ${describe(victim)}, which is not directly in ${node.path}; ` +
        'a reactor is deleted by the one that contains it',
    );
  }
  const { scheduler } = region;
  // It already ends at this tag.
  if (scheduler.leaving.has(victim)) return;
  if (running.isMutation) {
    scheduler.leaving.add(victim);
    endSubtree(victim);
  } else if (!scheduler.doomed.has(victim)) {
    scheduler.doomed.add(victim);
    scheduler.wantMicrostep();
  }
};

/** @param {ReactorNode} node  whose reactions to shutdown become ready */
export const endSubtree = node => {
  for (const inner of node.subtree()) {
    for (const { builtIns } of [inner, ...inner.modes]) {
      if (builtIns.shutdown === null) continue;
      shutDown(builtIns.shutdown);
      /** @type {Region} */ (inner.region).scheduler.endings.delete(builtIns.shutdown);
    }
  }
};

/**
 * @param {any} item
 * @param {ReactorNode} node
 */
const endOf = (item, node) => {
  if (item instanceof Channel) return { port: item.port, index: item.index };
  if (item?.slotAt === undefined) {
    throw new UserError(`${node.path}: ${describe(item)} is no port; disconnect ports`);
  }
  return { port: item, index: -1 };
};
