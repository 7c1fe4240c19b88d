// Everything that can be reached from some objects: by own properties, getters and setters included, by prototypes, and
// by what functions return and throw, which are called with many wrong arguments on many receivers.

import { types } from 'node:util';

const isObject = (/** @type {unknown} */ value) =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** Each operation on it throws. */
const throwingProxy = () => {
  const refuse = () => {
    throw Error('by a proxy');
  };
  return new Proxy(() => {}, new Proxy({}, { get: () => refuse }));
};

const names = ['length', 'then', 'stream', 'fatal', 'message', 'cause', 'name', 'value', 'get'];

/** @returns {object} */
const throwingGetters = () => {
  const object = {};
  for (const name of names)
    Object.defineProperty(object, name, {
      enumerable: true,
      get() {
        throw Error('by a getter');
      },
    });
  return object;
};

/** New ones for each call, so that none is reached twice. @returns {unknown[][]} */
const argumentLists = () => [
  [],
  [undefined],
  [-1],
  [2 ** 53],
  [1n],
  ['x'],
  [Symbol('x')],
  [throwingProxy()],
  [throwingGetters()],
  [{}, 'x', { get: () => 1 }],
  [() => 1, [], () => 1],
  [throwingProxy(), throwingProxy(), throwingProxy()],
  [{ __options__: true, name: 'x', globals: { x: 1 } }],
  [{ [Symbol.toPrimitive]: () => Symbol('x') }],
];

/** Some that call less, for functions that were reached by others. */
const fewArgumentLists = () => [[], [Symbol('x')], [throwingProxy(), throwingProxy()]];

/**
 * @param {Record<string, unknown>} roots  by name
 * @returns {Promise<Map<object, string>>}  what was found, each with a way to it: `(!)` is what a call throws
 */
export const walkReach = async roots => {
  /** @type {Map<object, string>} */
  const found = new Map();
  /** @type {[object, string][]} */
  const waiting = [];
  /** Objects that have one as their prototype. @type {Map<object, object[]>} */
  const instances = new Map();
  /** Functions, with the objects whose properties they are. @type {[Function, object | undefined, string, number][]} */
  const callable = [];
  /** @type {Map<Function, number>} */
  const calls = new Map();

  const add = (/** @type {unknown} */ value, /** @type {string} */ path) => {
    if (!isObject(value) || found.has(/** @type {object} */ (value))) return;
    const object = /** @type {object} */ (value);
    found.set(object, path);
    waiting.push([object, path]);
    if (!types.isPromise(object)) return;
    const note = (/** @type {unknown} */ result) => add(result, `await ${path}`);
    try {
      Promise.prototype.then.call(object, note, note);
    } catch (error) {
      // The class of a promise that somebody else made can be anything.
      add(error, `await ${path}`);
    }
  };

  const note = (
    /** @type {unknown} */ held,
    /** @type {object} */ owner,
    /** @type {string} */ path,
  ) => {
    add(held, path);
    if (typeof held === 'function') callable.push([held, owner, path, path.split('(').length - 1]);
  };

  const visit = () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [object, path] = next;
      let prototype;
      let keys;
      try {
        prototype = Reflect.getPrototypeOf(object);
        keys = Reflect.ownKeys(object);
      } catch (error) {
        // A proxy of ours, or the namespace of a module that has not run.
        add(error, `${path}(!)`);
        continue;
      }
      if (prototype !== null) {
        add(prototype, `${path}.__proto__`);
        const known = instances.get(prototype) ?? [];
        if (known.length < 3) instances.set(prototype, [...known, object]);
      }
      for (const key of keys) {
        const descriptor = Reflect.getOwnPropertyDescriptor(object, key) ?? {};
        const name = `${path}.${typeof key === 'symbol' ? `[${String(key.description)}]` : key}`;
        note(descriptor.value, object, name);
        note(descriptor.get, object, `get ${name}`);
        note(descriptor.set, object, `set ${name}`);
      }
      if (types.isMap(object))
        for (const [key, value] of Map.prototype.entries.call(object)) {
          add(key, `${path}[key]`);
          add(value, `${path}[value]`);
        }
      if (types.isSet(object))
        for (const value of Set.prototype.values.call(object)) add(value, `${path}[item]`);
    }
  };

  const attempt = (/** @type {() => unknown} */ call, /** @type {string} */ path) => {
    try {
      add(call(), `${path}()`);
    } catch (error) {
      add(error, `${path}(!)`);
    }
  };

  /** Each of its frames calls again, so that the call fails at every depth that is left. */
  const callWithoutStack = (/** @type {() => unknown} */ call, /** @type {string} */ path) => {
    let left = 20;
    const dive = () => {
      try {
        dive();
      } catch {
        if (left > 0) {
          left -= 1;
          attempt(call, `${path} without stack`);
        }
      }
    };
    dive();
  };

  const callAll = (
    /** @type {Function} */ target,
    /** @type {object | undefined} */ owner,
    /** @type {string} */ path,
    /** @type {number} */ depth,
  ) => {
    const count = calls.get(target) ?? 0;
    if (count > 1 || depth > 2) return;
    calls.set(target, count + 1);
    const isFew = count > 0 || depth > 0 || path.startsWith('set ');
    const lists = isFew ? fewArgumentLists : argumentLists;
    const [first] = owner === undefined ? [] : (instances.get(owner) ?? []);
    for (const receiver of [owner, first, undefined, throwingProxy()])
      for (const args of lists()) attempt(() => Reflect.apply(target, receiver, args), path);
    for (const args of lists()) attempt(() => Reflect.construct(target, args), `new ${path}`);
    for (const args of fewArgumentLists()) {
      attempt(() => Reflect.construct(target, args, throwingProxy()), `new ${path}`);
      attempt(() => Reflect.construct(target, args, function Mine() {}), `new ${path}`);
    }
    if (!isFew && !/\{\s*\[native code\]\s*\}\s*$/.test(Function.prototype.toString.call(target))) {
      callWithoutStack(() => Reflect.apply(target, owner, ['x', 'x']), path);
      callWithoutStack(() => Reflect.construct(target, ['x', {}]), `new ${path}`);
    }
  };

  for (const [name, root] of Object.entries(roots)) add(root, name);
  for (let turn = 0; turn < 50; turn += 1) {
    visit();
    if (callable.length === 0) break;
    for (const [target, owner, path, depth] of callable.splice(0))
      callAll(target, owner, path, depth);
    await new Promise(resolve => setImmediate(resolve));
  }
  return found;
};
