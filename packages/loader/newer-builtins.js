// Removes the built-ins that SES allows and Node 20 lacks: a vat that uses one would behave differently on Node 20.
// They are removed before lockdown, for the host program too, since it shares the objects. SES removes all built-ins
// that it does not know, so this list is short; a test compares the built-ins that a vat reaches with Node 20's, on
// every Node.

/** Names by their holder. Vats do not share `globalThis`, so its properties are restored after lockdown. */
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

/** The prototype of all iterators. In Node 20 it has `Symbol.iterator` only. */
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
 * Remove the newer built-ins. To be called before lockdown.
 *
 * @returns {() => void}  to be called after lockdown: restores the host's globals
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
  // Node's fetch needs this one, so it is replaced and not removed.
  Object.defineProperty(Promise, 'withResolvers', { value: withResolvers, ...hidden });
  // The order of these properties differs between engines; here they come last.
  putLast(Array.prototype, ['toLocaleString', 'toString']);
  putLast(Array.prototype[Symbol.unscopables], ['values']);
  putLast(Promise, ['withResolvers']);
  putLast(RegExp.prototype, ['unicodeSets']);
  return () => {
    for (const [name, descriptor] of globals) Object.defineProperty(globalThis, name, descriptor);
  };
};

/**
 * Remove `Symbol.dispose` and `Symbol.asyncDispose`, which are registered symbols before Node 24 and the language's own
 * since. Only `using` needs them, which vats lack. To be called between SES's making of the vats' own `Symbol` and its
 * hardening.
 */
export const removeNewerSymbols = () => {
  for (const name of ['dispose', 'asyncDispose'])
    Reflect.deleteProperty(Symbol.prototype.constructor, name);
};
