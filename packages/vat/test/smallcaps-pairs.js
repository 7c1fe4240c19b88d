// Our smallcaps and that of @endo/marshal.

import { makeSmallcapsMarshal, passStyleOf } from '../marshal/index.js';

export const { makeMarshal } = await import('@endo/marshal');

export const runs = { numRuns: 3000 };

/** A table of slots as a vat has it, with a promise as `p+N` and anything else as `o+N`. */
export const makeTable = () => {
  /** @type {Map<unknown, string>} */
  const slots = new Map();
  /** @type {Map<string, unknown>} */
  const values = new Map();
  /** @type {[string, string | undefined][]} */
  const asked = [];
  const slotOf = (/** @type {unknown} */ value) => {
    let slot = slots.get(value);
    if (slot === undefined) {
      slot = `${value instanceof Promise ? 'p' : 'o'}+${slots.size}`;
      slots.set(value, slot);
      values.set(slot, value);
    }
    return slot;
  };
  const valOf = (/** @type {string} */ slot, /** @type {string | undefined} */ iface) => {
    asked.push([slot, iface]);
    if (!values.has(slot)) throw Error(`no slot ${slot}`);
    return values.get(slot);
  };
  return { slotOf, valOf, asked };
};

export const makePair = (options = {}) => {
  /** @type {[string, string | undefined][]} */
  const logged = [];
  const ourTable = makeTable();
  const theirTable = makeTable();
  const ours = makeSmallcapsMarshal(ourTable.slotOf, ourTable.valOf, {
    onError: (error, errorId) => logged.push([error.message, errorId]),
    ...options,
  });
  const theirs = makeMarshal(theirTable.slotOf, theirTable.valOf, {
    serializeBodyFormat: 'smallcaps',
    marshalName: 'liveSlots:v1',
    errorIdNum: 70_000,
    marshalSaveError: () => {},
    ...options,
  });
  return { ours, theirs, ourTable, theirTable, logged };
};

/**
 * Asserts that a receiver cannot tell two values apart: kinds, prototypes, names in order, numbers by `Object.is`, references by
 * identity.
 *
 * @param {import('ava').ExecutionContext} t
 * @param {any} left
 * @param {any} right
 */
export const assertSame = (t, left, right) => {
  if (Object.is(left, right)) return;
  const style = passStyleOf(left);
  t.is(style, passStyleOf(right));
  t.true(Object.isFrozen(left));
  t.is(Object.getPrototypeOf(left), Object.getPrototypeOf(right));
  switch (style) {
    case 'copyArray':
      t.is(left.length, right.length);
      left.forEach((/** @type {unknown} */ value, /** @type {number} */ i) =>
        assertSame(t, value, right[i]),
      );
      break;
    case 'copyRecord':
      t.deepEqual(Reflect.ownKeys(left), Reflect.ownKeys(right));
      for (const name of Object.keys(left)) assertSame(t, left[name], right[name]);
      break;
    case 'tagged':
      t.is(left[Symbol.toStringTag], right[Symbol.toStringTag]);
      assertSame(t, left.payload, right.payload);
      break;
    case 'error':
      t.is(left.name, right.name);
      t.is(left.message, right.message);
      t.is(left.cause === undefined, right.cause === undefined);
      if (left.cause) assertSame(t, left.cause, right.cause);
      break;
    default:
      t.fail(`two different values of style ${style}`);
  }
};
