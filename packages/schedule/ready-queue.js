// Reactions that are ready at a tag, in the order of levels. Each level is a list, first in, first out; the levels that
// are not empty are in a pairing heap. Lists and heap are linked through their members, so nothing is allocated. The
// cost depends on the number of levels in use, not on the number of all levels. A level that `remove` made empty stays in
// the heap until it is the first.

/** A stage after all others: a small integer, which compares faster than Infinity. */
export const lastStage = 0x3fff_ffff;

/**
 * A level in the order: the earlier stage first, then the earlier deadline, then the lower index.
 *
 * @template M
 */
export class Level {
  /**
   * @param {number} stage  number of crossings between vats before it
   * @param {number} deadlineNs  the earliest deadline of all reactions that depend on it; Infinity if there is none
   * @param {number} index  length of the longest path to it, in reactions
   */
  constructor(stage, deadlineNs, index) {
    this.stage = stage;
    this.deadlineNs = deadlineNs;
    this.index = index;
    /** @type {M | null} null while it has no members */
    this.head = null;
    /** @type {M | null} the last member that was pushed; null while it is in no heap */
    this.tail = null;
    /** @type {Level<M> | null} */
    this.child = null;
    /** @type {Level<M> | null} */
    this.sibling = null;
  }
}

/**
 * @param {Level<any>} left
 * @param {Level<any>} right
 */
const isBefore = (left, right) =>
  left.stage !== right.stage
    ? left.stage < right.stage
    : left.deadlineNs !== right.deadlineNs
      ? left.deadlineNs < right.deadlineNs
      : left.index < right.index;

/**
 * @template M
 * @param {Level<M>} left
 * @param {Level<M>} right
 */
const meld = (left, right) => {
  if (isBefore(right, left)) {
    left.sibling = right.child;
    right.child = left;
    return right;
  }
  right.sibling = left.child;
  left.child = right;
  return left;
};

/**
 * @typedef {object} Ready  the fields of a member that the queue reads and writes
 * @property {Level<any>} level
 * @property {boolean} queued  whether it is in the queue, so that nothing is queued twice
 * @property {any} next
 * @property {any} previous  the one before it, if it is not the first of its level
 */

/** @template {Ready} M */
export class ReadyQueue {
  constructor() {
    /** @type {Level<M> | null} */
    this.first = null;
  }

  /** @param {M} member  not queued */
  push(member) {
    member.queued = true;
    const level = member.level;
    const { tail } = level;
    level.tail = member;
    if (level.head !== null) {
      member.previous = tail;
      /** @type {M} */ (tail).next = member;
      return;
    }
    level.head = member;
    if (tail !== null) return;
    level.sibling = null;
    this.first = this.first === null ? level : meld(this.first, level);
  }

  /** @param {M} member  queued, and of the level at which it was pushed; it is not taken any more */
  remove(member) {
    const { level, next } = member;
    member.queued = false;
    member.next = null;
    if (level.head === member) {
      level.head = next;
      if (next === null && level === this.first) this.#removeFirst(level);
      return;
    }
    const { previous } = member;
    previous.next = next;
    if (next === null) level.tail = previous;
    else next.previous = previous;
  }

  /**
   * Removes and returns the first member of the lowest level.
   *
   * @param {number} stage  members of later stages are not taken
   * @returns {M | null}
   */
  take(stage = lastStage) {
    const level = this.first;
    if (level === null || level.stage > stage) return null;
    const member = /** @type {M} */ (level.head);
    const { next } = member;
    level.head = next;
    // The level is removed before its last member runs, which usually pushes the next level: the heap is empty then.
    if (next === null) this.#removeFirst(level);
    else member.next = null;
    member.queued = false;
    return member;
  }

  /** Whether there may be more than one member, so that their order matters. */
  hasSeveral() {
    const { first } = this;
    return first !== null && (first.child !== null || /** @type {M} */ (first.head).next !== null);
  }

  /** The earliest stage with a member, or Infinity. */
  nextStage() {
    return this.first === null ? Infinity : this.first.stage;
  }

  /** All members in order; the queue is empty afterwards. */
  drain() {
    /** @type {M[]} */
    const members = [];
    for (let member = this.take(); member !== null; member = this.take()) members.push(member);
    return members;
  }

  /** @param {Level<M>} gone  the first level, which is empty; empty ones behind it go, too */
  #removeFirst(gone) {
    /** @type {Level<M> | null} */
    let first = gone;
    while (first !== null && first.head === null) {
      /** @type {Level<M> | null} */
      const child = first.child;
      first.tail = null;
      first.child = null;
      first = child === null || child.sibling === null ? child : pairAll(child);
    }
    this.first = first;
  }
}

/**
 * Melds siblings in pairs from the left, then all pairs into one from the right.
 *
 * @template M
 * @param {Level<M>} sibling  the first sibling
 */
const pairAll = sibling => {
  /** @type {Level<M> | null} */
  let left = sibling;
  /** @type {Level<M> | null} pairs, the last one first */
  let pairs = null;
  while (left !== null) {
    /** @type {Level<M> | null} */
    const right = left.sibling;
    if (right === null) {
      left.sibling = pairs;
      pairs = left;
      break;
    }
    /** @type {Level<M> | null} */
    const next = right.sibling;
    const pair = meld(left, right);
    pair.sibling = pairs;
    pairs = pair;
    left = next;
  }
  let root = /** @type {Level<M>} */ (pairs);
  pairs = root.sibling;
  root.sibling = null;
  while (pairs !== null) {
    /** @type {Level<M> | null} */
    const next = pairs.sibling;
    pairs.sibling = null;
    root = meld(root, pairs);
    pairs = next;
  }
  return root;
};
