// `Proxy` for vats. Before Node reports a promise that was rejected without a listener, it reads properties of it,
// under symbols of its own. A proxy in the prototype chain of such a promise would get these reads: its trap could
// throw inside Node's loop, or learn the symbols and set them on another promise, which under async hooks ends the
// process. So traps of vats are never called for these symbols; there is nothing under them.
//
// From Node 22 on an error has its stack behind an accessor, and only the hardening of the error itself makes it a value, as
// on Node 20. So an error gets that value when it is put behind a proxy.

/** @typedef {Record<string, ((...args: any[]) => any) | undefined | null>} Handler */

const { apply } = Reflect;

/** The names of Node's own symbols, none of which is registered. A test compares them with Node's. */
const namesOfNode = new Set([
  ...['async_id_symbol', 'trigger_async_id_symbol', 'resource_symbol'],
  // Symbols of AsyncLocalStorage, before Node 24 and since.
  ...['kResourceStore', 'context_frame'],
]);

/** @param {PropertyKey} key */
export const isSymbolOfNode = key =>
  typeof key === 'symbol' &&
  namesOfNode.has(key.description ?? '') &&
  Symbol.keyFor(key) === undefined;

const names = [
  ...['apply', 'construct', 'defineProperty', 'deleteProperty', 'getOwnPropertyDescriptor'],
  ...['getPrototypeOf', 'has', 'isExtensible', 'ownKeys', 'preventExtensions'],
  'setPrototypeOf',
];

/** The behaviour where a handler has no trap. @type {Record<string, (...args: any[]) => any>} */
const usual = {};
for (const name of [...names, 'get', 'set']) usual[name] = /** @type {any} */ (Reflect)[name];

/**
 * Where async hooks are enabled, Node marks each new promise, including one with a proxy in its prototype chain, which
 * is marked as if the proxy were not there.
 *
 * @param {PropertyKey} key
 * @param {unknown} value
 * @param {any} receiver
 */
export const setForNode = (key, value, receiver) => Reflect.set({}, key, value, receiver);

/**
 * A handler that wraps another one and looks up its traps when they are needed, as the engine does.
 *
 * @param {Handler} handler
 */
const guardHandler = handler => {
  /** @param {string} name @param {unknown[]} args */
  const ask = (name, args) => {
    const trap = handler[name];
    return trap === undefined || trap === null
      ? apply(usual[name], undefined, args)
      : apply(trap, handler, args);
  };
  /** @type {Record<string, (...args: any[]) => any>} */
  const guarded = {
    get: (target, key, receiver) =>
      isSymbolOfNode(key) ? undefined : ask('get', [target, key, receiver]),
    set: (target, key, value, receiver) =>
      isSymbolOfNode(key)
        ? setForNode(key, value, receiver)
        : ask('set', [target, key, value, receiver]),
  };
  for (const name of names) guarded[name] = (...args) => ask(name, args);
  return Object.freeze(guarded);
};

/** @param {any} handler  if it is no object, the engine throws */
const guard = handler =>
  (typeof handler === 'object' && handler !== null) || typeof handler === 'function'
    ? guardHandler(handler)
    : handler;

/** The engine's getter of `stack`, in engines where it is an accessor of each error. */
const stackGetter = Object.getOwnPropertyDescriptor(Error('any'), 'stack')?.get;

/** Proxies of vats, whose traps a look at their properties would call. @type {WeakSet<object>} */
const proxies = new WeakSet();

/** @param {any} target  of a new proxy */
const prepare = target => {
  const isObject = (typeof target === 'object' && target !== null) || typeof target === 'function';
  if (stackGetter === undefined || !isObject || proxies.has(target)) return target;
  const stack = Object.getOwnPropertyDescriptor(target, 'stack');
  if (stack?.get === stackGetter && stack.configurable) {
    const { enumerable } = stack;
    const value = apply(stackGetter, target, []);
    Object.defineProperty(target, 'stack', { value, writable: true, enumerable });
  }
  return target;
};

/** The engine's `Proxy`, except that its traps never see Node's symbols. */
export const VatProxy = /** @type {ProxyConstructor} */ (
  /** @type {unknown} */ (
    function Proxy(/** @type {any} */ target, /** @type {any} */ handler) {
      if (new.target === undefined) throw TypeError("Constructor Proxy requires 'new'");
      const proxy = new globalThis.Proxy(prepare(target), guard(handler));
      proxies.add(proxy);
      return proxy;
    }
  )
);
const { revocable } = {
  revocable: (/** @type {any} */ target, /** @type {any} */ handler) => {
    const made = Proxy.revocable(prepare(target), guard(handler));
    proxies.add(made.proxy);
    return made;
  },
};
Object.defineProperty(VatProxy, 'revocable', { value: revocable });
// The engine's `Proxy` has no prototype.
/** @type {any} */ (VatProxy).prototype = undefined;
harden(VatProxy);
