// The traps of a vat's proxies are called as the engine's are, but never for a symbol of Node.

import { AsyncLocalStorage, AsyncResource, createHook } from 'node:async_hooks';
import '#testkit/lockdown.js';
import test from 'ava';
import fc from 'fast-check';
import { E } from '../eventual-send/index.js';
import { isSymbolOfNode, VatProxy } from '../guarded-proxy.js';

/** Symbols of the language. @type {Record<string, unknown>} */
const wellKnown = Object.fromEntries(
  Object.getOwnPropertyNames(Symbol).map(name => [name, /** @type {any} */ (Symbol)[name]]),
);

/** Symbols on Node's async resources, and those that it reads when hooks are enabled. */
const symbolsOfNode = (() => {
  const symbols = new Set(Object.getOwnPropertySymbols(new AsyncResource('any')));
  const note = (/** @type {any} */ _target, /** @type {PropertyKey} */ key) => {
    if (typeof key === 'symbol') symbols.add(key);
    return undefined;
  };
  const set = (/** @type {any} */ target, /** @type {PropertyKey} */ key) => {
    note(target, key);
    return true;
  };
  const hook = createHook({ init() {}, before() {}, after() {} }).enable();
  new AsyncLocalStorage().run('any', () => {
    const of = Object.assign(function () {}, {
      prototype: new Proxy(Promise.prototype, { get: note, set }),
    });
    Reflect.construct(Promise, [() => {}], of);
    const changed = Promise.resolve();
    Object.setPrototypeOf(changed, of.prototype);
    Reflect.apply(Promise.prototype.then, changed, []);
  });
  hook.disable();
  return [...symbols].filter(symbol => !Object.values(wellKnown).includes(symbol));
})();

test('every symbol that Node sets on its resources is known', t => {
  t.true(symbolsOfNode.length >= 2);
  for (const symbol of symbolsOfNode) t.true(isSymbolOfNode(symbol), String(symbol));
  t.false(isSymbolOfNode(Symbol('own')));
  t.false(isSymbolOfNode(Symbol.for('async_id_symbol')));
  t.false(isSymbolOfNode('async_id_symbol'));
});

test('no trap is asked for a symbol of Node, and E answers none', t => {
  const asked = /** @type {PropertyKey[]} */ ([]);
  const handler = {
    get: (/** @type {any} */ _target, /** @type {PropertyKey} */ key) => {
      asked.push(key);
      return 1;
    },
  };
  const proxies = [new VatProxy({}, handler), VatProxy.revocable({}, handler).proxy];
  for (const symbol of symbolsOfNode) {
    for (const proxy of [...proxies, E({}), E.get({}), E.sendOnly({})]) {
      t.is(/** @type {any} */ (proxy)[symbol], undefined);
      t.is(Object.create(proxy)[symbol], undefined);
    }
  }
  t.deepEqual(asked, []);
});

test('an object that inherits from a proxy can be marked by Node', t => {
  const refuse = () => false;
  for (const symbol of symbolsOfNode) {
    for (const proxy of [new VatProxy({}, { set: refuse }), E({}), E.get({}), E.sendOnly({})]) {
      const marked = Object.create(proxy);
      marked[symbol] = 7;
      t.is(marked[symbol], 7);
      t.false(Reflect.set(E({}), symbol, 7));
    }
  }
});

/** The operations on a proxy. @type {Record<string, (x: any) => unknown>} */
const operations = {
  get: x => x.a,
  set: x => Reflect.set(x, 'a', 2),
  has: x => 'a' in x,
  deleteProperty: x => Reflect.deleteProperty(x, 'b'),
  ownKeys: x => Reflect.ownKeys(x),
  getOwnPropertyDescriptor: x => Object.getOwnPropertyDescriptor(x, 'a'),
  defineProperty: x => Reflect.defineProperty(x, 'c', { value: 1, configurable: true }),
  getPrototypeOf: x => Object.getPrototypeOf(x),
  setPrototypeOf: x => Reflect.setPrototypeOf(x, null),
  isExtensible: x => Object.isExtensible(x),
  preventExtensions: x => Reflect.preventExtensions(x),
  apply: x => Reflect.apply(x, 1, [2]),
  construct: x => typeof Reflect.construct(x, [2]),
  typeof: x => typeof x,
};

/** @param {() => unknown} act */
const outcomeOf = act => {
  try {
    return { value: act() };
  } catch (error) {
    return { thrown: /** @type {Error} */ (error).constructor.name };
  }
};

test("a vat's proxy behaves like one of the engine", t => {
  const names = Object.keys(operations);
  const trapKinds = fc.constantFrom('none', 'usual', 'throws', 'null', 'number');
  const arbTraps = fc.dictionary(fc.constantFrom(...names), trapKinds);
  fc.assert(
    fc.property(
      arbTraps,
      fc.array(fc.constantFrom(...names)),
      fc.boolean(),
      (kinds, done, isFunction) => {
        /** @param {ProxyConstructor} ProxyClass */
        const runOn = ProxyClass => {
          const seen = /** @type {unknown[]} */ ([]);
          /** @type {any} */
          const handler = {};
          for (const [name, kind] of Object.entries(kinds)) {
            if (kind === 'none') continue;
            handler[name] =
              kind === 'null'
                ? null
                : kind === 'number'
                  ? 3
                  : function trap(/** @type {any[]} */ ...args) {
                      // @ts-expect-error: whatever it is called on
                      seen.push([name, args.length, this === handler]);
                      if (kind === 'throws') throw Error('a trap');
                      return /** @type {any} */ (Reflect)[name](...args);
                    };
          }
          const target = isFunction
            ? Object.assign(
                function f(/** @type {any} */ x) {
                  return x;
                },
                { a: 1, b: 2 },
              )
            : { a: 1, b: 2 };
          const proxy = new ProxyClass(target, handler);
          const outcomes = done.map(name =>
            outcomeOf(() => JSON.stringify(operations[name](proxy))),
          );
          return { seen, outcomes };
        };
        t.deepEqual(runOn(VatProxy), runOn(Proxy));
      },
    ),
  );
});

test('Proxy needs new and objects', t => {
  t.throws(() => /** @type {any} */ (VatProxy)({}, {}), { instanceOf: TypeError });
  t.throws(() => new VatProxy(/** @type {any} */ (1), {}), { instanceOf: TypeError });
  t.throws(() => new VatProxy({}, /** @type {any} */ (1)), { instanceOf: TypeError });
  t.is(VatProxy.name, 'Proxy');
  t.is(VatProxy.length, 2);
  const { proxy, revoke } = VatProxy.revocable({}, {});
  revoke();
  t.throws(() => Object.keys(proxy), { instanceOf: TypeError });
});

test('an error behind a proxy has its stack as a value, on every engine', t => {
  const kindOf = (/** @type {object} */ of) =>
    typeof Object.getOwnPropertyDescriptor(of, 'stack')?.value;
  const traps = new Proxy({}, { get: () => t.fail('a trap is called') });
  t.is(kindOf(new VatProxy(Error('a'), {})), 'string');
  t.is(kindOf(VatProxy.revocable(TypeError('b'), {}).proxy), 'string');
  t.is(kindOf(new VatProxy(new VatProxy(Error('c'), {}), {})), 'string');
  t.notThrows(() => new VatProxy(new VatProxy({}, traps), traps));
  const own = Object.defineProperty(Error('d'), 'stack', { get: () => t.fail('it is read') });
  t.is(kindOf(new VatProxy(own, {})), 'undefined');
  t.is(kindOf(new VatProxy(Object.freeze({ stack: 1 }), {})), 'number');
});
