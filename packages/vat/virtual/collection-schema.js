// The schema of a collection: its label and the patterns of its keys and values. It never changes, and is in the store
// under `|schemata`.

import { getTag, passStyleOf } from '../marshal/index.js';
import { findMark } from '../marshal/references.js';
import { CrankCache } from './crank-cache.js';

/** @import { CapData } from '#model' */
/** @import { VirtualParts } from './virtual-data.js' */

/**
 * @typedef {object} Schema
 * @property {string} label
 * @property {any} keyShape
 * @property {any} valueShape  undefined: values may be anything
 * @property {CapData} data
 * @property {(key: unknown) => boolean} isPlainKey  whether a key certainly matches, without a check of the pattern
 */

const never = () => false;

/** @param {unknown} key */
const isScalar = key => {
  switch (typeof key) {
    case 'string':
    case 'number':
    case 'bigint':
    case 'boolean':
    case 'undefined':
      return true;
    case 'object':
      return key === null || findMark(key) !== undefined;
    default:
      return false;
  }
};

/** Strings within the bound that a pattern sets by default. @param {unknown} key */
const isShortString = key => typeof key === 'string' && key.length <= 1_000;

/**
 * Finds a quick test of keys for a pattern; nearly all collections have one of these patterns.
 *
 * @param {any} keyShape
 * @returns {(key: unknown) => boolean}
 */
const findPlain = keyShape => {
  if (keyShape === undefined || passStyleOf(keyShape) !== 'tagged') return never;
  const { payload } = keyShape;
  switch (getTag(keyShape)) {
    case 'match:any':
    case 'match:scalar':
      return isScalar;
    case 'match:string':
      return Array.isArray(payload) && payload.length === 0 ? isShortString : never;
    case 'match:and':
      return payload.length === 2 &&
        getTag(payload[0]) === 'match:scalar' &&
        passStyleOf(payload[1]) === 'tagged'
        ? findPlain(payload[1])
        : never;
    default:
      return never;
  }
};

/**
 * @param {CapData} data
 * @param {{ label: string, keyShape?: any, valueShape?: any }} schemata
 * @returns {Schema}
 */
const makeSchema = (data, { label, keyShape, valueShape }) =>
  Object.freeze({ label, keyShape, valueShape, data, isPlainKey: findPlain(keyShape) });

/** @param {VirtualParts} parts */
export const makeSchemas = ({ syscalls, unserialize }) => {
  /** @param {string} collectionId */
  const keyOf = collectionId => `vc.${collectionId}.|schemata`;

  /** Schemas without slots, by their texts, cached across cranks. @type {Map<string, Schema>} */
  const known = new Map();
  const mostKnown = 200;

  /** @param {string} text @returns {Schema} */
  const readSchema = text => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const data = JSON.parse(text);
    const schema = makeSchema(data, unserialize(data));
    if (data.slots.length === 0) {
      if (known.size >= mostKnown) known.clear();
      known.set(text, schema);
    }
    return schema;
  };

  /** @type {CrankCache<Schema>} */
  const cache = new CrankCache({
    read: collectionId => readSchema(syscalls.vatstoreGet(keyOf(collectionId)) ?? ''),
    write: (collectionId, { data }) =>
      syscalls.vatstoreSet(keyOf(collectionId), JSON.stringify(data)),
    delete: collectionId => syscalls.vatstoreDelete(keyOf(collectionId)),
  });
  return { cache, makeSchema };
};
