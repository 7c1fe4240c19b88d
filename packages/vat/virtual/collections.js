// The collections of a vat: maps and sets, strong or weak in their keys, virtual or durable. Each is an object of one
// of eight kinds, whose ids are in the store.

import { Fail } from '@endo/errors';
import { Far } from '../marshal/index.js';
import { makeCollection } from './collection.js';
import { formatObjectKey } from './collection-keys.js';
import { makeSchemas } from './collection-schema.js';
import { keysWithPrefix } from './store-keys.js';
import { formatBaseRef, instanceOf, kindOf } from './vrefs.js';

/** @import { Collection } from './collection.js' */
/** @import { VirtualParts } from './virtual-data.js' */

/** @typedef {'MapStore' | 'WeakMapStore' | 'SetStore' | 'WeakSetStore'} CollectionType */

/** @typedef {{ keyShape?: any, valueShape?: any, durable?: boolean }} CollectionOptions */

/** In the order in which their ids are given. @type {readonly CollectionType[]} */
const types = ['MapStore', 'WeakMapStore', 'SetStore', 'WeakSetStore'];

const kindSpecs = [false, true].flatMap(isDurable =>
  types.map(type => ({
    name: `scalar${isDurable ? 'Durable' : ''}${type}`,
    type,
    isDurable,
    isWeak: type.startsWith('Weak'),
  })),
);

/** @typedef {(typeof kindSpecs)[number]} KindSpec */

/**
 * The iterable of the argument of `addAll`.
 *
 * @param {any} source
 * @param {(value: any) => boolean} isCopy
 * @param {(value: any) => Iterable<any>} elementsOf
 * @returns {Iterable<any>}
 */
const iterate = (source, isCopy, elementsOf) => {
  if (typeof source[Symbol.iterator] === 'function') return source;
  return Object.isFrozen(source) && isCopy(source)
    ? elementsOf(source)
    : Fail`provided data source is not iterable: ${source}`;
};

/** @param {VirtualParts} parts */
export const makeCollections = parts => {
  const { syscalls, references, kinds, counts, serialize, libraries } = parts;
  const { M, assertPattern, makeCopyMap, makeCopySet } = libraries.patterns;
  const { isCopyMap, isCopySet, getCopyMapEntries, getCopySetKeys } = libraries.patterns;
  const { cache: schemas, makeSchema } = makeSchemas(parts);
  parts.schemas = schemas;

  /** @type {Map<string, KindSpec>} */
  const specs = new Map();

  /** @type {Record<string, string>} */
  let kindIds = {};

  /** @param {string} baseRef @param {KindSpec} spec */
  const open = (baseRef, { isWeak, isDurable }) =>
    makeCollection(parts, {
      collectionId: instanceOf(baseRef),
      isWeak,
      isDurable,
      schemaOf: id => schemas.get(id) ?? Fail`no schema for collection ${id}`,
    });

  /** @param {Collection} of */
  const mapMethods = ({ has, get, init, set, delete: remove, addToMap }) => ({
    has,
    get,
    init,
    set,
    delete: remove,
    addAll: (/** @type {any} */ source) => {
      for (const [key, value] of iterate(source, isCopyMap, getCopyMapEntries))
        addToMap(key, value);
    },
  });

  /** @param {Collection} of */
  const setMethods = ({ has, addToSet, delete: remove }) => ({
    has,
    add: addToSet,
    delete: remove,
    addAll: (/** @type {any} */ source) => {
      for (const key of iterate(source, isCopySet, getCopySetKeys)) addToSet(key);
    },
  });

  /** The object by which a vat has a collection. @type {Record<CollectionType, (of: Collection) => object>} */
  const makers = {
    MapStore: of =>
      Far('mapStore', {
        ...mapMethods(of),
        keys: of.keys,
        values: of.values,
        entries: of.entries,
        snapshot: (/** @type {any} */ keyPatt, /** @type {any} */ valuePatt) =>
          makeCopyMap(/** @type {any} */ (of.entries(keyPatt, valuePatt))),
        getSize: of.getSize,
        clear: of.clear,
      }),
    WeakMapStore: of => Far('weakMapStore', mapMethods(of)),
    SetStore: of =>
      Far('setStore', {
        ...setMethods(of),
        keys: (/** @type {any} */ keyPatt) => of.keys(keyPatt),
        values: (/** @type {any} */ keyPatt) => of.keys(keyPatt),
        snapshot: (/** @type {any} */ keyPatt) => makeCopySet(of.keys(keyPatt)),
        getSize: (/** @type {any} */ keyPatt) => of.getSize(keyPatt, undefined),
        clear: of.clear,
      }),
    WeakSetStore: of => Far('weakSetStore', setMethods(of)),
  };

  /** @param {string} baseRef @param {KindSpec} spec */
  const makeObject = (baseRef, spec) => {
    const made = makers[spec.type](open(baseRef, spec));
    references.nameRepresentative(baseRef, made);
    return made;
  };

  /** @param {string} baseRef */
  const deleteStored = baseRef => {
    const spec = specs.get(kindOf(baseRef)) ?? Fail`no collection is ${baseRef}`;
    const collectionId = instanceOf(baseRef);
    let isFreed = open(baseRef, spec).deleteAll();
    const schema = schemas.get(collectionId) ?? Fail`no schema for collection ${collectionId}`;
    isFreed = counts.removeAll(schema.data.slots) || isFreed;
    for (const key of keysWithPrefix(syscalls, `vc.${collectionId}.|`))
      if (!key.endsWith('|schemata')) syscalls.vatstoreDelete(key);
    schemas.delete(collectionId);
    return isFreed;
  };

  /**
   * @param {KindSpec} spec
   * @param {string} label
   * @param {any} keyShape
   * @param {any} valueShape
   */
  const make = (spec, label, keyShape, valueShape) => {
    assert.typeof(label, 'string');
    assertPattern(keyShape);
    if (valueShape) assertPattern(valueShape);
    const collectionId = `${references.numbers.takeCollection()}`;
    const baseRef = formatBaseRef(kindIds[spec.name], collectionId, spec.isDurable);
    syscalls.vatstoreSet(`vc.${collectionId}.|nextOrdinal`, '1');
    if (!spec.isWeak) syscalls.vatstoreSet(`vc.${collectionId}.|entryCount`, '0');
    const schemata = harden({
      label,
      ...(keyShape !== undefined && { keyShape }),
      ...(valueShape !== undefined && { valueShape }),
    });
    const data = serialize(schemata);
    if (spec.isDurable) parts.insistDurable(data, 'a shape', false);
    for (const vref of data.slots) counts.add(vref);
    schemas.set(collectionId, makeSchema(data, schemata));
    const made = makeObject(baseRef, spec);
    references.registerRepresentative(baseRef, made);
    return made;
  };

  /** @param {CollectionType} type @param {boolean} isDurable */
  const specOf = (type, isDurable) =>
    kindSpecs.find(spec => spec.type === type && spec.isDurable === isDurable) ??
    Fail`unknown collection kind ${type}`;

  /**
   * @param {CollectionType} type
   * @param {string} usualLabel
   */
  const makeMaker =
    (type, usualLabel) =>
    (label = usualLabel, /** @type {CollectionOptions} */ options = {}) => {
      const { keyShape, valueShape, durable = false } = options;
      const narrowed = keyShape === undefined ? M.scalar() : M.and(M.scalar(), keyShape);
      return make(specOf(type, Boolean(durable)), label, narrowed, valueShape);
    };

  return Object.freeze({
    /** The functions that a vat calls. */
    functions: {
      makeScalarBigMapStore: makeMaker('MapStore', 'map'),
      makeScalarBigWeakMapStore: makeMaker('WeakMapStore', 'weakMap'),
      makeScalarBigSetStore: makeMaker('SetStore', 'set'),
      makeScalarBigWeakSetStore: makeMaker('WeakSetStore', 'weakSet'),
    },

    /** Gives the kinds of collections their ids, or reads those of an earlier incarnation. */
    start() {
      kindIds = JSON.parse(syscalls.vatstoreGet('storeKindIDTable') ?? '{}');
      for (const spec of kindSpecs) {
        kindIds[spec.name] = `${kindIds[spec.name] ?? references.numbers.takeExport()}`;
        specs.set(kindIds[spec.name], spec);
        kinds.add(kindIds[spec.name], {
          reanimate: baseRef => makeObject(baseRef, spec),
          deleteStored,
          isDurable: spec.isDurable,
        });
      }
      const table = Object.fromEntries(kindSpecs.map(({ name }) => [name, Number(kindIds[name])]));
      syscalls.vatstoreSet('storeKindIDTable', JSON.stringify(table));
    },

    /**
     * Provides a collection that is never deleted: the one whose vref is under `key`, or a new one.
     *
     * @param {string} key
     * @param {string} label
     * @param {any} keyShape
     * @returns {any}
     */
    provideRoot(key, label, keyShape) {
      const known = syscalls.vatstoreGet(key);
      if (known !== undefined) return parts.valueOf(known);
      const made = make(specOf('MapStore', true), label, keyShape, undefined);
      const vref = parts.slotOf(made);
      syscalls.vatstoreSet(key, vref);
      counts.add(vref);
      return made;
    },

    /**
     * Deletes the entry of a weak collection whose key is gone.
     *
     * @param {string} collectionId
     * @param {string} vref
     * @returns {boolean} whether something in memory was released
     */
    deleteWeakEntry(collectionId, vref) {
      const ordinalKey = `vc.${collectionId}.|${vref}`;
      const ordinal = syscalls.vatstoreGet(ordinalKey);
      syscalls.vatstoreDelete(ordinalKey);
      if (ordinal === undefined) return false;
      const key = `vc.${collectionId}.${formatObjectKey(ordinal, vref)}`;
      const text = syscalls.vatstoreGet(key);
      if (text === undefined) return false;
      const isFreed = counts.removeAll(JSON.parse(text).slots);
      syscalls.vatstoreDelete(key);
      return isFreed;
    },
  });
};
