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

/** @param {object} reactor */
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
 * @param {object} holder  a reactor
 * @param {object} sought
 * @returns {string | undefined}
 */
const findField = (holder, sought) => {
  for (const name of Object.keys(holder)) {
    const found = findIn(Object.getOwnPropertyDescriptor(holder, name)?.value, sought, 0);
    if (found !== undefined) return `${name}${found}`;
  }
  return undefined;
};

/**
 * @param {Reaction['node']} node
 * @returns {string}
 */
const pathOf = ({ reactor, parent }) => {
  if (parent === null) return classNameOf(reactor) ?? 'main';
  const name = findField(parent.reactor, reactor) ?? classNameOf(reactor) ?? 'reactor';
  return parent.parent === null ? name : `${pathOf(parent)}.${name}`;
};

/** @param {Reaction} reaction */
const nameOfReaction = reaction => {
  const { node, isMutation } = reaction;
  const field = findField(node.reactor, reaction);
  if (field !== undefined) return field;
  const alike = node.reactions.filter(each => each.isMutation === isMutation);
  const at = alike.indexOf(reaction);
  return `${isMutation ? 'm' : 'r'}${at < 0 ? alike.length : at}`;
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
    const { node } = reaction;
    const { transient } = /** @type {any} */ (node.region);
    // A transient child is reused under other parents.
    const track = transient ? `transient ${classNameOf(node.reactor) ?? 'reactor'}` : pathOf(node);
    const made = { track, name: nameOfReaction(reaction) };
    names.set(reaction, made);
    return made;
  };
};

/**
 * Make the function that turns a reaction into plain data, for observers that must keep no object of a vat.
 *
 * @returns {(reaction: Reaction) => ReactionView}
 */
export const makeReactionViews = () => {
  const nameOf = makeReactionNames();
  return reaction => ({ ...nameOf(reaction), level: reaction.depth, stage: reaction.stage });
};
