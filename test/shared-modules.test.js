// The modules that all vats share give them nothing of the host program's own.

import test from 'ava';
import { ensureLockdown } from '#loader';
import { makeVatCompartment } from '#loader/compartment/index.js';

// The libraries of vats are loaded after it.
await ensureLockdown();
const { loadVatShims } = await import('#vat');
const { loadReactorRuntime } = await import('#host/vats/reactor-runtime.js');

/** Lists of arguments, with each of which every function is called. */
const lists = [
  ...[[], ['Error'], ['TypeError'], ['AggregateError'], ['a', {}], [{}], [[]], [null], [1n]],
  ...[[Error('any')], [Symbol.iterator], [(/** @type {unknown} */ x) => x]],
];

/**
 * All objects that are reached from a value by properties and prototypes, with a path to each.
 *
 * @param {string} start  the path
 * @param {unknown} value
 * @param {Map<object, string>} found  gets them
 */
const collect = (start, value, found) => {
  /** @type {[string, any][]} */
  const waiting = [[start, value]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [path, object] = next;
    if (Object(object) !== object || found.has(object)) continue;
    found.set(object, path);
    try {
      for (const key of Reflect.ownKeys(object)) {
        const {
          value: held,
          get,
          set,
        } = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(object, key));
        for (const each of [held, get, set]) waiting.push([`${path}.${String(key)}`, each]);
      }
      waiting.push([`${path}.__proto__`, Object.getPrototypeOf(object)]);
    } catch {
      // A revoked proxy.
    }
  }
};

test('the shared modules give away nothing that only the host program has', async t => {
  /** @type {Map<object, string>} */
  const shared = new Map();
  collect('globalThis', makeVatCompartment({ name: 'x' }).globalThis, shared);
  /** @type {Map<object, string>} */
  const own = new Map();
  for (const key of Object.getOwnPropertyNames(globalThis)) {
    const value = Reflect.get(globalThis, key);
    if (Object(value) === value && !shared.has(value)) own.set(value, key);
  }
  t.true(own.has(Error));
  t.true(own.has(console));
  /** @type {Map<object, string>} */
  const found = new Map();
  collect('shims', await loadVatShims(['@agoric/marshal']), found);
  collect('reactors', (await loadReactorRuntime()).shim, found);
  for (const [value, path] of [...found]) {
    if (typeof value !== 'function') continue;
    for (const list of lists) {
      for (const call of [
        Reflect.construct,
        (/** @type {any} */ f, /** @type {any[]} */ args) => f(...args),
      ]) {
        try {
          const made = call(value, list);
          if (made instanceof Promise) made.catch(() => {});
          collect(`${path}(…)`, made, found);
        } catch (error) {
          collect(`the error of ${path}(…)`, error, found);
        }
      }
    }
  }
  t.true(found.size > 1000);
  t.deepEqual(
    [...found]
      .filter(([value]) => own.has(value))
      .map(([value, path]) => `${path}: ${own.get(value)}`),
    [],
  );
});
