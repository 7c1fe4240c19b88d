// Removes deleted reactors with their connections, their events and their place in the program.

import { noteCut } from './late-levels.js';
import { destinationsAt, destinationsFrom, forgetConnection, inOrder } from './downstream.js';
import { cut, wiresTo } from './rewiring.js';

/** @import { ReactorNode } from './node.js' */
/** @import { AnyPort } from './port.js' */
/** @import { Reaction } from './reaction.js' */
/** @import { Region } from './region.js' */
/** @import { Scheduler } from './scheduler.js' */

/**
 * Removes reactors when the tag of their deletion has ended: those of one container together, so that it is looked
 * through once.
 *
 * @param {Iterable<ReactorNode>} nodes
 */
export const removeNodes = nodes => {
  /** @type {Map<ReactorNode, ReactorNode[]>} */
  const byParent = new Map();
  for (const victim of nodes) {
    const { parent } = victim;
    if (parent === null) continue;
    const siblings = byParent.get(parent);
    if (siblings === undefined) byParent.set(parent, [victim]);
    else siblings.push(victim);
  }
  // Some may have been removed meanwhile with what contained them.
  for (const [parent, siblings] of byParent)
    removeFrom(
      parent,
      siblings.filter(({ isRemoved }) => !isRemoved),
    );
};

/**
 * @param {ReactorNode} parent
 * @param {ReactorNode[]} victims  directly in it
 */
const removeFrom = (parent, victims) => {
  if (victims.length === 0) return;
  const region = /** @type {Region} */ (victims[0].region);
  const { scheduler } = region;
  const gone = new Set(victims);
  const inside = new Set(victims.flatMap(victim => victim.subtree()));
  /** @type {Set<Reaction>} */
  const changed = new Set();
  for (const [port, index] of destinationsOf(victims, parent)) {
    for (const wire of wiresTo(port, index)) {
      if (!gone.has(port.node) && !gone.has(wire.source.node)) continue;
      cut(parent, wire, changed);
      if (gone.has(port.node)) forgetConnection(parent, wire.source, wire.sourceIndex, port);
    }
  }
  let hasEvents = false;
  for (const node of inside) {
    node.isRemoved = true;
    if (node.triggers.length + node.outlets.size > 0) hasEvents = true;
    for (const reaction of node.reactions) {
      reaction.active = false;
      changed.delete(reaction);
      region.unsettled?.delete(reaction);
    }
    // Include reactors that were made or adopted in it at this tag.
    for (const { builtIns } of [node, ...node.modes])
      if (builtIns.shutdown !== null) scheduler.endings.delete(builtIns.shutdown);
  }
  for (const mode of parent.modes) {
    mode.suspended = mode.suspended.filter(({ event }) => !inside.has(event.slot?.owner.node));
  }
  if (hasEvents || scheduler.severed.size > 0) forgetEvents(scheduler, inside);
  if (victims.length === 1) parent.children.splice(parent.children.indexOf(victims[0]), 1);
  else parent.children = parent.children.filter(child => !gone.has(child));
  for (const { ports } of victims) for (const port of ports) parent.targets?.delete(port);
  for (const transient of parent.transients)
    if (transient.adopted !== null && gone.has(transient.adopted)) transient.adopted = null;
  // Reactions of the container that still name a port of it read nothing from now on.
  for (const reaction of parent.reactions) {
    for (const ports of [reaction.reads, reaction.triggers, reaction.writes]) {
      for (const port of ports.keys()) {
        if (gone.has(port.node) && ports.delete(port)) changed.add(reaction);
      }
    }
  }
  for (const port of victims.flatMap(({ ports }) => ports)) clearSlots(port, inside, parent);
  noteCut(changed, region);
};

/**
 * The connected inputs of removed reactors, and what is connected from their outputs, in the order of `destinationsIn`.
 *
 * @param {ReactorNode[]} victims
 * @param {ReactorNode} parent
 */
const destinationsOf = (victims, parent) => {
  /** @type {[AnyPort, number][]} */
  const found = [];
  for (const { ports } of victims) {
    for (const port of ports) {
      const ends = port.isInput ? destinationsAt(port, parent) : destinationsFrom(port, -1, parent);
      for (const end of ends) found.push(end);
    }
  }
  return inOrder(found, parent);
};

/**
 * Drops the pending events of reactors, and those of connections that were cut at this tag.
 *
 * @param {Scheduler} scheduler
 * @param {Iterable<ReactorNode>} nodes
 */
export const forgetEvents = (scheduler, nodes) => {
  const slots = scheduler.severed;
  for (const node of nodes) for (const slot of node.eventSlots()) slots.add(slot);
  for (const event of scheduler.takeEvents(slots)) scheduler.forget(event);
  slots.clear();
};

/**
 * Takes the reactions of removed reactors, and of their container, out of a removed port's slots.
 *
 * @param {AnyPort} port
 * @param {ReadonlySet<ReactorNode>} inside  the removed reactors
 * @param {ReactorNode} parent
 */
const clearSlots = (port, inside, parent) => {
  for (let i = 0; i < port.width; i += 1) {
    const slot = port.slotAt(i);
    if (slot === null) continue;
    slot.readers = slot.readers.filter(({ node }) => !inside.has(node) && node !== parent);
    slot.observers = slot.observers.filter(({ node }) => !inside.has(node) && node !== parent);
  }
};
