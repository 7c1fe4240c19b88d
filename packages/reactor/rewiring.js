// Changes connections while a program runs: a destination, and all channels connected from it, move to another slot, and
// reactions that a change at this tag makes obsolete do not run.

import { attachChannel, resolve, rewirersOf } from './assemble.js';
import { downstream, outletsFrom } from './downstream.js';
import { visitReadersOf } from './graph.js';
import { MultiPort } from './multiport.js';
import { isActive, Outlet } from './outlet.js';
import { withoutReactions } from './slot.js';

/** @import { ReactorNode } from './node.js' */
/** @import { AnyPort } from './port.js' */
/** @import { Reaction } from './reaction.js' */
/** @import { Region } from './region.js' */
/** @import { Slot } from './slot.js' */

/**
 * A connection to a channel.
 *
 * @typedef {object} Wire
 * @property {AnyPort} port  the destination
 * @property {number} index
 * @property {AnyPort} source
 * @property {number} sourceIndex
 * @property {Outlet | null} outlet  null: destination and source share a slot
 */

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
        if (outlet.isImmediate && outlet.target !== null)
          visitReadersOf(outlet.target, reaction => void changed.add(reaction));
        if (slot.present) outlet.passOn(slot.value);
        else if (old.present) retract(outlet);
      }
    }
    for (const reaction of end.observedAt(i)) changed.add(reaction);
    if (!slot.present || slot.readers.length === readers) continue;
    for (const reaction of end.triggeredAt(i)) {
      if (!reaction.queued && reaction.active) region.ready.push(reaction);
    }
  }
};

/**
 * Makes these ports absent again: reactions that only they triggered do not run.
 *
 * @param {[AnyPort, number][]} ends  now without a slot, or with an absent one
 * @param {Region} region
 */
const forgetPresent = (ends, region) => {
  for (const [end, i] of ends) {
    for (const reaction of end.triggeredAt(i)) {
      if (reaction.queued && !isTriggered(reaction)) region.ready.remove(reaction);
    }
  }
};

/**
 * Takes a value back that a connection of a mode has passed on at this tag, and what others behind it made of it.
 *
 * @param {Outlet} outlet  whose source was present
 */
const retract = outlet => {
  const { target } = outlet;
  if (!outlet.isImmediate || !target?.present || !isActive(outlet.mode)) return;
  const { region } = target;
  region.forget(target);
  const destination = /** @type {AnyPort} */ (outlet.destination);
  forgetPresent([...downstream(destination, outlet.index)], region);
  for (const next of target.outlets ?? []) retract(next);
};

/** @param {Reaction} reaction */
const isTriggered = ({ events, triggers }) => {
  for (const { slot } of events) if (slot.present) return true;
  for (const [port, indexes] of triggers) {
    // A multiport that is read as a whole knows its present channels.
    if (
      indexes === null && port instanceof MultiPort
        ? port.presentFirst !== null
        : hasPresent(port, indexes)
    )
      return true;
  }
  return false;
};

/** @param {any} port @param {Set<number> | null} indexes  null: all channels */
const hasPresent = (port, indexes) => {
  for (const index of indexes ?? [0]) if (port.slotAt(index)?.present) return true;
  return false;
};

/**
 * @param {Outlet} outlet
 * @param {Slot} from
 * @param {Slot} to
 */
const move = (outlet, from, to) => {
  if (from === to) return;
  from.outlets = without(from.outlets, outlet);
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
    } else if (slot.present) {
      link.port.markAbsent(link);
    }
    link = next;
  }
  slot.links = kept;
};

/**
 * The connections of a reactor to a channel: one, or one in each of some modes.
 *
 * @param {AnyPort} port
 * @param {number} index  connected
 * @returns {Wire[]}
 */
export const wiresTo = (port, index) => {
  const from = port.fromAt(index);
  if (!(from instanceof Outlet)) {
    const source = /** @type {AnyPort} */ (from);
    return [{ port, index, source, sourceIndex: port.fromIndexAt(index), outlet: null }];
  }
  return from.rivals.map(outlet => ({
    port,
    index,
    source: /** @type {AnyPort} */ (outlet.source),
    sourceIndex: outlet.sourceIndex,
    outlet,
  }));
};

/**
 * @param {ReactorNode} node  the container
 * @param {Wire} wire
 * @param {Set<Reaction>} changed  gets reactions whose predecessors have changed
 */
export const cut = (node, { port, index, outlet }, changed) => {
  if (outlet === null) {
    port.setFrom(index, null, 0);
    rewire(port, index, changed);
    return;
  }
  const source = /** @type {AnyPort} */ (outlet.source).slotAt(outlet.sourceIndex);
  if (source?.present) retract(outlet);
  node.outlets.delete(outlet);
  outlet.leave();
  if (port.fromAt(index) === outlet) port.setFrom(index, outlet.rivals.at(-1) ?? null, 0);
  if (source !== null) source.outlets = without(source.outlets, outlet);
  const target = /** @type {Slot} */ (outlet.target);
  target.inlets = without(target.inlets, outlet);
  const { enclosing, slot } = outlet;
  if (slot !== null) {
    // Pending values are lost with the connection, also those that wait with an inactive mode.
    target.region.scheduler.severed.add(slot);
    if (enclosing !== null && enclosing.suspended.length > 0)
      enclosing.suspended = enclosing.suspended.filter(({ event }) => event.slot !== slot);
    if (target.owner === outlet) target.owner = port;
  }
  visitReadersOf(target, reaction => void changed.add(reaction));
};

/** @param {Outlet[] | null} outlets @param {Outlet} outlet */
const without = (outlets, outlet) => {
  const rest = outlets?.filter(other => other !== outlet) ?? [];
  return rest.length === 0 ? null : rest;
};
