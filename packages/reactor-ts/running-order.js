// The order of reactions of a running program. A change that fits into the order is put there and costs what it touches;
// any other is left to a new order of all reactions (`App._orderedReactions`), which gives the same result, but reads the
// whole program.
//
// A new reaction comes directly after the last reaction that it depends on, before all that were there. New reactions
// without an order between them are in the order in which they were added: each has a priority lower than all before it
// has its place.

import { Level } from '#schedule';
import { downstreamOf, listDependencies, upstreamOf } from './dependencies.js';
import { placeIn } from './precedence-graph.js';
import { Mutation, Reaction } from './reaction.js';

/** @import { IOPort } from './port.js' */

/** @typedef {Reaction<any>} AnyReaction */

/**
 * The next reactions from a port or a reaction, by way of ports.
 *
 * @param {any} start
 * @param {(node: any) => Iterable<any>} step
 */
const nextReactions = (start, step) => {
  /** @type {Set<AnyReaction>} */
  const found = new Set();
  const passed = new Set([start]);
  for (const node of passed)
    for (const next of step(node)) (next instanceof Reaction ? found : passed).add(next);
  return found;
};

/**
 * The last of some reactions.
 *
 * @param {Iterable<AnyReaction>} reactions
 * @returns {AnyReaction | undefined}
 */
const lastOf = reactions => {
  /** @type {AnyReaction | undefined} */
  let last;
  for (const each of reactions) if (last === undefined || last.hasPriorityOver(each)) last = each;
  return last;
};

/** @param {AnyReaction} reaction @param {number} priority  between those of the reactions around it */
const setPlace = (reaction, priority) => {
  reaction.setPriority(priority);
  // A level may be in the heap of ready ones, whose order stays.
  if (reaction.level === null) reaction.level = new Level(0, Infinity, priority);
  else reaction.level.index = priority;
};

export class RunningOrder {
  /** Reactions that were added since the last order. @type {Set<AnyReaction>} */
  #added = new Set();

  /** The provisional priority of the last one, below those of all others. */
  #lastPriority = Number.MIN_SAFE_INTEGER;

  /** Ports that were connected since then. @type {[source: IOPort<any>, destination: IOPort<any>][]} */
  #connected = [];

  /** Whether a change can only be told by the whole program. */
  #isBroken = false;

  /** Whether each reaction knows its neighbours in the order. */
  #isLinked = false;

  /** All reactions of the last whole order. @type {AnyReaction[]} */
  #all = [];

  /** Whether there are dependencies that only the whole program tells. */
  #isOpaque = false;

  /** @param {AnyReaction} reaction  added while the program runs */
  add(reaction) {
    this.#added.add(reaction);
    this.#lastPriority += 1;
    reaction.setPriority(this.#lastPriority);
    const isAroundReactors =
      reaction instanceof Mutation && reaction._reactor._getOwnReactors().length > 0;
    if (isAroundReactors || listDependencies(reaction).length > 0) this.#isBroken = true;
  }

  /** @param {IOPort<any>} source @param {IOPort<any>} destination */
  connect(source, destination) {
    this.#connected.push([source, destination]);
  }

  /** @param {AnyReaction} reaction  of a deleted reactor */
  remove(reaction) {
    this.#added.delete(reaction);
    const { earlier, later } = reaction;
    if (earlier !== null) earlier.later = later;
    if (later !== null) later.earlier = earlier;
    reaction.earlier = null;
    reaction.later = null;
  }

  /**
   * After a whole order.
   *
   * @param {AnyReaction[]} all
   * @param {boolean} isOpaque  whether there are dependencies by lists, calls or circles of ports
   */
  reset(all, isOpaque) {
    this.#all = all;
    this.#isOpaque = isOpaque;
    this.#isLinked = false;
    this.#isBroken = false;
    this.#forgetChanges();
  }

  /**
   * Put the changes since the last order into it.
   *
   * @returns {boolean} false if they do not fit, or if it takes the whole program to tell; then nothing was done
   */
  takeChanges() {
    if (this.#isBroken || this.#isOpaque) return false;
    if (!this.#connected.every(([source, destination]) => this.#fits(source, destination)))
      return false;
    if (this.#added.size > 0) {
      const runs = this.#plan();
      if (runs === undefined) return false;
      for (const [before, reactions] of runs) this.#insert(before, reactions);
    }
    this.#forgetChanges();
    return true;
  }

  /**
   * The highest priority of a reaction that may lead to a port; -Infinity if none does.
   *
   * @param {IOPort<any>} port
   * @returns {number} Infinity if changes are not in the order yet
   */
  horizonOf(port) {
    const isSettled = !this.#isBroken && this.#added.size === 0 && this.#connected.length === 0;
    if (!isSettled) return Infinity;
    return lastOf(nextReactions(port, upstreamOf))?.getPriority() ?? -Infinity;
  }

  #forgetChanges() {
    this.#added.clear();
    this.#connected = [];
  }

  /**
   * Whether the reactions that write a port run before those that read another one. New reactions have no place yet.
   *
   * @param {IOPort<any>} source
   * @param {IOPort<any>} destination
   */
  #fits(source, destination) {
    const isOld = (/** @type {AnyReaction} */ each) => !this.#added.has(each);
    const last = lastOf([...nextReactions(source, upstreamOf)].filter(isOld));
    return (
      last === undefined ||
      [...nextReactions(destination, downstreamOf)].every(
        each => !isOld(each) || last.hasPriorityOver(each),
      )
    );
  }

  /**
   * The places of new reactions: so many, in order, directly after an old one.
   *
   * @returns {[before: AnyReaction, reactions: AnyReaction[]][] | undefined} undefined if they do not fit
   */
  #plan() {
    const added = this.#added;
    /** @type {Map<AnyReaction, number>} dependencies that have no place yet */
    const missing = new Map();
    /** @type {Map<AnyReaction, AnyReaction[]>} by the last old reaction before them */
    const starts = new Map();
    for (const reaction of added) {
      linkToContainer(reaction);
      const before = [...nextReactions(reaction, upstreamOf)];
      const old = lastOf(before.filter(each => !added.has(each)));
      missing.set(reaction, before.filter(each => added.has(each)).length + (old ? 1 : 0));
      if (old === undefined) continue;
      const others = starts.get(old);
      if (others === undefined) starts.set(old, [reaction]);
      else others.push(reaction);
    }
    const inOrder = [...starts].sort(([a], [b]) => a.getPriority() - b.getPriority());
    let count = 0;
    for (const [before, run] of inOrder) {
      /** New reactions whose dependencies are all before them, the next one last. @type {AnyReaction[]} */
      const free = [];
      /** @param {AnyReaction} reaction */
      const release = reaction => {
        const left = /** @type {number} */ (missing.get(reaction)) - 1;
        missing.set(reaction, left);
        if (left === 0) free.splice(placeIn(free, reaction), 0, reaction);
      };
      run.splice(0).forEach(release);
      for (let next = free.pop(); next !== undefined; next = free.pop()) {
        run.push(next);
        for (const after of nextReactions(next, downstreamOf))
          if (added.has(after)) release(after);
          else if (!before.hasPriorityOver(after)) return undefined;
      }
      count += run.length;
    }
    return count === added.size ? inOrder : undefined;
  }

  /** @param {AnyReaction} before @param {AnyReaction[]} reactions */
  #insert(before, reactions) {
    if (!this.#isLinked) this.#link();
    let earlier = before;
    for (const reaction of reactions) {
      const { later } = earlier;
      reaction.earlier = earlier;
      reaction.later = later;
      earlier.later = reaction;
      if (later !== null) later.earlier = reaction;
      const from = earlier.getPriority();
      const priority = later === null ? from + 1 : (from + later.getPriority()) / 2;
      if (priority > from && (later === null || priority < later.getPriority()))
        setPlace(reaction, priority);
      else renumber(reaction);
      earlier = reaction;
    }
  }

  #link() {
    this.#all.sort((a, b) => a.getPriority() - b.getPriority());
    /** @type {AnyReaction | null} */
    let earlier = null;
    for (const reaction of this.#all) {
      // A deleted one is not in the order.
      if (!reaction.active) continue;
      reaction.earlier = earlier;
      reaction.later = null;
      if (earlier !== null) earlier.later = reaction;
      earlier = reaction;
    }
    this.#all = [];
    this.#isLinked = true;
  }
}

/**
 * The first reaction of a reactor depends on the last mutation of the reactor around it.
 *
 * @param {AnyReaction} reaction
 */
const linkToContainer = reaction => {
  const { _reactor: owner } = reaction;
  const before = owner._getContainer()._getLastMutation();
  const isFirst = owner._getFirstReactionOrMutation() === reaction;
  if (isFirst && before !== undefined && owner._getContainer() !== owner)
    owner._graph.addEdge(before, reaction);
};

/** Numbers all reactions of the order anew. @param {AnyReaction} reaction  of it */
const renumber = reaction => {
  let first = reaction;
  while (first.earlier !== null) first = first.earlier;
  let priority = 0;
  for (
    let each = /** @type {AnyReaction | null} */ (first);
    each !== null;
    each = each.later, priority += 1
  )
    setPlace(each, priority);
};
