// The shape of a kind's state: a record of patterns, one for each property. A durable kind keeps its shape in the
// store, and may only add optional properties when it is defined again, since objects exist already.

import { Fail, q } from '@endo/errors';
import { passStyleOf } from '../marshal/index.js';

/** @import { CapData } from '#model' */
/** @import { VirtualLibraries } from './libraries.js' */

const { entries, hasOwn } = Object;
const { ownKeys } = Reflect;

/**
 * @param {any} stateShape
 * @param {VirtualLibraries} libraries
 */
export const insistStateShape = (stateShape, { patterns }) => {
  /** @type {typeof patterns.assertPattern} */
  const assertPattern = patterns.assertPattern;
  harden(stateShape);
  stateShape === undefined ||
    passStyleOf(stateShape) === 'copyRecord' ||
    Fail`A stateShape must be a copyRecord: ${q(stateShape)}`;
  assertPattern(stateShape);
};

/**
 * @param {any} stateShape
 * @param {VirtualLibraries} libraries
 * @returns {((value: unknown, name: string) => void) | undefined} undefined without a shape
 */
export const makeStateCheck = (stateShape, { patterns }) => {
  if (stateShape === undefined) return undefined;
  /** @type {typeof patterns.mustMatch} */
  const mustMatch = patterns.mustMatch;
  return (value, name) => {
    hasOwn(stateShape, name) ||
      Fail`State must only have fields described by stateShape: ${q(ownKeys(stateShape))}`;
    mustMatch(/** @type {any} */ (value), stateShape[name]);
  };
};

/**
 * @param {CapData} old
 * @param {CapData} now
 * @param {object} parts
 * @param {any} parts.shape  the new shape, decoded from `now`
 * @param {(value: unknown) => CapData} parts.serialize
 * @param {(data: CapData) => any} parts.unserialize
 * @param {VirtualLibraries} parts.libraries
 */
export const insistCompatibleShape = (old, now, { shape, serialize, unserialize, libraries }) => {
  const { kindOf } = libraries.patterns;
  const isUndefined = (/** @type {any} */ pattern) =>
    pattern === undefined ||
    (kindOf(pattern) === 'match:kind' && pattern.payload === 'undefined') ||
    kindOf(pattern) === 'match:undefined';
  if (old.body !== now.body) {
    const oldShape = unserialize(old);
    if (!oldShape) throw Fail`durable Kind stateShape mismatch (no old shape)`;
    passStyleOf(oldShape) === 'copyRecord' ||
      Fail`durable Kind stateShape mismatch (invalid old shape)`;
    for (const [name, pattern] of entries(oldShape))
      (shape !== undefined &&
        hasOwn(shape, name) &&
        serialize(shape[name]).body === serialize(pattern).body) ||
        Fail`durable Kind stateShape mismatch (body ${name})`;
    for (const [name, pattern] of entries(shape)) {
      if (hasOwn(oldShape, name)) continue;
      kindOf(pattern) === 'match:or' ||
        Fail`durable Kind stateShape mismatch (body new field ${name})`;
      pattern.payload.some(isUndefined) || Fail`durable Kind stateShape mismatch (body ${name})`;
    }
  }
  old.slots.length === now.slots.length || Fail`durable Kind stateShape mismatch (slots.length)`;
  for (const [i, vref] of old.slots.entries())
    now.slots[i] === vref || Fail`durable Kind stateShape mismatch (slot[${i}])`;
};
