// Finds the track and the name of a reaction. A vat must not be able to detect a trace, so only data properties of its
// reactors are read, and no proxy among their fields.

import { types } from 'node:util';
import { findData } from '#model';

/** @import { Reaction } from '#reactor' */

/**
 * A reaction as plain data, for an observer of a vat's reactions. @typedef {{ track: string, name: string, level:
 * number, stage: number }} ReactionView
 */

const { isProxy } = types;

/** Bound on nested lists: a list may hold itself. */
const deepest = 8;

/** Items of a list that are searched: its length may be four billion. */
const longest = 100_000;

/** @param {unknown} reactor */
const classNameOf = reactor => {
  const name = findData(findData(reactor, 'constructor', isProxy), 'name', isProxy);
  return typeof name === 'string' && name !== '' ? name : undefined;
};

/**
 * The items of a value to search: those of an array, or the members of a bank.
 *
 * @param {unknown} value
 * @returns {unknown[] | undefined}
 */
const listOf = value => {
  if (typeof value !== 'object' || value === null || isProxy(value)) return undefined;
  const list = Array.isArray(value) ? value : findData(value, 'members', isProxy);
  return Array.isArray(list) && !isProxy(list) ? list : undefined;
};

/**
 * @param {unknown} value  of a field
 * @param {object} sought
 * @param {number} depth
 * @returns {string | undefined}  the indexes of the sought object, as `[0][1]`; undefined if it is not found
 */
const findIn = (value, sought, depth) => {
  if (value === sought) return '';
  const list = depth < deepest ? listOf(value) : undefined;
  if (list === undefined) return undefined;
  for (let i = 0; i < list.length && i < longest; i += 1) {
    const item = Object.getOwnPropertyDescriptor(list, i)?.value;
    const found = findIn(item, sought, depth + 1);
    if (found !== undefined) return `[${i}]${found}`;
  }
  return undefined;
};

/**
 * The name of the field that holds an object, with indexes.
 *
 * @param {unknown} holder  a reactor
 * @param {object} sought
 * @returns {string | undefined}
 */
const findField = (holder, sought) => {
  if (typeof holder !== 'object' || holder === null || isProxy(holder)) return undefined;
  for (const name of Object.keys(holder)) {
    const found = findIn(Object.getOwnPropertyDescriptor(holder, name)?.value, sought, 0);
    if (found !== undefined) return `${name}${found}`;
  }
  return undefined;
};

/** Reads a field of an object of a vat, without a getter or a trap. @param {unknown} object @param {string} key @returns {any} */
const read = (object, key) => findData(object, key, isProxy) ?? null;

/** Reactors around each other, at most: a vat may have made a circle of them. */
const mostAround = 1_000;

/**
 * @param {unknown} node
 * @returns {string}
 */
const pathOf = node => {
  /** @type {string[]} */
  const names = [];
  let inner = node;
  for (let depth = 0; depth < mostAround; depth += 1) {
    const reactor = read(inner, 'reactor');
    const parent = read(inner, 'parent');
    if (parent === null) {
      if (names.length === 0) names.push(classNameOf(reactor) ?? 'main');
      break;
    }
    names.push(findField(read(parent, 'reactor'), reactor) ?? classNameOf(reactor) ?? 'reactor');
    inner = parent;
  }
  return names.reverse().join('.');
};

/** @param {Reaction} reaction */
const nameOfReaction = reaction => {
  const node = read(reaction, 'node');
  const isMutation = read(reaction, 'isMutation');
  const field = findField(read(node, 'reactor'), reaction);
  if (field !== undefined) return field;
  let at = 0;
  const reactions = listOf(read(node, 'reactions')) ?? [];
  for (let i = 0; i < reactions.length && i < longest; i += 1) {
    const each = Object.getOwnPropertyDescriptor(reactions, i)?.value;
    if (each === reaction) break;
    if (read(each, 'isMutation') === isMutation) at += 1;
  }
  return `${isMutation === true ? 'm' : 'r'}${at}`;
};

/**
 * Make the function that names reactions in a trace. Finding a name takes longer than a reaction, so names are cached.
 *
 * @returns a function that names the track and the slice of a reaction
 */
export const makeReactionNames = () => {
  /** @type {WeakMap<Reaction, { track: string, name: string }>} */
  const names = new WeakMap();
  return (/** @type {Reaction} */ reaction) => {
    const known = names.get(reaction);
    if (known !== undefined) return known;
    const node = read(reaction, 'node');
    // A transient child is reused under other parents.
    const track =
      read(read(node, 'region'), 'transient') === null
        ? pathOf(node)
        : `transient ${classNameOf(read(node, 'reactor')) ?? 'reactor'}`;
    const made = { track, name: nameOfReaction(reaction) };
    names.set(reaction, made);
    return made;
  };
};

/** @param {Reaction} reaction @param {string} key */
const numberOf = (reaction, key) => {
  const number = read(reaction, key);
  return typeof number === 'number' ? number : 0;
};

/**
 * Make the function that turns a reaction into plain data, for observers that must keep no object of a vat.
 *
 * @returns {(reaction: Reaction) => ReactionView}
 */
export const makeReactionViews = () => {
  const nameOf = makeReactionNames();
  return reaction => ({
    ...nameOf(reaction),
    level: numberOf(reaction, 'depth'),
    stage: numberOf(reaction, 'stage'),
  });
};
