// Vats find the same built-ins on every Node: not only the same names (newer-builtins.test.js), also the same results.

import test from 'ava';
import { createHash } from 'node:crypto';

import { makeVatCompartment } from '../compartment/index.js';
import { ensureLockdown, installRejectionPolicy } from '../lockdown.js';

test.before(() => ensureLockdown());

/** @param {string} source */
const evaluate = source => makeVatCompartment({ name: 'x' }).evaluate(source);

/**
 * Calls built-ins at random with receivers and arguments at random, and notes results, errors and what was done with the
 * arguments. Texts of the engine's errors are left out.
 */
const calls = `(seed, times) => {
  let state = seed;
  const random = below => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
  const holders = {
    Array, ArrayBuffer, BigInt, BigInt64Array, Boolean, DataView, Date, Error, Function, Int8Array, JSON, Map, Math,
    Number, Object, Promise, Proxy, Reflect, RegExp, Set, String, Symbol, TypeError, Uint8Array, Uint8ClampedArray,
    WeakMap, WeakSet, TextEncoder, TextDecoder, URL, URLSearchParams, AggregateError, hardening: { harden },
    TypedArray: Object.getPrototypeOf(Uint8Array),
    texts: { parseInt, parseFloat, encodeURI, encodeURIComponent, decodeURI, decodeURIComponent, escape, unescape },
    generators: Object.getPrototypeOf(function* () {}).prototype,
  };
  const built = [];
  const add = (holder, label) => {
    for (const key of Reflect.ownKeys(holder)) {
      const found = Object.getOwnPropertyDescriptor(holder, key);
      for (const part of ['value', 'get', 'set'])
        if (typeof found[part] === 'function' && key !== 'constructor')
          built.push([label + '.' + String(key) + '.' + part, found[part]]);
    }
  };
  for (const [name, holder] of Object.entries(holders)) {
    add(holder, name);
    if (typeof holder !== 'function') continue;
    if (typeof holder.prototype === 'object') add(holder.prototype, name + '.prototype');
    built.push(['new ' + name, (...args) => Reflect.construct(holder, args)], [name, holder]);
  }
  const did = [];
  const doing = (what, act) => (...args) => { did.push(what); return act(...args); };
  const watched = target => new Proxy(target, Object.fromEntries(
    ['get', 'has', 'ownKeys', 'getOwnPropertyDescriptor', 'set', 'deleteProperty', 'defineProperty'].map(trap => [
      trap, (object, ...rest) => { did.push(trap + ' ' + String(rest[0])); return Reflect[trap](object, ...rest); },
    ])));
  const resizing = () => new ArrayBuffer(8, { maxByteLength: 16 });
  const makers = [
    ...[undefined, null, 0, -0, 1, -1, 2, 3.7, NaN, Infinity, -Infinity, 2 ** 31, 2 ** 32, 2 ** 53, 1e21, 1e-7, 36, 10,
      '', 'a', 'abcabc', '\\ud800', '  1_2 ', '12e3', 'éÀß\\u0130', '👍🏽', 'length', 'x,y;z', '%41%', '%E0%A4%A', 'g',
      'gimsuyd', '$1$&$<a>', '2020-02-30', '2020-01-01T00:00:00.123+05:30', 'Tue Mar 01 2022', '[1,{"a":2}]',
      'http://é.com:80/../a?b#c', 10n, -5n, 2n ** 64n, true, false, Symbol.iterator, Symbol('s'), Symbol.for('r'),
      Array, Uint8Array, Map, Object, String, Error, Promise, Reflect, JSON, Math].map(value => () => value),
    () => [], () => [1, 2, 3], () => [3, , 'b', undefined, null], () => [[1, [2]], 3], () => ({}),
    () => ({ a: 1, b: { c: 2 } }), () => ({ length: 3, 0: 'x', 2: 'z' }),
    () => ({ valueOf: doing('valueOf', () => 3), toString: doing('toString', () => 'q') }),
    () => ({ [Symbol.toPrimitive]: doing('toPrimitive', hint => (hint === 'number' ? 7 : 'k')) }),
    () => ({ get a() { did.push('get a'); return 1; }, get length() { did.push('get length'); return 2; } }),
    () => ({ then: doing('then', resolve => resolve(1)) }),
    () => ({ [Symbol.iterator]: doing('iterator', () => {
      let i = 0;
      return {
        next: doing('next', () => { i += 1; return { done: i > 2, value: i }; }),
        return: doing('return', () => ({})),
      };
    }) }),
    () => ({ configurable: true, enumerable: true, value: 1, writable: true }), () => ({ get: () => 1 }),
    () => ({ size: 2, has: doing('has', () => true), keys: doing('keys', () => [1, 2].values()) }),
    () => ({ raw: ['a', 'b'] }), () => ({ cause: 1 }), () => ({ groups: { a: 'x' }, index: 0, 0: 'm' }),
    () => function named(a, b) { return b; }, () => x => x,
    () => (a, b) => { did.push('compared'); return a < b ? -1 : 1; },
    () => doing('called', (a, b) => typeof a === 'number' && a > 1), () => () => { throw RangeError('mine'); },
    () => class A { static s = 1; m() {} }, () => async () => 1, () => function* g() { yield 1; yield 2; },
    () => /a(?<n>b)?/g, () => /b/y, () => /(?:)/u, () => /./s, () => /x*/,
    () => Object.assign(/a/g, { lastIndex: 5 }),
    () => Object.defineProperty(/b/g, 'exec', { value: doing('exec', () => null) }),
    () => new Map([[1, 2], ['a', {}]]), () => new Set([1, 'a', NaN]), () => new WeakMap(), () => new WeakSet(),
    () => new Date(0), () => new Date(NaN), () => new Date(1e12), () => new Uint8Array([1, 2, 3]),
    () => new BigInt64Array(2), () => new ArrayBuffer(8), () => new DataView(new ArrayBuffer(8), 2),
    () => resizing(), () => new Uint8Array(resizing()), () => new Uint16Array(resizing(), 2, 2),
    () => { const buffer = resizing(); const array = new Int8Array(buffer, 4, 4); buffer.resize(5); return array; },
    () => { const buffer = resizing(); const view = new DataView(buffer); buffer.resize(16); return view; },
    () => new Uint8Array(new ArrayBuffer(8), 4), () => Promise.resolve(1), () => Error('e', { cause: 2 }),
    () => new TypeError('te'), () => new AggregateError([1], 'ag'), () => Object(1n), () => Object('str'),
    () => Object(Symbol.iterator), () => Object(1), () => Object.freeze([1, 2]), () => Object.freeze({ a: 1 }),
    () => Object.create(null), () => Object.create({ inherited: 1 }, { hidden: { value: 1 } }),
    () => new Proxy({ a: 1 }, {}), () => watched([1, 2]), () => watched({ length: 1, 0: 'one' }),
    () => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy; },
    () => (function () { return arguments; })(1, 2), () => [1, 2][Symbol.iterator](),
    () => new Map([[1, 2]]).entries(), () => 'ab'.matchAll(/./g), () => (function* () { yield 1; })(),
    () => new URL('http://a.b/c?d=e#f'), () => new URLSearchParams('a=1&b=2&a=3'), () => new TextDecoder(),
    () => new TextEncoder(),
  ];
  const show = (value, depth = 0) => {
    if (typeof value === 'string') return JSON.stringify(value.length > 200 ? value.slice(0, 200) + value.length : value);
    if (typeof value === 'bigint') return value.toString(36).slice(0, 100) + 'n';
    if (Object.is(value, -0)) return '-0';
    if (Object(value) !== value) return String(value);
    try {
      if (typeof value === 'function') return 'function ' + value.name + value.length + Reflect.ownKeys(value).map(String);
      if (depth > 2) return '...';
      let text = Object.prototype.toString.call(value);
      const keys = Reflect.ownKeys(value);
      for (const key of keys.slice(0, 12)) {
        const found = Object.getOwnPropertyDescriptor(value, key);
        const isTextOfEngine = key === 'message' && value instanceof Error;
        text += ' ' + String(key);
        if (key === 'stack') continue;
        text += (found.writable ? 'w' : '') + (found.enumerable ? 'e' : '') + (found.configurable ? 'c' : '') + ':';
        text += isTextOfEngine || !('value' in found) ? '-' : show(found.value, depth + 1);
      }
      if (value instanceof Map || value instanceof Set) text += [...value].map(each => show(each, depth + 1));
      if (value instanceof Date) text += value.getTime();
      if (value instanceof RegExp) text += value.source + value.flags;
      return text + Object.isExtensible(value);
    } catch (error) {
      return 'shown with ' + error.name;
    }
  };
  const notes = [];
  for (let i = 0; i < times; i += 1) {
    const [name, call] = built[random(built.length)];
    // They read other properties of an object that is no regular expression (docs/design/determinism.md).
    if (/Symbol\\.(replace|match)\\)/.test(name)) continue;
    const self = makers[random(makers.length)]();
    const args = Array.from({ length: random(4) }, () => makers[random(makers.length)]());
    did.length = 0;
    let result;
    try {
      result = call.apply(self, args);
      if (result instanceof Promise) Promise.prototype.catch.call(result, () => {});
      result = show(result);
    } catch (error) {
      result = 'throws ' + (error && error.name);
    }
    notes.push([i, name, result, did.slice(0, 40), show(self), ...args.map(each => show(each))].join(' '));
  }
  return notes.join('\\n');
}`;

/** SHA-256 of the notes; equal on Node 20, 22, 24 and 26. */
const pinned = 'a3f3c58ce0155bf5c184ef02227b087e593567592e2d45e43ce598327a83a926';

test('built-ins do the same on every Node', t => {
  t.teardown(installRejectionPolicy(() => {}));
  const notes = evaluate(`(${calls})(20, 40_000)`);
  t.is(createHash('sha256').update(notes).digest('hex'), pinned);
  t.true(notes.length > 1_000_000);
});

test('a typed array with elements is not sealed', t => {
  t.deepEqual(
    evaluate(`[0, 2].map(length => {
      const array = new Uint8Array(length);
      try { Object.seal(array); } catch (error) { return [error.name, Object.isExtensible(array)]; }
      return Object.isSealed(array);
    })`),
    [true, ['TypeError', false]],
  );
});

test('a typed array stays extensible while its buffer can be resized', t => {
  t.deepEqual(
    evaluate(`[Object.preventExtensions, Object.seal, Object.freeze, harden, Reflect.preventExtensions].map(end => {
      const buffer = new ArrayBuffer(0, { maxByteLength: 8 });
      return [new Uint8Array(buffer), new DataView(buffer), new Uint8Array(2).subarray(1, 1)].map(view => {
        let result;
        try { result = end(view) !== false; } catch (error) { result = error.message; }
        return [result, Object.isExtensible(view)].join();
      }).join(' ');
    })`),
    [
      ...Array(4).fill(
        'a typed array stays extensible while its buffer can be resized,true true,false true,false',
      ),
      'false,true true,false true,false',
    ],
  );
});

test('an object that inherits from a proxy is named by its own kind', t => {
  t.deepEqual(
    evaluate(`[{}, [], () => {}, new Date(0), Error('e'), Object(1), (function () { return arguments; })()].map(made =>
      Object.prototype.toString.call(Object.setPrototypeOf(made, new Proxy([], {}))))`),
    ['Object', 'Array', 'Function', 'Date', 'Error', 'Number', 'Arguments'].map(
      kind => `[object ${kind}]`,
    ),
  );
  t.is(
    evaluate(`String(Object.create(new Proxy({ [Symbol.toStringTag]: 'T' }, {})))`),
    '[object T]',
  );
});

test('a date is read before the arguments of its setters are converted, all of them', t => {
  t.deepEqual(
    evaluate(`['UTCMonth', 'Month', 'UTCHours', 'Seconds', 'FullYear'].flatMap(part => [0, NaN].map(time => {
      const date = new Date(time);
      const seen = [];
      const convert = (number, then) => ({ valueOf() { seen.push(number); date.setTime(then); return number; } });
      const result = date['set' + part](convert(1, 1e12), convert(2, 2e12));
      return [seen.join(), result, date.getTime()].join(' ');
    }))`),
    [
      ...['1,2 2764800000 2764800000', '1,2 NaN 2000000000000'],
      ...['1,2 2764800000 2764800000', '1,2 NaN 2000000000000'],
      ...['1,2 3720000 3720000', '1,2 NaN 2000000000000'],
      ...['1,2 1002 1002', '1,2 NaN 2000000000000'],
      ...['1,2 -62130499200000 -62130499200000', '1,2 -62130499200000 -62130499200000'],
    ],
  );
  t.is(
    evaluate('[new Date(5).setMilliseconds(), Date.prototype.setUTCHours.length].join()'),
    'NaN,4',
  );
  t.throws(() => evaluate('Date.prototype.setMonth.call({}, 1)'), { instanceOf: TypeError });
});

test('`with` of a typed array converts the index, then the value', t => {
  t.deepEqual(
    evaluate(`[new Uint8Array(2), new BigInt64Array(2)].map((array, i) => {
      const seen = [];
      const convert = value => ({ valueOf() { seen.push(value); return value; } });
      return seen.concat([...array.with(convert(1), convert(i === 0 ? 300 : 2n ** 64n - 1n))]).map(String).join();
    })`),
    ['1,300,0,44', '1,18446744073709551615,0,-1'],
  );
  t.throws(() => evaluate('new BigInt64Array(1).with(0, 1)'), { instanceOf: TypeError });
  t.throws(() => evaluate('new Uint8Array(1).with(0, 1n)'), { instanceOf: TypeError });
  t.throws(() => evaluate('new Uint8Array(1).with(1, 1)'), { instanceOf: RangeError });
});

test('`fill` of a typed array fills what there was when it was called', t => {
  t.deepEqual(
    evaluate(`[[16], [3], [0], [16, -2], [16, 1, -1], [16, 0, 99]].flatMap(([size, ...places]) =>
      [Uint8Array, BigInt64Array].map(ArrayOf => {
        const buffer = new ArrayBuffer(size && 5 * ArrayOf.BYTES_PER_ELEMENT, { maxByteLength: 128 });
        const array = new ArrayOf(buffer);
        const isBig = ArrayOf === BigInt64Array;
        const value = { valueOf() { buffer.resize(size * ArrayOf.BYTES_PER_ELEMENT); return isBig ? 7n : 7; } };
        return array.fill(value, ...places) === array && array.slice(0, 7).join('');
      }))`),
    ['7777700', '777', '', '0007700', '0777000', '7777700'].flatMap(text => [text, text]),
  );
  t.deepEqual(
    evaluate(`[[[1], 1], [new BigInt64Array(1), 1], [new Uint8Array(1), 1n]].map(([self, value]) => {
      try { return Uint8Array.prototype.fill.call(self, value); } catch (error) { return error.name; }
    })`),
    ['TypeError', 'TypeError', 'TypeError'],
  );
});

test('one item is sorted without being looked at', t => {
  t.is(evaluate(`String(Array.prototype.sort.call('a'))`), 'a');
  t.is(evaluate(`Array.prototype.sort.call(Object.freeze(['a'])).length`), 1);
});

/** The order of jobs in races, and what becomes of iterators and of values that are no promises. */
const races = `async race => {
  const notes = [];
  const note = text => notes.push(text);
  let i = 0;
  const walk = {
    [Symbol.iterator]: () => ({
      next: () => { i += 1; return { done: i > 3, value: i }; },
      return: () => { note('closed'); return {}; },
    }),
  };
  const bad = { get: () => { throw Error('bad'); } };
  const never = new Promise(() => {});
  const given = [
    [never, Promise.resolve('a'), 'b'], ['b', Promise.resolve('a')], [never, Promise.reject(Error('c')), 1], [], walk, 5,
    [{ then(resolve, reject) { note('then'); reject('d'); resolve('e'); throw Error('f'); } }, 'g'],
    [Promise.resolve({ then: resolve => resolve('h') }), never], [Object.defineProperty(Promise.resolve(1), 'constructor', bad)],
    { [Symbol.iterator]: () => ({ next: () => ({ done: false, value: Object.defineProperty(Promise.resolve(1), 'constructor', bad) }), return: () => { note('closed early'); return {}; } }) },
  ];
  const ticks = (async () => { for (let n = 0; n < 12; n += 1) { await null; note(n); } })();
  for (const [n, values] of given.entries())
    race(values).then(value => note(n + ' ' + value), error => note(n + ' ' + (error?.name ?? error)));
  await ticks;
  return notes.join();
}`;

test('a race takes the jobs of the engine’s', async t => {
  // As Node's own has it, without lockdown.
  t.is(
    await evaluate(`(${races})(values => Promise.race(values))`),
    'closed early,0,5 TypeError,then,8 Error,9 Error,1,0 a,1 b,2 Error,4 1,6 g,7 h,2,3,4,5,6,7,8,9,10,11',
  );
});

test('hardening calls the same traps of proxies on every engine', t => {
  const traps = evaluate(`(() => {
    const did = [];
    const handler = new Proxy({}, { get: (_, trap) => void did.push(trap) });
    const hardened = [new Proxy({}, handler), Object.create(new Proxy({}, handler)), [new Proxy(() => {}, handler)]];
    return hardened.map(value => {
      did.length = 0;
      harden(value);
      return did.join(' ');
    });
  })()`);
  const ofObject = 'preventExtensions ownKeys ownKeys getPrototypeOf';
  const read = 'ownKeys getOwnPropertyDescriptor';
  const froze = 'defineProperty getOwnPropertyDescriptor defineProperty';
  const ofFunction = `preventExtensions ${read} ${froze} ${read} getOwnPropertyDescriptor getPrototypeOf`;
  t.deepEqual([...traps], [ofObject, ofObject, ofFunction]);
});

test('hardening makes the stack of an error a value, whatever it inherits from', t => {
  const stacks =
    evaluate(`[Error.prototype, new Proxy(Error.prototype, {}), {}, null].map(proto => {
    const error = Object.setPrototypeOf(Error('x'), proto);
    harden(error);
    return typeof Object.getOwnPropertyDescriptor(error, 'stack').value;
  })`);
  t.deepEqual([...stacks], ['string', 'string', 'string', 'string']);
});
