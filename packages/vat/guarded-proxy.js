// `Proxy` for vats. Node looks at a promise that was rejected while nobody listened, by symbols of its own, before it tells
// anybody of it. A proxy in the prototype chain of such a promise would be asked: its trap could throw in the midst of
// Node's loop, or learn the symbols and set them on another promise, which under async hooks ends the process. So the traps
// of vats are never asked for these symbols; there is nothing under them.

/** @typedef {Record<string, ((...args: any[]) => any) | undefined | null>} Handler */

const { apply } = Reflect;

/** The names of Node's own symbols; it registers none of them. A test compares. */
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
 * Where async hooks are enabled, Node marks each new promise, also one that has a proxy in its prototype chain: it is marked
 * as if that were not there.
 *
 * @param {PropertyKey} key
 * @param {unknown} value
 * @param {any} receiver
 */
export const setForNode = (key, value, receiver) => Reflect.set({}, key, value, receiver);

/**
 * A handler that does what another one does, whose traps are looked up when they are needed, as the engine does it.
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

/** @param {any} handler  if it is no object, the engine says so */
const guard = handler =>
  (typeof handler === 'object' && handler !== null) || typeof handler === 'function'
    ? guardHandler(handler)
    : handler;

/** The engine's, but for what its traps are asked. */
export const VatProxy = /** @type {ProxyConstructor} */ (
  /** @type {unknown} */ (
    function Proxy(/** @type {any} */ target, /** @type {any} */ handler) {
      if (new.target === undefined) throw TypeError("Constructor Proxy requires 'new'");
      return new globalThis.Proxy(target, guard(handler));
    }
  )
);
const { revocable } = {
  revocable: (/** @type {any} */ target, /** @type {any} */ handler) =>
    Proxy.revocable(target, guard(handler)),
};
Object.defineProperty(VatProxy, 'revocable', { value: revocable });
// The engine's has none.
/** @type {any} */ (VatProxy).prototype = undefined;
harden(VatProxy);
