// How a body is read that was read before. Vats say the same over and over, and only the slots are other ones: all
// messages and results of a round of Exchange have 40 bodies. A plan is what reading such a body comes to: the value, with
// places for references in it. To follow it takes half the time of `JSON.parse` alone. Each time it makes new objects:
// nobody can tell by identity what was read before.

import { decodeConstant, readNamed, readReference } from './decode.js';
import { startsSpecial } from './text.js';

/** @import { Reading } from './decode.js' */

const { freeze, keys, prototype: objectPrototype } = Object;
const { isArray } = Array;

const constant = 0;
const reference = 1;
const list = 2;
const record = 3;

/** One class for all kinds, so that whoever follows a plan meets one. */
class Plan {
  /** The slot of a reference. */
  index = -1;

  /** The interface of a reference's object. @type {string | undefined} */
  iface = undefined;

  /** Whether a reference is an object's; otherwise it is a promise's. */
  isObjects = false;

  /** The names of a record's properties. @type {readonly string[]} */
  names = [];

  /** The parts of a record or a list. @type {readonly Plan[]} */
  parts = [];

  /**
   * @param {number} kind
   * @param {unknown} value  of a constant, which is primitive
   */
  constructor(kind, value) {
    this.kind = kind;
    this.value = value;
  }
}

/** @param {string} text  begins with `$` or `&` */
const planReference = text => {
  const plan = new Plan(reference, undefined);
  const { index, iface } = readNamed(text);
  plan.index = index;
  plan.iface = iface;
  plan.isObjects = text[0] === '$';
  return plan;
};

/** @param {string} text */
const planText = text => {
  if (!startsSpecial(text)) return new Plan(constant, text);
  if (text[0] === '$' || text[0] === '&') return planReference(text);
  return new Plan(constant, decodeConstant(text));
};

/**
 * @param {number} kind
 * @param {readonly string[]} names
 * @param {readonly unknown[]} trees
 */
const planParts = (kind, names, trees) => {
  const plan = new Plan(kind, undefined);
  plan.names = names;
  /** @type {Plan[]} */
  const parts = [];
  for (const tree of trees) {
    const part = makePlan(tree);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  plan.parts = parts;
  return plan;
};

/** Whether a property of this name is like all others when it is assigned. @param {string} name */
const isPlainName = name => !startsSpecial(name) && name !== 'then' && !(name in objectPrototype);

/**
 * @param {any} tree  as `JSON.parse` makes it, of a body that can be read
 * @returns {Plan | undefined} undefined for what is seldom said: errors, tagged data, escaped names
 */
export const makePlan = tree => {
  if (typeof tree === 'string') return planText(tree);
  if (typeof tree !== 'object' || tree === null) return new Plan(constant, tree);
  if (isArray(tree)) return planParts(list, [], tree);
  const names = keys(tree);
  if (!names.every(isPlainName)) return undefined;
  return planParts(
    record,
    names,
    names.map(name => tree[name]),
  );
};

/**
 * @param {Plan} plan
 * @param {Reading} reading
 * @returns {unknown} hardened
 */
export const followPlan = (plan, reading) => {
  switch (plan.kind) {
    case constant:
      return plan.value;
    case reference:
      return readReference(plan.index, plan.iface, plan.isObjects, reading);
    case list:
      return freeze(followList(plan, reading));
    default: {
      /** @type {Record<string, unknown>} */
      const made = {};
      const { names, parts } = plan;
      for (let i = 0; i < names.length; i += 1) made[names[i]] = followPlan(parts[i], reading);
      return freeze(made);
    }
  }
};

/**
 * @param {Plan} plan  of a list
 * @param {Reading} reading
 */
const followList = ({ parts }, reading) => {
  /** @type {unknown[]} */
  const made = [];
  for (let i = 0; i < parts.length; i += 1) made.push(followPlan(parts[i], reading));
  return made;
};

/**
 * The method and the arguments of a message.
 *
 * @param {Plan} plan  of a body that was read as a message before
 * @param {Reading} reading
 * @returns {{ method: unknown, args: unknown[] }} the list of arguments is fresh and not frozen
 */
export const followMessagePlan = ({ parts: [method, args] }, reading) => ({
  method: followPlan(method, reading),
  args: followList(args, reading),
});
