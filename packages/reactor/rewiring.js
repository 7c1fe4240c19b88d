// Changes connections while a program runs: a destination, and all channels connected from it, move to another slot, and
// reactions that a change at this tag makes obsolete do not run.

import { attachChannel, resolve, rewirersOf } from './assemble.js';
import { downstream, outletsFrom } from './downstream.js';
import { eachSlot } from './graph.js';
import { MultiPort } from './multiport.js';
import { Outlet } from './outlet.js';
import { withoutReactions } from './slot.js';

/** @import { ReactorNode } from './node.js' */
/** @import { AnyPort } from './port.js' */
/** @import { Reaction } from './reaction.js' */
/** @import { Region } from './region.js' */
/** @import { Slot } from './slot.js' */

/**
 * Moves a destination with a changed source, and all channels connected from it, to another slot.
 *
 * @param {AnyPort} port
 * @param {number} index
 * @param {Set<Reaction>} changed  gets reactions whose predecessors have changed
 */
export const rewire = (port, index, changed) => {
  const region = /** @type {Region} */ (port.node.region);
  const old = /** @type {Slot} */ (port.slotAt(index));
  const ends = [...downstream(port, index)];
  detach(ends, old);
  if (old.present) forgetPresent(ends, region);
  for (const [end, i] of ends) {
    const slot = resolve(end, i, region);
    const readers = slot.readers.length;
    attachChannel(end, i);
    // The channel's own outlets move along.
    if (end.node.region === region) {
      for (const outlet of outletsFrom(end, i)) {
        move(outlet, old, slot);
        if (slot.present) outlet.passOn(slot.value);
      }
    }
    for (const reaction of end.observedAt(i)) changed.add(reaction);
    if (!slot.present || slot.readers.length === readers) continue;
    if (end instanceof MultiPort && slot.links !== null) end.markPresent(slot.links);
    for (const reaction of end.triggeredAt(i)) {
      if (!reaction.queued && reaction.active) region.ready.push(reaction);
    }
  }
};

/**
 * Makes these ports absent again: reactions that only they triggered do not run.
 *
 * @param {[AnyPort, number][]} ends  now without a slot
 * @param {Region} region
 */
const forgetPresent = (ends, region) => {
  /** @type {Set<Reaction>} */
  const idle = new Set();
  for (const [end, i] of ends) {
    for (const reaction of end.triggeredAt(i)) {
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
 * Removes channels from the slot that they share, and their reactions from its readers.
 *
 * @param {[AnyPort, number][]} ends
 * @param {Slot} slot
 */
const detach = (ends, slot) => {
  slot.readers = withoutReactions(
    slot.readers,
    reactionsOf(ends, (port, index) => port.triggeredAt(index)),
  );
  slot.observers = withoutReactions(
    slot.observers,
    reactionsOf(ends, (port, index) => port.observedAt(index)),
  );
  slot.rewirers = withoutReactions(
    slot.rewirers,
    reactionsOf(ends, (port, index) => rewirersOf(port, index, slot)),
  );
  for (const [port, index] of ends) {
    port.setSlot(index, null);
    if (slot.links !== null) unlink(port, index, slot);
  }
};

/**
 * @param {[AnyPort, number][]} ends
 * @param {(port: AnyPort, index: number) => readonly Reaction[]} listOf
 */
const reactionsOf = (ends, listOf) =>
  ends.length === 1 ? listOf(...ends[0]) : ends.flatMap(end => listOf(...end));

/**
 * @param {AnyPort} port
 * @param {number} index
 * @param {Slot} slot
 */
const unlink = (port, index, slot) => {
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
 * @param {AnyPort} port
 * @param {number} index  connected
 */
export const originOf = (port, index) => {
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
export const cut = (node, port, index, changed) => {
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
    if (from.slot !== null) {
      // Pending values are lost with the connection, also those that wait with an inactive mode.
      target.region.scheduler.severed.add(from.slot);
      const { enclosing, slot: own } = from;
      if (enclosing !== null && enclosing.suspended.length > 0)
        enclosing.suspended = enclosing.suspended.filter(({ event }) => event.slot !== own);
      target.owner = port;
    }
    for (const reaction of target.observers) changed.add(reaction);
    return;
  }
  rewire(port, index, changed);
};
