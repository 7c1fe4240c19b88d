// Adoption: a transient child that does not end at its tag becomes a reactor of its creator.

import { bindOutlet } from './assemble.js';
import { assignLevels } from './graph.js';
import { Outlet } from './outlet.js';

/** @import { ReactorNode } from './node.js' */
/** @import { Reaction } from './reaction.js' */
/** @import { Region } from './region.js' */
/** @import { Slot } from './slot.js' */
/** @import { Transient } from './transient.js' */

/**
 * A transient child that did not end at its tag becomes a reactor of its creator, connected to the result ports.
 *
 * @param {ReactorNode} node
 * @param {Transient} transient
 * @param {Slot[]} results
 * @returns {ReactorNode}
 */
export const adopt = (node, transient, results) => {
  const { region } = transient;
  const old = /** @type {Region} */ (node.region);
  region.pending += old.pending;
  old.pending = 0;
  old.transient = null;
  node.parent = transient.node;
  node.mode = transient.mode;
  transient.node.addChild(node);
  transient.node.targets = null;
  /** @type {Reaction[]} */
  const changed = [];
  for (const inner of node.subtree()) {
    inner.region = region;
    inner.depth = /** @type {ReactorNode} */ (inner.parent).depth + 1;
    for (const slot of slotsOf(inner)) slot.region = region;
    for (const outlet of inner.outlets) outlet.enclosing = outlet.mode ?? inner.enclosing;
    for (const reaction of inner.reactions) changed.push(reaction);
    for (const trigger of inner.triggers)
      if ('enclosing' in trigger) trigger.enclosing = trigger.mode ?? inner.enclosing;
  }
  results.forEach((slot, i) => {
    const outlet = new Outlet(transient.node, null, { delayNs: -1, isPhysical: false });
    // The child's own connection with a delay owns the slot of the port to which it leads.
    const { owner, index } = slot;
    outlet.source = owner instanceof Outlet ? owner.destination : owner;
    outlet.sourceIndex = index;
    outlet.destination = transient.ports[i];
    transient.node.outlets.add(outlet);
    transient.ports[i].setFrom(0, outlet, 0);
    bindOutlet(outlet);
    changed.push(...transient.ports[i].observed);
  });
  assignLevels(changed, region);
  return node;
};

/**
 * @param {ReactorNode} node
 * @returns {Slot[]}
 */
const slotsOf = node => [
  ...node.ports.flatMap(port =>
    Array.from({ length: port.width }, (_, i) => /** @type {Slot} */ (port.slotAt(i))),
  ),
  ...node.triggers.map(({ slot }) => slot),
  ...[...node.outlets].flatMap(({ slot }) => slot ?? []),
  ...[node, ...node.modes].flatMap(({ builtIns }) => builtIns.all().map(({ slot }) => slot)),
];
