// Assembles a program: connections become shared slots, declarations become the lists of reactions that a slot
// triggers, and reactions get levels. This is done for a program at its start, and for parts that are added while it
// runs.

import { UserError } from '#model';
import { applyConnection } from './connect.js';
import { insistNoCycle, plainCycle } from './connection-cycle.js';
import { assignAddedLevels, orderReactions } from './graph.js';
import { MultiPort } from './multiport.js';
import { namesIn } from './names.js';
import { ReactorNode } from './node.js';
import { Outlet, fromPath, isConnectedFor } from './outlet.js';
import { Link, Slot, noReactions, withReactions } from './slot.js';

/** @import { Region } from './region.js' */
/** @import { Mode } from './mode.js' */
/** @import { AnyPort } from './port.js' */
/** @import { Reaction } from './reaction.js' */

/**
 * Makes a reactor, and all that it contains, ready to run.
 *
 * @param {ReactorNode} root
 * @param {Region} region
 * @throws {UserError} for wrong connections and declarations, and for a cycle
 */
export const assemble = (root, region) => {
  const nodes = root.subtree();
  for (const node of nodes) node.region = region;
  for (const node of nodes) insistContained(node);
  for (const node of nodes) {
    for (const connection of node.connections) applyConnection(connection);
    // Expanded connections are stored at their destinations.
    node.connections = [];
  }
  for (const node of nodes) makeSlots(node, region);
  for (const node of nodes) for (const outlet of node.outlets) bindOutlet(outlet);
  insistNoCycle(nodes.flatMap(immediateEnds));
  for (const node of nodes) bindReactions(node);
  for (const node of nodes) for (const port of node.ports) attach(port);
  // The container's own reactions have no edges to parts that are added later.
  assignAddedLevels(
    nodes.flatMap(node => node.reactions),
    region,
  );
};

/**
 * Checks that a reactor in a field was made with its container; otherwise it would never run.
 *
 * @param {ReactorNode} node
 */
const insistContained = node => {
  for (const [part, name] of namesIn(node.reactor)) {
    const inner = /** @type {any} */ (part).node;
    if (!(inner instanceof ReactorNode) || inner.reactor !== part) continue;
    if (inner.parent !== null || inner.region !== null) continue;
    const type = part.constructor.name || 'Reactor';
    throw new UserError(
      `${node.pathOf(part, name)} was made without its container, so it is no part of the program; write ` +
        `new ${type}(this), and let a constructor of its own call super(container)`,
    );
  }
};

/**
 * The slot of a channel: that of the first port in its chain of connections. All ports on the way get it.
 *
 * @param {AnyPort} port
 * @param {number} index
 * @param {Region} region
 * @throws {UserError} for a cycle of connections
 */
export const resolve = (port, index, region) => {
  /** @type {AnyPort} */
  let end = port;
  let at = index;
  let slot = end.slotAt(at);
  let steps = 0;
  // A passed place, moved on after 1, 2, 4 … steps: reaching it again means a cycle.
  let passed = end;
  let passedAt = at;
  while (slot === null) {
    const from = end.fromAt(at);
    if (from === null || from instanceof Outlet) {
      slot = new Slot(region, end, at);
      end.setSlot(at, slot);
      break;
    }
    at = end.fromIndexAt(at);
    end = from;
    if (end === passed && at === passedAt) throw plainCycle(end, at);
    steps += 1;
    if ((steps & (steps - 1)) === 0) {
      passed = end;
      passedAt = at;
    }
    slot = end.slotAt(at);
  }
  end = port;
  at = index;
  while (end.slotAt(at) === null) {
    end.setSlot(at, slot);
    const from = /** @type {AnyPort} */ (end.fromAt(at));
    at = end.fromIndexAt(at);
    end = from;
  }
  return slot;
};

/**
 * The ends of a reactor's connections that hold only in a mode.
 *
 * @param {ReactorNode} node
 * @returns {[port: AnyPort, index: number][]}
 */
const immediateEnds = ({ outlets }) =>
  [...outlets]
    .filter(({ isImmediate, destination }) => isImmediate && destination !== null)
    .map(({ destination, index }) => [/** @type {AnyPort} */ (destination), index]);

/**
 * @param {ReactorNode} node
 * @param {Region} region
 */
const makeSlots = (node, region) => {
  for (const port of node.ports) {
    for (let i = 0; i < port.width; i += 1) if (port.slotAt(i) === null) resolve(port, i, region);
  }
  for (const trigger of node.triggers) {
    trigger.slot = new Slot(region, trigger, 0);
    if ('enclosing' in trigger) trigger.enclosing = trigger.mode ?? node.enclosing;
  }
  for (const { builtIns } of [node, ...node.modes]) {
    for (const builtIn of builtIns.all()) builtIn.slot = new Slot(region, builtIn, 0);
  }
  for (const transient of node.transients) transient.assemble(region);
  if (node.modes.length > 0 && node.modes.filter(({ initial }) => initial).length !== 1) {
    throw new UserError(
      `${node.path}: ${node.modes.filter(({ initial }) => initial).length} of its ${node.modes.length} modes are initial; ` +
        'one of them has to be',
    );
  }
};

/** @param {Outlet} outlet */
export const bindOutlet = outlet => {
  const source = /** @type {AnyPort} */ (outlet.source).slotAt(outlet.sourceIndex);
  const target = /** @type {AnyPort} */ (outlet.destination).slotAt(outlet.index);
  if (source === null || target === null) return;
  outlet.target = target;
  outlet.enclosing = outlet.mode ?? outlet.node.enclosing;
  source.outlets = [...(source.outlets ?? []), outlet];
  if (outlet.isImmediate) {
    target.inlets = [...(target.inlets ?? []), outlet];
  } else if (outlet.mode === null) {
    outlet.slot = target;
    target.owner = outlet;
  } else {
    // The destination may have a delayed source in another mode, too, whose values do not wait together with these.
    outlet.slot = new Slot(target.region, outlet, outlet.index);
    const relay = new Outlet(outlet.node, null, { delayNs: -1, isPhysical: false });
    relay.target = target;
    outlet.slot.outlets = [relay];
  }
};

/**
 * Whether a mode and all modes around it are active, or will be when they start.
 *
 * @param {Mode | null} mode
 */
const willBeActive = mode => {
  for (let m = mode; m !== null; m = m.node.enclosing) {
    if (!m.active && (!m.initial || m.node.modes.some(({ active }) => active))) return false;
  }
  return true;
};

/** @param {ReactorNode} node */
const bindReactions = node => {
  orderReactions(node);
  for (const reaction of node.reactions) {
    reaction.active = willBeActive(reaction.mode ?? node.enclosing);
    for (const event of reaction.events) {
      event.slot.readers = [...event.slot.readers, reaction];
      event.slot.observers = event.slot.readers;
    }
    for (const [port, indexes] of reaction.writes) {
      if (port.slotAt === undefined) continue;
      // A mutation may write an output or connect it, so the port is checked when it writes.
      if (!reaction.isMutation) insistUnconnected(reaction, port, indexes);
      port.writers.push(reaction);
    }
    for (const [port, indexes] of reaction.triggers) {
      if (indexes === null) port.triggered.push(reaction);
      else for (const index of indexes) port.readersOf(index).triggered.push(reaction);
    }
    for (const [port, indexes] of reaction.reads) {
      if (indexes === null) port.observed.push(reaction);
      else for (const index of indexes) port.readersOf(index).observed.push(reaction);
    }
  }
};

/**
 * Checks that a port that a reaction writes is not connected from another one, except in other modes.
 *
 * @param {Reaction} reaction
 * @param {any} port
 * @param {Set<number> | null} indexes
 */
const insistUnconnected = (reaction, port, indexes) => {
  for (let i = 0; i < port.width; i += 1) {
    if (indexes !== null && !indexes.has(i)) continue;
    if (!isConnectedFor(reaction, port, i)) continue;
    throw new UserError(
      `${port.channelPath(i)} has two sources, ${fromPath(port, i, reaction.mode)} and ${reaction.path}; an input takes one, so ` +
        'disconnect it or take it from the effects of the reaction',
    );
  }
};

/**
 * Mutations that have a channel as an effect, and so may connect it from elsewhere. If the port has its own slot, they
 * are among its writers.
 *
 * @param {AnyPort} port
 * @param {number} index
 * @param {Slot} slot
 */
export const rewirersOf = (port, index, slot) => {
  if (port.writers.length === 0) return noReactions;
  const { owner } = slot;
  if ((owner instanceof Outlet ? owner.destination : owner) === port) return noReactions;
  return port.writers.filter(({ writes }) => {
    const indexes = writes.get(port);
    return indexes === null || indexes?.has(index);
  });
};

/**
 * Adds a port's reactions to its slots.
 *
 * @param {AnyPort} port
 */
const attach = port => {
  for (let i = 0; i < port.width; i += 1) attachChannel(port, i);
};

/**
 * @param {AnyPort} port
 * @param {number} index
 */
export const attachChannel = (port, index) => {
  const slot = /** @type {Slot} */ (port.slotAt(index));
  slot.rewirers = withReactions(slot.rewirers, rewirersOf(port, index, slot));
  const observed = port.observedAt(index);
  if (observed.length === 0) return;
  slot.readers = withReactions(slot.readers, port.triggeredAt(index));
  slot.observers = withReactions(slot.observers, observed);
  // Only reactions to a whole multiport need the list of channels that are present.
  if (port instanceof MultiPort && port.observed.length > 0) {
    const link = new Link(port, index, slot.links);
    slot.links = link;
    if (slot.present) port.markPresent(link);
  }
};
