// Changes while a program runs: reactors and connections are made and deleted by reactions.
//
// A mutation comes before all reactions of what its reactor contains, so whatever it changes is changed before anything
// of that runs at the tag: it may do everything. An ordinary reaction may come after some of them. It may make reactors,
// connect what it made (and its own effects), and delete a contained reactor, which then ends at the next microstep.

import { UserError } from '#model';
import { assemble, attachChannel, bindOutlet, resolve } from './assemble.js';
import { Connection, applyConnection } from './connect.js';
import { assignLevels, eachSlot } from './graph.js';
import { shutDown, start } from './life.js';
import { Channel, MultiPort } from './multiport.js';
import { describe } from './node.js';
import { Outlet, isActive } from './outlet.js';
import { withoutReactions } from './slot.js';

/** @import { ReactorNode } from './node.js' */
/** @import { Mode } from './mode.js' */
/** @import { ConnectOptions } from './connect.js' */
/** @import { AnyPort } from './port.js' */
/** @import { Reaction } from './reaction.js' */
/** @import { Region } from './region.js' */
/** @import { Slot } from './slot.js' */
/** @import { Transient } from './transient.js' */

/**
 * The reaction that runs in a reactor, for what only a reaction may do.
 *
 * @param {ReactorNode} node
 * @param {string} what
 */
const insistRunning = (node, what) => {
  const region = /** @type {Region} */ (node.region);
  const { running } = region;
  if (running === null || running.node !== node) {
    throw new UserError(
      `${node.path}: ${what} while it runs, but not by a reaction of its own; a reaction or mutation of it may`,
    );
  }
  return running;
};

/**
 * A reactor is being made in one that runs. It is assembled when its constructor has returned: at the next change, or
 * when the reaction returns.
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
 * Assemble and start what was made.
 *
 * @param {Region} region
 */
export const giveBirth = region => {
  const { birth } = region;
  if (birth === null) return;
  const nodes = birth.unborn;
  birth.unborn = [];
  for (const node of nodes) {
    assemble(node, region);
    // In a mode that is not active it starts when that is entered.
    if (isActive(node.enclosing)) start(node, true);
    if (region.scheduler.isLastTag()) endSubtree(node);
    birth.newborn.push(node);
  }
};

/**
 * The reaction has returned: what it made is now like everything else.
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
 * @param {ConnectOptions} options
 */
export const connectRunning = (node, mode, from, to, options) => {
  const running = insistRunning(node, 'a connection was made in it');
  const region = /** @type {Region} */ (node.region);
  giveBirth(region);
  const connection = new Connection(node, mode, from, to, options);
  const known = node.outlets.length;
  /** @type {[AnyPort, number][]} */
  const targets = [];
  applyConnection(connection, (port, index) => void targets.push([port, index]));
  for (const [port] of targets) {
    const isNew = port.node !== node && region.birth?.newborn.includes(port.node);
    if (
      running.isMutation
        ? port.node !== node || running.writes.has(port)
        : isNew || running.writes.has(port)
    ) {
      continue;
    }
    for (const [done, index] of targets) done.setFrom(index, null, 0);
    node.outlets.length = known;
    const remedy =
      port.node === node ? 'add it to the effects of the reaction' : 'make it a mutation';
    throw new UserError(
      `${running.path} connects to ${port.path}, whose readers may have run at this tag already; ${remedy}`,
    );
  }
  /** @type {Set<Reaction>} */
  const changed = new Set();
  const outlets = node.outlets.slice(known);
  for (const [port, index] of targets) rewire(port, index, changed);
  for (const outlet of outlets) {
    bindOutlet(outlet);
    const source = /** @type {AnyPort} */ (outlet.source).slotAt(outlet.sourceIndex);
    if (source?.present) outlet.passOn(source.value);
    for (const reaction of outlet.target?.observers ?? []) changed.add(reaction);
  }
  assignLevels(changed, region);
};

/**
 * @param {ReactorNode} node
 * @param {any} from  a port or channel
 * @param {any} to  a port or channel; without it, all that `from` is connected to
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
  let count = 0;
  for (const [port, index] of destinationsIn(node)) {
    const origin = originOf(port, index);
    if (origin.port !== source.port) continue;
    if (source.index >= 0 && origin.index !== source.index) continue;
    if (
      target !== undefined &&
      (target.port !== port || (target.index >= 0 && target.index !== index))
    )
      continue;
    cut(node, port, index, changed);
    count += 1;
  }
  if (count === 0) {
    throw new UserError(
      `${node.path}: ${describe(from)} is not connected${to === undefined ? '' : ` to ${describe(to)}`} here`,
    );
  }
  assignLevels(changed, region);
};

/**
 * Delete a contained reactor. Its reactions to shutdown run at this tag, if a mutation deletes it, else at the next
 * microstep; when that tag ends it is taken out, with all that it contains, its connections and its events.
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
  if (victim === undefined || victim.parent !== node || victim.isRemoved) {
    throw new UserError(
      `${running.path} deletes ${describe(victim ?? reactor)}, which is not directly in ${node.path}; ` +
        'a reactor is deleted by the one that contains it',
    );
  }
  const { scheduler } = region;
  if (running.isMutation) {
    scheduler.leaving.push(victim);
    endSubtree(victim);
  } else if (!scheduler.doomed.includes(victim)) {
    scheduler.doomed.push(victim);
    scheduler.wantMicrostep();
  }
};

/** @param {ReactorNode} node  its reactions to shutdown become ready */
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
 * The tag of their deletion has ended.
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
    }
    for (const mode of parent.modes) {
      mode.suspended = mode.suspended.filter(({ event }) => !inside.has(event.slot?.owner.node));
    }
    if (hasEvents) region.scheduler.takeEvents(slot => inside.has(slot.owner.node));
    parent.children.splice(parent.children.indexOf(victim), 1);
    for (const transient of parent.transients)
      if (transient.adopted === victim) transient.adopted = null;
    // A reaction of the container that still names a port of it reads nothing from now on.
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
  transient.node.children.push(node);
  /** @type {Reaction[]} */
  const changed = [];
  for (const inner of node.subtree()) {
    inner.region = region;
    for (const slot of slotsOf(inner)) slot.region = region;
    for (const reaction of inner.reactions) changed.push(reaction);
  }
  results.forEach((slot, i) => {
    const outlet = new Outlet(transient.node, null, { delayNs: -1, isPhysical: false });
    outlet.source = slot.owner;
    outlet.destination = transient.ports[i];
    transient.node.outlets.push(outlet);
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
  ...[node, ...node.modes].flatMap(({ builtIns }) => builtIns.all().map(({ slot }) => slot)),
];

/**
 * A destination has another source than before, or none: it and all that is connected from it share another slot.
 *
 * @param {AnyPort} port
 * @param {number} index
 * @param {Set<Reaction>} changed  reactions whose predecessors are others now
 */
const rewire = (port, index, changed) => {
  const region = /** @type {Region} */ (port.node.region);
  const old = /** @type {Slot} */ (port.slotAt(index));
  const ends = [...downstream(port, index)];
  for (const [end, i] of ends) {
    detach(end, i, old);
    end.setSlot(i, null);
  }
  if (old.present) forgetPresent(ends, region);
  for (const [end, i] of ends) {
    const slot = resolve(end, i, region);
    const { readers } = slot;
    attachChannel(end, i);
    // Connections of its own that are more than a shared slot go along.
    if (end.node.region === region)
      for (const outlet of outletsFrom(end, i)) move(outlet, old, slot);
    for (const reaction of end.observed) changed.add(reaction);
    if (!slot.present || slot.readers === readers) continue;
    if (end instanceof MultiPort && slot.links !== null) end.markPresent(slot.links);
    for (const reaction of end.triggered) {
      if (!reaction.queued && reaction.active) region.ready.push(reaction);
    }
  }
};

/**
 * What was present at these ends is not any more: what it alone triggered does not run.
 *
 * @param {[AnyPort, number][]} ends  without a slot at present
 * @param {Region} region
 */
const forgetPresent = (ends, region) => {
  /** @type {Set<Reaction>} */
  const idle = new Set();
  for (const [end] of ends) {
    for (const reaction of end.triggered) {
      if (reaction.queued && !isTriggered(reaction)) idle.add(reaction);
    }
    if (!(end instanceof MultiPort)) continue;
    end.clearPresent();
    for (const slot of end.slots) {
      if (slot === null || !slot.present) continue;
      for (let { links: link } = slot; link !== null; link = link.next) {
        if (link.port === end && end.slots[link.index] === slot) end.markPresent(link);
      }
    }
  }
  if (idle.size === 0) return;
  for (const reaction of region.ready.drain()) if (!idle.has(reaction)) region.ready.push(reaction);
};

/** @param {Reaction} reaction */
const isTriggered = reaction => {
  let found = reaction.events.some(({ slot }) => slot.present);
  eachSlot(reaction.triggers, slot => {
    found ||= slot.present;
  });
  return found;
};

/**
 * @param {AnyPort} port
 * @param {number} index
 */
const outletsFrom = (port, index) => {
  const holders = port.isInput ? [port.node] : port.node.parent === null ? [] : [port.node.parent];
  return holders.flatMap(({ outlets }) =>
    outlets.filter(({ source, sourceIndex }) => source === port && sourceIndex === index),
  );
};

/**
 * @param {Outlet} outlet
 * @param {Slot} from
 * @param {Slot} to
 */
const move = (outlet, from, to) => {
  if (from === to) return;
  if (from.outlets !== null) {
    const rest = from.outlets.filter(other => other !== outlet);
    from.outlets = rest.length === 0 ? null : rest;
  }
  if (!to.outlets?.includes(outlet)) to.outlets = [...(to.outlets ?? []), outlet];
};

/**
 * @param {AnyPort} port
 * @param {number} index
 * @param {Slot} slot
 */
const detach = (port, index, slot) => {
  slot.readers = withoutReactions(slot.readers, port.triggered);
  slot.observers = withoutReactions(slot.observers, port.observed);
  /** @type {typeof slot.links} */
  let kept = null;
  for (let { links: link } = slot; link !== null;) {
    const { next } = link;
    if (link.port !== port || link.index !== index) {
      link.next = kept;
      kept = link;
    }
    link = next;
  }
  slot.links = kept;
};

/**
 * A channel and all that are connected from it at zero delay.
 *
 * @param {AnyPort} port
 * @param {number} index
 * @returns {Generator<[AnyPort, number]>}
 */
function* downstream(port, index) {
  yield [port, index];
  const { node } = port;
  // An input leads on inside its reactor, an output outside it.
  const container = port.isInput ? node : node.parent;
  if (container === null) return;
  for (const [end, i] of destinationsIn(container)) {
    if (end.fromAt(i) === port && end.fromIndexAt(i) === index) yield* downstream(end, i);
  }
}

/**
 * What a reactor's connections can lead to: its own outputs and the inputs of what is directly in it.
 *
 * @param {ReactorNode} node
 * @returns {Generator<[AnyPort, number]>}
 */
function* destinationsIn(node) {
  for (const inner of [node, ...node.children]) {
    for (const port of inner.ports) {
      if (port.isInput === (inner === node)) continue;
      for (let i = 0; i < port.width; i += 1) if (port.fromAt(i) !== null) yield [port, i];
    }
  }
}

/**
 * @param {AnyPort} port
 * @param {number} index  connected
 */
const originOf = (port, index) => {
  const from = port.fromAt(index);
  if (from instanceof Outlet) {
    return { port: /** @type {AnyPort} */ (from.source), index: from.sourceIndex };
  }
  return { port: /** @type {AnyPort} */ (from), index: port.fromIndexAt(index) };
};

/**
 * @param {ReactorNode} node  the container
 * @param {AnyPort} port
 * @param {number} index
 * @param {Set<Reaction>} changed
 */
const cut = (node, port, index, changed) => {
  const from = port.fromAt(index);
  port.setFrom(index, null, 0);
  if (from instanceof Outlet) {
    const slot = /** @type {AnyPort} */ (from.source).slotAt(from.sourceIndex);
    if (slot !== null && slot.outlets !== null) {
      const rest = slot.outlets.filter(outlet => outlet !== from);
      slot.outlets = rest.length === 0 ? null : rest;
    }
    node.outlets.splice(node.outlets.indexOf(from), 1);
    const target = /** @type {Slot} */ (from.target);
    target.inlets = null;
    if (!from.isImmediate) {
      // What is under way is lost with the connection.
      target.region.scheduler.takeEvents(other => other === target);
      target.owner = port;
    }
    for (const reaction of target.observers) changed.add(reaction);
    return;
  }
  rewire(port, index, changed);
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
