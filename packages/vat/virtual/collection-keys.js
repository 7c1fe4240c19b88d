// Keys of collections in the store: their texts sort as the keys do. Objects sort by ordinals, which they get when they
// become keys of the collection; the record of an ordinal is under `|` and the vref.

import { Fail } from '@endo/errors';
import { findMark, passStyleOf } from '../marshal/index.js';

/** @import { VirtualParts } from './virtual-data.js' */

/** Characters of an encoded key, as in today's liveslots. */
const maxKeyLength = 220;

const ordinalLength = 10;

/** Length of the prefix before the vref of an object that is a key. */
const objectPrefixLength = 1 + ordinalLength + 1;

/** Records of a collection that are no entries. @type {ReadonlySet<string>} */
export const metaKeys = new Set(['|entryCount', '|nextOrdinal', '|schemata']);

/** @param {string} ordinal @param {string} vref */
export const formatObjectKey = (ordinal, vref) =>
  `r${ordinal.padStart(ordinalLength, '0')}:${vref}`;

/** Whether a key is an object, with a fast path for objects made here. @param {any} key */
export const isObjectKey = key =>
  key !== null &&
  (typeof key === 'object' || typeof key === 'function') &&
  (findMark(key) !== undefined || passStyleOf(key) === 'remotable');

/**
 * @param {VirtualParts} parts
 * @param {string} collectionId
 */
export const makeCollectionKeys = (
  { syscalls, slotOf, valueOf, libraries: { makeEncodePassable, makeDecodePassable } },
  collectionId,
) => {
  const prefix = `vc.${collectionId}.`;

  /** @param {any} key  an object @returns {string | undefined} */
  const findOrdinal = key => syscalls.vatstoreGet(`${prefix}|${slotOf(key)}`);

  const encode = makeEncodePassable({
    encodeRemotable: (/** @type {any} */ key) =>
      formatObjectKey(findOrdinal(key) ?? Fail`no ordinal for ${key}`, slotOf(key)),
  });

  const decode = makeDecodePassable({
    decodeRemotable: (/** @type {string} */ text) => valueOf(text.slice(objectPrefixLength)),
  });

  return Object.freeze({
    prefix,
    findOrdinal,

    /** For patterns: like `toStoreKey`, without the prefix. */
    encode,

    /** @param {any} key  an object that is no key yet */
    giveOrdinal(key) {
      const next = Number(syscalls.vatstoreGet(`${prefix}|nextOrdinal`));
      syscalls.vatstoreSet(`${prefix}|${slotOf(key)}`, `${next}`);
      syscalls.vatstoreSet(`${prefix}|nextOrdinal`, `${next + 1}`);
    },

    /** @param {any} key */
    deleteOrdinal(key) {
      syscalls.vatstoreDelete(`${prefix}|${slotOf(key)}`);
    },

    /** @param {any} key */
    toStoreKey(key) {
      const encoded = typeof key === 'string' ? `s${key}` : /** @type {string} */ (encode(key));
      encoded.length < maxKeyLength || Fail`key too large`;
      encoded.isWellFormed() || Fail`key has a lone surrogate, which the store cannot keep`;
      return prefix + encoded;
    },

    /** @param {string} storeKey */
    toKey(storeKey) {
      const encoded = storeKey.slice(prefix.length);
      return encoded[0] === 's' ? encoded.slice(1) : decode(encoded);
    },
  });
};
