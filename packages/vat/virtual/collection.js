// One collection: its entries are in the vat's store, and each access is a read or a write. Nothing of it is in memory
// except the object by which the vat has it.

import { Fail, q } from '@endo/errors';
import { hardenData } from '../marshal/index.js';
import { makeCollectionKeys, isObjectKey, metaKeys } from './collection-keys.js';
import { insistDataSize, keysInRange, keysWithPrefix } from './store-keys.js';

/** @import { CapData } from '#model' */
/** @import { Schema } from './collection-schema.js' */
/** @import { VirtualParts } from './virtual-data.js' */

/**
 * @typedef {object} CollectionPowers
 * @property {string} collectionId
 * @property {boolean} isWeak
 * @property {boolean} isDurable
 * @property {(collectionId: string) => Schema} schemaOf
 */

/** @typedef {ReturnType<typeof makeCollection>} Collection */

/** The end of a value without slots, whatever its body: quotes in a body have a backslash. */
const noSlots = ',"slots":[]}';

/** @param {string} text  of a value @returns {string[]} */
const slotsIn = text => (text.endsWith(noSlots) ? [] : JSON.parse(text).slots);

/**
 * @param {VirtualParts} parts
 * @param {CollectionPowers} powers
 */
// eslint-disable-next-line max-lines-per-function -- the methods of one collection under their names, which close over its keys and its schema
export const makeCollection = (parts, { collectionId, isWeak, isDurable, schemaOf }) => {
  const { syscalls, counts, recognizers, serialize, unserialize, slotOf, libraries } = parts;
  const { M, matches, getRankCover } = libraries.patterns;
  /** @type {typeof libraries.patterns.mustMatch} */
  const mustMatch = libraries.patterns.mustMatch;
  /** @type {typeof libraries.patterns.assertPattern} */
  const assertPattern = libraries.patterns.assertPattern;
  const keys = makeCollectionKeys(parts, collectionId);
  const { prefix } = keys;

  /** Counts added entries, so that an iteration notices them. */
  let generation = 0;

  /** @param {Schema} schema @param {any} key */
  const insistKey = ({ isPlainKey, keyShape, label }, key) => {
    if (!isPlainKey(key)) mustMatch(key, keyShape, `invalid key type for collection ${q(label)}`);
  };

  /** @param {any} value @param {Schema} schema */
  const insistValue = (value, { valueShape, label }) => {
    if (valueShape !== undefined)
      mustMatch(value, valueShape, `invalid value type for collection ${q(label)}`);
  };

  /** @param {any} value @param {Schema} schema @returns {CapData} */
  const encodeValue = (value, schema) => {
    insistValue(value, schema);
    return serialize(value);
  };

  /** @param {CapData} data @param {any} value */
  const insistKept = (data, value) => {
    insistDataSize(data);
    if (!isDurable) return;
    for (const [i, vref] of data.slots.entries())
      counts.isDurable(vref) ||
        Fail`value is not durable: ${value} at slot ${q(i)} of ${data.body}`;
  };

  /** @param {string} text @returns {any} */
  const decodeValue = text => {
    const value = unserialize(JSON.parse(text));
    insistValue(value, schemaOf(collectionId));
    return value;
  };

  /** @param {any} key */
  const has = key => {
    const { isPlainKey, keyShape } = schemaOf(collectionId);
    if (!isPlainKey(key) && !matches(key, keyShape)) return false;
    if (isObjectKey(key)) return keys.findOrdinal(key) !== undefined;
    return syscalls.vatstoreGet(keys.toStoreKey(key)) !== undefined;
  };

  /** @param {any} key @param {Schema} schema */
  const requireEntry = (key, { label }) => {
    if (isObjectKey(key) && keys.findOrdinal(key) === undefined)
      throw Fail`key ${key} not found in collection ${q(label)}`;
    const storeKey = keys.toStoreKey(key);
    const text =
      syscalls.vatstoreGet(storeKey) ?? Fail`key ${key} not found in collection ${q(label)}`;
    return { storeKey, text };
  };

  /** @param {any} key */
  const get = key => {
    const schema = schemaOf(collectionId);
    insistKey(schema, key);
    return decodeValue(requireEntry(key, schema).text);
  };

  /** @param {number} delta */
  const count = delta => {
    if (isWeak) return;
    const known = Number(syscalls.vatstoreGet(`${prefix}|entryCount`));
    syscalls.vatstoreSet(`${prefix}|entryCount`, `${known + delta}`);
  };

  /**
   * @param {any} key
   * @param {any} value
   * @param {boolean} isKnownNew  whether the caller has checked that the key is new
   */
  const add = (key, value, isKnownNew) => {
    const schema = schemaOf(collectionId);
    insistKey(schema, key);
    isKnownNew || !has(key) || Fail`key ${key} already registered in collection ${q(schema.label)}`;
    const data = encodeValue(value, schema);
    generation += 1;
    insistKept(data, value);
    if (isObjectKey(key)) {
      const vref = slotOf(key);
      !isDurable || counts.isDurable(vref) || Fail`key (${key}) is not durable in ${value}`;
      keys.giveOrdinal(key);
      if (isWeak) recognizers.add(vref, collectionId);
      else counts.add(vref);
    }
    for (const vref of data.slots) counts.add(vref);
    syscalls.vatstoreSet(keys.toStoreKey(key), JSON.stringify(data));
    count(1);
  };

  /** @param {any} key @param {any} value */
  const set = (key, value) => {
    const schema = schemaOf(collectionId);
    insistKey(schema, key);
    const after = encodeValue(hardenData(value), schema);
    insistKept(after, value);
    const { storeKey, text } = requireEntry(key, schema);
    counts.replace(slotsIn(text), after.slots);
    syscalls.vatstoreSet(storeKey, JSON.stringify(after));
  };

  /** @param {any} key */
  const deleteEntry = key => {
    const schema = schemaOf(collectionId);
    insistKey(schema, key);
    const { storeKey, text } = requireEntry(key, schema);
    counts.removeAll(slotsIn(text));
    syscalls.vatstoreDelete(storeKey);
    if (!isObjectKey(key)) return;
    const vref = slotOf(key);
    keys.deleteOrdinal(key);
    if (isWeak) recognizers.remove(vref, collectionId);
    else counts.remove(vref);
  };

  /** @param {any} pattern */
  const isAny = pattern => pattern === undefined || libraries.compareRank(pattern, M.any()) === 0;

  /**
   * @template T
   * @param {'key' | 'value' | 'both'} wanted
   * @param {any} keyPattern
   * @param {any} valuePattern
   * @param {(key: any, value: any) => T} show
   * @returns {Generator<T, void, undefined>}
   */
  const walk = (wanted, keyPattern, valuePattern, show) => {
    // All of it when the first entry is asked for, as in SwingSet: keys may be added before.
    function* entries() {
      // `null` is a pattern too: it matches itself.
      const keyPatt = keyPattern === undefined ? M.any() : keyPattern;
      const valuePatt = valuePattern === undefined ? M.any() : valuePattern;
      assertPattern(keyPatt);
      assertPattern(valuePatt);
      const [start, end] = getRankCover(keyPatt, /** @type {any} */ (keys.encode));
      start.isWellFormed() || Fail`key has a lone surrogate, which the store cannot keep`;
      const begun = generation;
      const check = () => {
        generation === begun || Fail`keys in store cannot be added to during iteration`;
      };
      const checksKey = !isAny(keyPatt);
      const checksValue = !isAny(valuePatt);
      for (const storeKey of keysInRange(syscalls, prefix + start, prefix + end, check)) {
        const key = wanted !== 'value' || checksKey ? keys.toKey(storeKey) : undefined;
        if (checksKey && !matches(key, keyPatt)) continue;
        const value =
          wanted !== 'key' || checksValue
            ? decodeValue(syscalls.vatstoreGet(storeKey) ?? Fail`an entry was deleted`)
            : undefined;
        if (checksValue && !matches(value, valuePatt)) continue;
        yield show(key, value);
      }
    }
    return harden(entries)();
  };

  /** @param {any} [keyPatt] @param {any} [valuePatt] */
  const walkKeys = (keyPatt, valuePatt) => walk('key', keyPatt, valuePatt, key => key);

  /** @param {any} [keyPatt] @param {any} [valuePatt] */
  const walkEntries = (keyPatt, valuePatt) =>
    walk('both', keyPatt, valuePatt, (key, value) => [key, value]);

  /**
   * Deletes all entries without examining them.
   *
   * @returns {boolean} whether something in memory was released
   */
  const deleteAll = () => {
    let isFreed = false;
    for (const storeKey of keysWithPrefix(syscalls, prefix)) {
      const encoded = storeKey.slice(prefix.length);
      if (metaKeys.has(encoded)) continue;
      if (encoded[0] === '|') {
        const vref = encoded.slice(1);
        if (isWeak) recognizers.remove(vref, collectionId);
        else isFreed = counts.remove(vref) || isFreed;
      } else {
        isFreed = counts.removeAll(slotsIn(syscalls.vatstoreGet(storeKey) ?? noSlots)) || isFreed;
      }
      syscalls.vatstoreDelete(storeKey);
    }
    return isFreed;
  };

  return Object.freeze({
    has,
    get,
    set,
    init: (/** @type {any} */ key, /** @type {any} */ value) => add(key, value, false),
    addToSet: (/** @type {any} */ key) => {
      if (!has(key)) add(key, null, true);
    },
    addToMap: (/** @type {any} */ key, /** @type {any} */ value) => {
      if (has(key)) set(key, value);
      else add(key, value, true);
    },
    delete: (/** @type {any} */ key) => {
      deleteEntry(key);
      count(-1);
    },
    keys: walkKeys,
    values: (/** @type {any} */ keyPatt, /** @type {any} */ valuePatt) =>
      walk('value', keyPatt, valuePatt, (_key, value) => value),
    entries: walkEntries,
    getSize: (/** @type {any} */ keyPatt, /** @type {any} */ valuePatt) => {
      if (isAny(keyPatt) && isAny(valuePatt))
        return Number(syscalls.vatstoreGet(`${prefix}|entryCount`));
      let size = 0;
      for (const _ of walkKeys(keyPatt, valuePatt)) size += 1;
      return size;
    },
    clear: (/** @type {any} */ keyPatt, /** @type {any} */ valuePatt) => {
      if (isAny(keyPatt) && isAny(valuePatt)) {
        deleteAll();
        if (!isWeak) syscalls.vatstoreSet(`${prefix}|entryCount`, '0');
        return;
      }
      let deleted = 0;
      for (const key of walkKeys(keyPatt, valuePatt)) {
        deleted += 1;
        deleteEntry(key);
      }
      count(-deleted);
    },
    deleteAll,
  });
};
