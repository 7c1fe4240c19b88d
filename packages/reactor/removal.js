// Removes deleted reactors with their connections, their events and their place in the program.

import { assignLevels } from './graph.js';
import { destinationsIn } from './downstream.js';
import { cut, originOf } from './rewiring.js';

/** @import { ReactorNode } from './node.js' */
/** @import { Reaction } from './reaction.js' */
/** @import { Region } from './region.js' */

/**
 * Removes reactors when the tag of their deletion has ended.
 *
 * @param {ReactorNode[]} nodes
 */
export const removeNodes = nodes => {
  for (const victim of nodes) {
    if (victim.isRemoved || victim.parent === null) continue;
    const { parent } = victim;
    const region = /** @type {Region} */ (victim.region);
    const inside = new Set(victim.subtree());
    /** @type {Set<Reaction>} */
    const changed = new Set();
    for (const [port, index] of destinationsIn(parent)) {
      const from = port.fromAt(index);
      if (from === null) continue;
      if (port.node === victim || originOf(port, index).port.node === victim)
        cut(parent, port, index, changed);
    }
    let hasEvents = false;
    for (const node of inside) {
      node.isRemoved = true;
      if (node.triggers.length + node.outlets.length > 0) hasEvents = true;
      for (const reaction of node.reactions) {
        reaction.active = false;
        changed.delete(reaction);
      }
      // Include reactors that were made or adopted in it at this tag.
      for (const { builtIns } of [node, ...node.modes])
        if (builtIns.shutdown !== null) region.scheduler.endings.delete(builtIns.shutdown);
    }
    for (const mode of parent.modes) {
      mode.suspended = mode.suspended.filter(({ event }) => !inside.has(event.slot?.owner.node));
    }
    const { scheduler } = region;
    if (hasEvents) {
      for (const event of scheduler.takeEvents(slot => inside.has(slot.owner.node)))
        scheduler.forget(event);
    }
    parent.children.splice(parent.children.indexOf(victim), 1);
    for (const transient of parent.transients)
      if (transient.adopted === victim) transient.adopted = null;
    // Reactions of the container that still name a port of it read nothing from now on.
    for (const reaction of parent.reactions) {
      for (const ports of [reaction.reads, reaction.triggers, reaction.writes]) {
        for (const port of ports.keys()) {
          if (port.node === victim && ports.delete(port)) changed.add(reaction);
        }
      }
    }
    for (const { slot } of victim.ports.flatMap(port =>
      Array.from({ length: port.width }, (_, i) => ({ slot: port.slotAt(i) })),
    )) {
      if (slot === null) continue;
      slot.readers = slot.readers.filter(({ node }) => !inside.has(node) && node !== parent);
      slot.observers = slot.observers.filter(({ node }) => !inside.has(node) && node !== parent);
    }
    assignLevels(changed, region);
  }
};
