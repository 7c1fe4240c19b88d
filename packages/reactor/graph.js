// The precedence graph of reactions, which is walked, not built: from a reaction's effects to their readers, along the
// order of reactions within a reactor, and from a reactor's mutations to all that the reactor contains.

import { updateLevels } from '#schedule';
import { UserError } from '#model';
import { BuiltIn } from './built-in.js';
import { downstream, outletsFrom } from './downstream.js';
import { Outlet } from './outlet.js';
import { noReactions } from './slot.js';

/** @import { Reaction } from './reaction.js' */
/** @import { ReactorNode } from './node.js' */
/** @import { Slot } from './slot.js' */
/** @import { Region } from './region.js' */

/** @typedef {(reaction: Reaction) => void} Visit */

/**
 * Every slot that a reaction reads or writes.
 *
 * @param {Map<any, Set<number> | null>} ports
 * @param {(slot: Slot) => void} visit
 */
const eachSlot = (ports, visit) => eachChannel(ports, (port, index) => visit(port.slotAt(index)));

/**
 * Every channel with a slot that a reaction reads or writes.
 *
 * @param {Map<any, Set<number> | null>} ports
 * @param {(port: any, index: number) => void} visit
 */
const eachChannel = (ports, visit) => {
  for (const [port, indexes] of ports) {
    if (port.slotAt === undefined) continue;
    if (indexes !== null) {
      for (const index of indexes) if (port.slotAt(index) !== null) visit(port, index);
    } else {
      for (let i = 0; i < port.width; i += 1) if (port.slotAt(i) !== null) visit(port, i);
    }
  }
};

/**
 * Visits the reactions that read a slot, or one that connections of modes lead to from it.
 *
 * @param {Slot} slot
 * @param {Visit} visit
 */
export const visitReadersOf = (slot, visit) => {
  for (const reaction of slot.observers) visit(reaction);
  if (slot.outlets === null) return;
  for (const { isImmediate, target } of slot.outlets) {
    if (isImmediate && target !== null) visitReadersOf(target, visit);
  }
};

/**
 * Visits the reactions that write the source of a channel, or the sources of its modes' connections; and the mutations
 * that may reconnect what lies between.
 *
 * @param {any} port
 * @param {number} index
 * @param {Visit} visit
 */
export const visitWriters = (port, index, visit) => {
  const slot = port.slotAt(index);
  if (slot === null) return;
  if (slot.rewirers.length > 0) {
    let end = port;
    let at = index;
    for (let from = end.fromAt(at); isPlain(from); from = end.fromAt(at)) {
      visitOwnWriters(end, at, visit);
      at = end.fromIndexAt(at);
      end = from;
    }
  }
  const { owner } = slot;
  visitOwnWriters(owner instanceof Outlet ? owner.destination : owner, slot.index, visit);
  if (slot.inlets === null) return;
  for (const { source, sourceIndex } of slot.inlets) visitWriters(source, sourceIndex, visit);
};

/** @param {any} from  whether a channel shares the slot of what it is connected from */
const isPlain = from => from !== null && !(from instanceof Outlet);

/**
 * @param {any} port
 * @param {number} index
 * @param {Visit} visit
 */
const visitOwnWriters = (port, index, visit) => {
  for (const reaction of port.writers) {
    const indexes = reaction.writes.get(port);
    if (indexes === null || indexes?.has(index)) visit(reaction);
  }
};

/**
 * Visits the reactions that follow one by a channel among its effects. A channel that a mutation may reconnect has its
 * own slot, or shares that of another; then these are the readers of the channel, not all readers of the slot.
 *
 * @param {any} port
 * @param {number} index
 * @param {Visit} visit
 */
const visitReaders = (port, index, visit) => {
  if (!isPlain(port.fromAt(index))) {
    visitReadersOf(port.slotAt(index), visit);
    return;
  }
  for (const [end, at] of downstream(port, index)) {
    for (const reaction of end.observedAt(at)) visit(reaction);
    for (const { isImmediate, target } of outletsFrom(end, at))
      if (isImmediate && target !== null) visitReadersOf(target, visit);
  }
};

/**
 * The last mutations of a reactor: one, or one of each mode. All that the reactor contains comes after them.
 *
 * @param {ReactorNode} node
 */
const lastMutations = node =>
  node.reactions.length === 0 || !node.reactions[0].isMutation
    ? noReactions
    : node.reactions.filter(isLastMutation);

/** @param {Reaction} reaction */
const isLastMutation = ({ isMutation, before }) =>
  isMutation && !before.some(later => later.isMutation);

/** Visits the reactions that follow one. @type {(reaction: Reaction, visit: Visit) => void} */
export const successors = (reaction, visit) => {
  for (const later of reaction.before) visit(later);
  eachChannel(reaction.writes, (port, index) => visitReaders(port, index, visit));
  const { node } = reaction;
  if (!isLastMutation(reaction)) return;
  for (const inner of node.subtree()) {
    if (inner === node || inner.region !== node.region) continue;
    for (const head of inner.reactions) if (head.after.length === 0) visit(head);
  }
};

/** Visits the reactions before one. @type {(reaction: Reaction, visit: Visit) => void} */
export const predecessors = (reaction, visit) => {
  for (const earlier of reaction.after) visit(earlier);
  eachChannel(reaction.reads, (port, index) => visitWriters(port, index, visit));
  if (reaction.after.length > 0) return;
  for (let { parent } = reaction.node; parent !== null; parent = parent.parent) {
    if (parent.region !== reaction.node.region) break;
    for (const mutation of lastMutations(parent)) visit(mutation);
  }
};

/**
 * Walks back from a reaction: to the reactions before it, and to the slots that connect them.
 *
 * @param {Reaction} reaction
 * @param {Visit} visit
 * @param {(slot: Slot) => void} visitSlot
 */
export const predecessorsOf = (reaction, visit, visitSlot) => {
  predecessors(reaction, visit);
  eachSlot(reaction.reads, slot => visitSources(slot, visitSlot));
};

/**
 * Visits a slot, and the sources of modes' connections to it.
 *
 * @param {Slot} slot
 * @param {(slot: Slot) => void} visit
 */
export const visitSources = (slot, visit) => {
  visit(slot);
  for (const { source, sourceIndex } of slot.inlets ?? []) {
    const from = source?.slotAt(sourceIndex);
    if (from) visitSources(from, visit);
  }
};

/**
 * Sets the order of reactions within a reactor: each follows the ones before it, but reactions of different modes are
 * independent, since no two of them run at one tag. Reactions to shutdown are an exception: at the last tag they run in
 * inactive modes, too, so they have a place among all others.
 *
 * @param {ReactorNode} node
 */
export const orderReactions = node => {
  /** @type {Reaction | undefined} */
  let common;
  /** @type {Map<any, Reaction>} */
  const ofMode = new Map();
  for (const reaction of node.reactions) {
    /** @type {Reaction[]} */
    const after = [];
    if (reaction.mode === null || reaction.events.some(isShutdown)) {
      after.push(...ofMode.values());
      if (after.length === 0 && common !== undefined) after.push(common);
      ofMode.clear();
      common = reaction;
    } else {
      const before = ofMode.get(reaction.mode) ?? common;
      if (before !== undefined) after.push(before);
      ofMode.set(reaction.mode, reaction);
    }
    reaction.after = after;
    for (const earlier of after) earlier.before.push(reaction);
  }
};

/** @param {object} event */
const isShutdown = event => event instanceof BuiltIn && event.kind === 'shutdown';

/**
 * Assigns levels to these reactions, to those that earlier changes noted, and to all that depend on them.
 *
 * @param {Iterable<Reaction>} changed
 * @param {Region} region
 * @throws {UserError} for a cycle, with the ports and reactions on it
 */
export const assignLevels = (changed, region) => {
  const moved = new Set([...changed, ...(region.unsettled ?? [])]);
  region.unsettled = null;
  place(moved, region);
};

/**
 * Assigns levels to reactions of new reactors, on which nothing else depends yet.
 *
 * @param {Reaction[]} added
 * @param {Region} region
 * @throws {UserError} for a cycle among them
 */
export const assignAddedLevels = (added, region) => {
  place(new Set(added), region);
  // Reactions on which they depend may get other levels yet.
  if (region.unsettled !== null) for (const reaction of added) region.unsettled.add(reaction);
};

/**
 * @param {Set<Reaction>} moved
 * @param {Region} region
 */
const place = (moved, region) => {
  // Levels in and behind a cycle are not right, and whoever caught its error may have taken it apart.
  if (region.tangled !== null) addProgram(region.tangled, moved);
  const cycle = updateLevels(moved, {
    successors,
    predecessors,
    levelOf: reaction => reaction.depth,
    setLevel: (reaction, depth) => {
      reaction.depth = depth;
      moved.add(reaction);
    },
  });
  region.tangled = cycle?.[0].node ?? null;
  if (cycle !== undefined) throw cycleError(cycle);
  inheritDeadlines(moved, region);
  provideLevels(moved, region);
  region.scheduler.onLevels(region);
};

/**
 * Recomputes the inherited deadlines of the whole program, after a deadline has changed.
 *
 * @param {ReactorNode} node  any reactor of the program
 */
export const changeDeadlines = node => {
  /** @type {Set<Reaction>} */
  const reactions = new Set();
  addProgram(node, reactions);
  for (const reaction of reactions) reaction.inheritedNs = reaction.deadlineNs;
  const region = /** @type {Region} */ (node.region);
  inheritDeadlines(reactions, region);
  provideLevels(reactions, region);
};

/**
 * Adds all reactions of a program.
 *
 * @param {ReactorNode} node  any reactor of it
 * @param {Set<Reaction>} reactions
 */
const addProgram = (node, reactions) => {
  let root = node;
  while (root.parent !== null) root = root.parent;
  for (const inner of root.subtree())
    for (const reaction of inner.reactions) reactions.add(reaction);
};

/**
 * Moves reactions to their present levels, and reorders those that wait to run.
 *
 * @param {Set<Reaction>} reactions
 * @param {Region} region
 */
const provideLevels = (reactions, region) => {
  let isQueued = false;
  for (const reaction of reactions) {
    const level = region.level(reaction.stage, reaction.inheritedNs, reaction.depth);
    if (level === reaction.level) continue;
    if (reaction.queued) isQueued = true;
    reaction.level = level;
  }
  if (!isQueued) return;
  const { ready } = region;
  for (const reaction of ready.drain()) ready.push(reaction);
};

/**
 * Gives reactions the earliest deadline of those that depend on them, so that the earliest deadline runs first.
 *
 * @param {Set<Reaction>} reactions  grows by those that inherit
 * @param {Region} region
 */
const inheritDeadlines = (reactions, region) => {
  const urgent = [...reactions].filter(({ inheritedNs }) => inheritedNs !== Infinity);
  if (urgent.length === 0 && !region.scheduler.hasDeadlines) return;
  region.scheduler.hasDeadlines = true;
  // A new reaction before one with a deadline inherits it too.
  for (const reaction of reactions) {
    successors(reaction, ({ inheritedNs }) => {
      if (inheritedNs < reaction.inheritedNs) {
        reaction.inheritedNs = inheritedNs;
        urgent.push(reaction);
      }
    });
  }
  // The latest deadline first, so that the earliest is taken from the end: then each reaction inherits once.
  urgent.sort((a, b) => b.inheritedNs - a.inheritedNs);
  for (let reaction = urgent.pop(); reaction !== undefined; reaction = urgent.pop()) {
    const { inheritedNs } = reaction;
    predecessors(reaction, before => {
      if (before.inheritedNs <= inheritedNs) return;
      before.inheritedNs = inheritedNs;
      reactions.add(before);
      urgent.push(before);
    });
  }
};

/** @param {Reaction[]} cycle */
const cycleError = cycle => {
  // The path begins at the first name in order, so that the text does not depend on the search.
  const paths = cycle.map(({ path }) => path);
  const first = paths.indexOf([...paths].sort()[0]);
  const turned = [...cycle.slice(first), ...cycle.slice(0, first)];
  /** @type {string[]} */
  const steps = [];
  turned.forEach((reaction, i) => {
    steps.push(reaction.path);
    steps.push(...portsBetween(reaction, turned[(i + 1) % turned.length]));
  });
  steps.push(turned[0].path);
  return new UserError(
    `zero-delay cycle: ${steps.join(' → ')}; break it with an action or an "after" delay`,
  );
};

/**
 * The ports between a reaction and one that depends on it; none within one reactor.
 *
 * @param {Reaction} from
 * @param {Reaction} to
 */
const portsBetween = (from, to) => {
  if (from.before.includes(to)) return [];
  /** @type {string[] | undefined} */
  let found;
  for (const [port, indexes] of to.reads) {
    for (let i = 0; i < port.width && found === undefined; i += 1) {
      if (indexes !== null && !indexes.has(i)) continue;
      const way = wayBack(port, i, from);
      if (way !== undefined) found = way.filter((path, at) => path !== way[at - 1]);
    }
  }
  return found ?? [];
};

/**
 * @param {any} port
 * @param {number} index
 * @param {Reaction} writer
 * @returns {string[] | undefined}
 */
const wayBack = (port, index, writer) => {
  const path = port.channelPath(index);
  if (port.writers.includes(writer)) return [path];
  const slot = port.slotAt(index);
  for (const { source, sourceIndex } of slot?.inlets ?? []) {
    const way = wayBack(source, sourceIndex, writer);
    if (way !== undefined) return [...way, path];
  }
  const from = port.fromAt(index);
  if (from === null || from instanceof Outlet) return undefined;
  const way = wayBack(from, port.fromIndexAt(index), writer);
  return way && [...way, path];
};
