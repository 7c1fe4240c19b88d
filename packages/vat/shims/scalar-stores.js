// The stores of today's `@agoric/store`, kept in memory: keys are primitives or remotables, values are passable. Keys
// come in rank order, which is the same on every machine. Shapes are patterns, which need a library that is not loaded
// here; a store that gets one throws.

import { Fail, quote } from '@endo/errors';
import { compareAntiRank, compareRank } from '@endo/marshal';
import { mapIterable } from '@endo/pass-style';
import { Far, assertPassable, getTag, makeTagged, passStyleOf } from '../marshal/index.js';
import { VatWeakMap, VatWeakSet } from '../supervisor/weak-collections.js';
import { makeCheckedMap } from './checked-map.js';

/** @typedef {{ keyShape?: unknown, valueShape?: unknown, longLived?: boolean, durable?: boolean, fakeDurable?: boolean }} StoreOptions */

const scalarStyles = Object.freeze([
  'undefined',
  'null',
  'boolean',
  'number',
  'bigint',
  'string',
  'symbol',
  'byteArray',
  'remotable',
]);

/**
 * @param {string} what
 * @param {unknown} pattern
 */
const insistNoPattern = (what, pattern) => {
  pattern === undefined ||
    Fail`a store takes no ${quote(what)} here: there are no patterns; check keys and values before they are added`;
};

/** @param {any} key */
const insistScalar = key => {
  const style = passStyleOf(harden(key));
  scalarStyles.includes(style) || Fail`A ${quote(style)} cannot be a scalar key: ${key}`;
};

/** @param {any} key */
const insistRemotable = key => {
  passStyleOf(harden(key)) === 'remotable' ||
    Fail`Only remotables can be keys of scalar weak stores: ${key}`;
};

/** @param {any} value */
const insistValue = value => assertPassable(harden(value));

/**
 * The entries of a source: anything iterable, or the tagged data that `snapshot` makes.
 *
 * @param {any} source
 * @param {'copyMap' | 'copySet'} tag
 * @returns {Iterable<any>}
 */
const readSource = (source, tag) => {
  if (typeof source[Symbol.iterator] === 'function') return source;
  if (Object.isFrozen(source) && passStyleOf(source) === 'tagged' && getTag(source) === tag) {
    const { payload } = source;
    if (tag === 'copySet') return payload;
    return payload.keys.map((/** @type {any} */ key, /** @type {number} */ i) => [
      key,
      payload.values[i],
    ]);
  }
  throw Fail`provided data source is not iterable: ${source}`;
};

/**
 * The keys of a collection in rank order. An iteration continues while keys are deleted, and ends with an error after
 * one was added.
 *
 * @param {Map<any, any> | Set<any>} collection
 * @param {string} tag
 */
const makeOrderedKeys = (collection, tag) => {
  let additions = 0;
  /** @type {any[] | undefined} */
  let sorted;
  const startIteration = () => {
    const generation = additions;
    sorted ??= [...collection.keys()].sort(compareRank);
    const keys = sorted;
    let at = 0;
    return Far('Iterator of keys', {
      next: () => {
        generation === additions || Fail`Store ${quote(tag)} cursor stale`;
        while (at < keys.length) {
          const value = keys[at];
          at += 1;
          if (collection.has(value)) return harden({ done: false, value });
        }
        return harden({ done: true, value: undefined });
      },
    });
  };
  return {
    iterable: Far('Iterable of keys', { [Symbol.iterator]: startIteration }),
    noteAddition: () => {
      additions += 1;
      sorted = undefined;
    },
  };
};

/**
 * @param {Map<any, any> | VatWeakMap} map
 * @param {string} tag
 * @param {(key: any) => void} insistKey
 * @param {() => void} noteAddition
 */
const makeMapMethods = (map, tag, insistKey, noteAddition) => {
  const checked = makeCheckedMap(map, {
    failPresent: key => Fail`${quote(tag)} already registered: ${key}`,
    failAbsent: key => Fail`${quote(tag)} not found: ${key}`,
  });
  /** @param {any} key @param {any} value */
  const insistEntry = (key, value) => {
    insistKey(key);
    insistValue(value);
    noteAddition();
  };
  return {
    ...checked,
    init: (/** @type {any} */ key, /** @type {any} */ value) => {
      if (!map.has(key)) insistEntry(key, value);
      checked.init(key, value);
    },
    set: (/** @type {any} */ key, /** @type {any} */ value) => {
      if (map.has(key)) insistValue(value);
      checked.set(key, value);
    },
    addAll: (/** @type {any} */ source) => {
      for (const [key, value] of readSource(source, 'copyMap')) {
        insistEntry(key, value);
        map.set(key, value);
      }
    },
  };
};

/**
 * @param {Set<any> | VatWeakSet} set
 * @param {string} tag
 * @param {(key: any) => void} insistKey
 * @param {() => void} noteAddition
 */
const makeSetMethods = (set, tag, insistKey, noteAddition) => {
  const add = (/** @type {any} */ key) => {
    insistKey(key);
    noteAddition();
    set.add(key);
  };
  return {
    has: (/** @type {any} */ key) => set.has(key),
    add,
    delete: (/** @type {any} */ key) => {
      set.has(key) || Fail`${quote(tag)} not found: ${key}`;
      set.delete(key);
    },
    addAll: (/** @type {any} */ source) => {
      for (const key of readSource(source, 'copySet')) add(key);
    },
  };
};

const ignore = () => {};

/**
 * @param {string} [tag]  how errors call a key
 * @param {StoreOptions} [options]
 */
export const makeScalarMapStore = (tag = 'key', { keyShape, valueShape } = {}) => {
  insistNoPattern('keyShape', keyShape);
  insistNoPattern('valueShape', valueShape);
  const map = new Map();
  const { iterable, noteAddition } = makeOrderedKeys(map, tag);
  const methods = makeMapMethods(map, tag, insistScalar, noteAddition);
  /** @param {unknown[]} patterns */
  const keys = (...patterns) => {
    for (const pattern of patterns) insistNoPattern('pattern', pattern);
    return iterable;
  };
  const entriesOf = (/** @type {unknown[]} */ ...patterns) =>
    mapIterable(keys(...patterns), (/** @type {any} */ key) => [key, map.get(key)]);
  return Far(`scalar MapStore of ${quote(tag)}`, {
    ...methods,
    keys,
    values: (/** @type {unknown[]} */ ...patterns) =>
      mapIterable(keys(...patterns), (/** @type {any} */ key) => map.get(key)),
    entries: entriesOf,
    snapshot: (/** @type {unknown[]} */ ...patterns) => {
      keys(...patterns);
      const found = [...map.keys()].sort(compareAntiRank);
      return makeTagged('copyMap', harden({ keys: found, values: found.map(key => map.get(key)) }));
    },
    getSize: (/** @type {unknown[]} */ ...patterns) => {
      keys(...patterns);
      return map.size;
    },
    clear: (/** @type {unknown[]} */ ...patterns) => {
      keys(...patterns);
      map.clear();
    },
  });
};
harden(makeScalarMapStore);

/**
 * @param {string} [tag]
 * @param {StoreOptions} [options]
 */
export const makeScalarSetStore = (tag = 'key', { keyShape } = {}) => {
  insistNoPattern('keyShape', keyShape);
  const set = new Set();
  const { iterable, noteAddition } = makeOrderedKeys(set, tag);
  /** @param {unknown} [pattern] */
  const keys = pattern => {
    insistNoPattern('pattern', pattern);
    return iterable;
  };
  return Far(`scalar SetStore of ${quote(tag)}`, {
    ...makeSetMethods(set, tag, insistScalar, noteAddition),
    keys,
    values: keys,
    snapshot: (/** @type {unknown} */ pattern) => {
      keys(pattern);
      return makeTagged('copySet', harden([...set].sort(compareAntiRank)));
    },
    getSize: (/** @type {unknown} */ pattern) => {
      keys(pattern);
      return set.size;
    },
    clear: (/** @type {unknown} */ pattern) => {
      keys(pattern);
      set.clear();
    },
  });
};
harden(makeScalarSetStore);

/**
 * @param {string} [tag]
 * @param {StoreOptions} [options]
 */
export const makeScalarWeakMapStore = (tag = 'key', { keyShape, valueShape } = {}) => {
  insistNoPattern('keyShape', keyShape);
  insistNoPattern('valueShape', valueShape);
  return Far(
    `scalar WeakMapStore of ${quote(tag)}`,
    makeMapMethods(new VatWeakMap(), tag, insistRemotable, ignore),
  );
};
harden(makeScalarWeakMapStore);

/**
 * @param {string} [tag]
 * @param {StoreOptions} [options]
 */
export const makeScalarWeakSetStore = (tag = 'key', { keyShape } = {}) => {
  insistNoPattern('keyShape', keyShape);
  return Far(
    `scalar WeakSetStore of ${quote(tag)}`,
    makeSetMethods(new VatWeakSet(), tag, insistRemotable, ignore),
  );
};
harden(makeScalarWeakSetStore);

/**
 * The value of a key; made and stored if there is none.
 *
 * @param {any} store
 * @param {any} key
 * @param {(key: any) => any} makeValue
 */
export const provideLazy = (store, key, makeValue) => {
  if (!store.has(key)) store.init(key, makeValue(key));
  return store.get(key);
};
harden(provideLazy);

/**
 * `provideLazy` for values that take time to make: concurrent callers wait for the same value.
 *
 * @param {any} store
 */
export const makeAtomicProvider = store => {
  /** @type {Map<any, Promise<any>>} */
  const pending = new Map();
  /**
   * @param {any} key
   * @param {(key: any) => Promise<any>} makeValue
   * @param {(key: any, value: any) => Promise<void>} [finishValue]  called once, after the value was stored
   * @returns {Promise<any>}
   */
  const provideAsync = (key, makeValue, finishValue) => {
    if (store.has(key)) return Promise.resolve(store.get(key));
    let making = pending.get(key);
    if (making === undefined) {
      making = makeValue(key)
        .then(value => {
          store.init(key, value);
          return value;
        })
        .then(value => (finishValue ? finishValue(key, value).then(() => value) : value))
        .finally(() => pending.delete(key));
      pending.set(key, making);
    }
    return making;
  };
  return harden({ provideAsync });
};
harden(makeAtomicProvider);
