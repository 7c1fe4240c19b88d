// The state of a kind's objects. A record is in the vat's store, under `vom.` and the base reference, as one text with
// each property's capdata; it is read when a crank first needs it, and written at the crank's end. Methods get an
// object of accessors, which is made for each crank.

import { Fail } from '@endo/errors';
import { hardenData } from '../marshal/index.js';
import { Stamped } from '../stamped.js';
import { insistDataSize } from './store-keys.js';
import { CrankCache } from './crank-cache.js';

/** @import { CapData } from '#model' */
/** @import { VirtualParts } from './virtual-data.js' */

const { create, defineProperty, freeze, getOwnPropertyNames, hasOwn } = Object;

/**
 * The state of one object in one crank.
 *
 * @typedef {object} StateRecord
 * @property {Record<string, CapData>} data  of each property; own properties, whatever their names
 * @property {Map<string, unknown>} values  by property: those that were read or written
 */

/** @param {Record<string, CapData>} record @param {string} name @param {CapData} data */
const setOwn = (record, name, data) => {
  if (name === '__proto__')
    defineProperty(record, name, { value: data, writable: true, enumerable: true });
  else record[name] = data;
};

/**
 * @param {VirtualParts} parts
 * @param {object} options
 * @param {boolean} options.isDurable
 * @param {readonly string[] | undefined} options.shapeNames  properties that every object has; undefined without a shape
 * @param {((value: unknown, name: string) => void) | undefined} options.check  checks each value; throws
 */
export const makeKindState = (parts, { isDurable, shapeNames, check }) => {
  const { syscalls, counts, serialize, unserialize } = parts;

  /** @type {CrankCache<StateRecord>} */
  const records = new CrankCache({
    read: baseRef => {
      const text = syscalls.vatstoreGet(`vom.${baseRef}`) ?? Fail`no state for ${baseRef}`;
      return { data: JSON.parse(text), values: new Map() };
    },
    write: (baseRef, { data }) => syscalls.vatstoreSet(`vom.${baseRef}`, JSON.stringify(data)),
    delete: baseRef => syscalls.vatstoreDelete(`vom.${baseRef}`),
  });

  /** Marks the states of this kind: accessors work on no other object. */
  class StateStamp extends Stamped {
    /** @type {string} */
    #baseRef;

    /** @param {object} state @param {string} baseRef */
    constructor(state, baseRef) {
      super(state);
      this.#baseRef = baseRef;
    }

    /** @param {any} state @returns {string} */
    static find(state) {
      if (typeof state !== 'object' || state === null || !(#baseRef in state))
        throw Fail`state accessors can only be applied to state`;
      return state.#baseRef;
    }
  }

  /** @param {string} baseRef @returns {StateRecord} */
  const requireRecord = baseRef => records.get(baseRef) ?? Fail`no state for ${baseRef}`;

  /**
   * @param {unknown} value
   * @param {string} name
   * @returns {CapData}
   */
  const encode = (value, name) => {
    const data = serialize(value);
    insistDataSize(data);
    if (isDurable) parts.insistDurable(data, name, true);
    return data;
  };

  /** @type {Map<string, PropertyDescriptor>} */
  const descriptors = new Map();

  /** @param {string} name @returns {PropertyDescriptor} */
  const describe = name => {
    const known = descriptors.get(name);
    if (known !== undefined) return known;
    const accessors = {
      /** @this {unknown} */
      get() {
        const { data, values } = requireRecord(StateStamp.find(this));
        if (values.has(name)) return values.get(name);
        const value = hasOwn(data, name) ? hardenData(unserialize(data[name])) : undefined;
        check?.(value, name);
        values.set(name, value);
        return value;
      },
      /** @this {unknown} @param {unknown} value */
      set(value) {
        const baseRef = StateStamp.find(this);
        check?.(value, name);
        const after = encode(value, name);
        const record = requireRecord(baseRef);
        const before = hasOwn(record.data, name) ? record.data[name].slots : [];
        counts.replace(before, after.slots);
        setOwn(record.data, name, after);
        record.values.set(name, hardenData(value));
        records.set(baseRef, record);
      },
    };
    const made = harden({ ...getAccessors(accessors), enumerable: true, configurable: false });
    descriptors.set(name, made);
    return made;
  };

  const statePrototype = {};
  for (const name of shapeNames ?? []) defineProperty(statePrototype, name, describe(name));
  harden(statePrototype);

  return Object.freeze({
    records,

    /** Makes the object of accessors. @param {string} baseRef */
    makeState(baseRef) {
      const state = create(statePrototype);
      if (shapeNames === undefined)
        for (const name of getOwnPropertyNames(requireRecord(baseRef).data))
          defineProperty(state, name, describe(name));
      new StateStamp(state, baseRef);
      return freeze(state);
    },

    /**
     * Stores the state of a new object.
     *
     * @param {string} baseRef
     * @param {any} initial
     */
    init(baseRef, initial) {
      typeof initial === 'object' || Fail`initial data must be object, not ${initial}`;
      /** @type {StateRecord} */
      const record = { data: {}, values: new Map() };
      for (const name of getOwnPropertyNames(initial)) {
        const value = initial[name];
        check?.(value, name);
        const data = encode(value, name);
        for (const vref of data.slots) counts.add(vref);
        setOwn(record.data, name, data);
        // An error may be serialised before it is frozen.
        record.values.set(name, hardenData(value));
      }
      records.set(baseRef, record);
    },

    /**
     * @param {string} baseRef
     * @returns {boolean} whether something in memory was released
     */
    delete(baseRef) {
      const { data } = requireRecord(baseRef);
      let isFreed = false;
      for (const { slots } of Object.values(data)) isFreed = counts.removeAll(slots) || isFreed;
      records.delete(baseRef);
      return isFreed;
    },
  });
};

/** @param {{ get: () => unknown, set: (value: unknown) => void }} accessors */
const getAccessors = ({ get, set }) => ({ get, set });
