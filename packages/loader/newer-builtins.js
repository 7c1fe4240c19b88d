// Built-ins that SES hands on to vats and Node 20 lacks: a vat that used one would be another program on Node 20. They are
// removed before lockdown, for the host program too, since the objects that have them are shared. SES removes whatever it
// does not know by itself, so this list is short; a test compares what a vat reaches with what Node 20 has, on every Node.

/** By what has them. `globalThis` is the host's alone, so what stood there comes back when the realm is locked down. */
const newer = /** @type {const} */ ({
  globals: ['Iterator', 'AsyncIterator', 'Temporal'],
  Array: ['fromAsync'],
  DataViewPrototype: ['getFloat16', 'setFloat16'],
  DatePrototype: ['toTemporalInstant'],
  JSON: ['isRawJSON', 'rawJSON'],
  Map: ['groupBy'],
  MapPrototype: ['getOrInsert', 'getOrInsertComputed'],
  Object: ['groupBy'],
  Promise: ['try'],
  SetPrototype: [
    ...['difference', 'intersection', 'isDisjointFrom', 'isSubsetOf', 'isSupersetOf'],
    ...['symmetricDifference', 'union'],
  ],
  WeakMapPrototype: ['getOrInsert', 'getOrInsertComputed'],
});

/** The prototype of all iterators. Node 20 has only this one property of it. */
const IteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));

const hidden = { writable: true, enumerable: false, configurable: true };

const { withResolvers } = {
  /** @this {PromiseConstructor} */
  withResolvers() {
    /** @type {any} */
    let resolve;
    /** @type {any} */
    let reject;
    const promise = new this((onValue, onReason) => {
      resolve = onValue;
      reject = onReason;
    });
    return { promise, resolve, reject };
  },
};

/** @param {any} holder @param {string[]} names */
const putLast = (holder, names) => {
  for (const name of names) {
    const descriptor = Object.getOwnPropertyDescriptor(holder, name);
    if (descriptor === undefined) continue;
    Reflect.deleteProperty(holder, name);
    Object.defineProperty(holder, name, descriptor);
  }
};

/**
 * To be called before lockdown.
 *
 * @returns {() => void}  gives the host its globals back, to be called after it
 */
export const removeNewerBuiltins = () => {
  /** @type {Record<keyof typeof newer, object>} */
  const holders = {
    globals: globalThis,
    Array,
    DataViewPrototype: DataView.prototype,
    DatePrototype: Date.prototype,
    JSON,
    Map,
    MapPrototype: Map.prototype,
    Object,
    Promise,
    SetPrototype: Set.prototype,
    WeakMapPrototype: WeakMap.prototype,
  };
  /** @type {[name: string, descriptor: PropertyDescriptor][]} */
  const globals = [];
  for (const [holderName, names] of Object.entries(newer)) {
    const holder = holders[/** @type {keyof typeof newer} */ (holderName)];
    for (const name of names) {
      const descriptor = Object.getOwnPropertyDescriptor(holder, name);
      if (descriptor === undefined) continue;
      if (holder === globalThis) globals.push([name, descriptor]);
      Reflect.deleteProperty(holder, name);
    }
  }
  for (const key of Reflect.ownKeys(IteratorPrototype)) {
    if (key !== Symbol.iterator) Reflect.deleteProperty(IteratorPrototype, key);
  }
  // Node's own fetch needs this one; so all have ours.
  Object.defineProperty(Promise, 'withResolvers', { value: withResolvers, ...hidden });
  // Engines list these in different places; here they come last.
  putLast(Array.prototype, ['toLocaleString', 'toString']);
  putLast(Array.prototype[Symbol.unscopables], ['values']);
  putLast(Promise, ['withResolvers']);
  putLast(RegExp.prototype, ['unicodeSets']);
  return () => {
    for (const [name, descriptor] of globals) Object.defineProperty(globalThis, name, descriptor);
  };
};

/**
 * `Symbol.dispose` and `Symbol.asyncDispose` are registered symbols of Node's before Node 24 and the language's own since;
 * only `using` needs them, which vats have not. To be called when SES has made the constructor of vats, which is not the
 * host's, and before it is hardened.
 */
export const removeNewerSymbols = () => {
  for (const name of ['dispose', 'asyncDispose'])
    Reflect.deleteProperty(Symbol.prototype.constructor, name);
};
