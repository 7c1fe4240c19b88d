import { Far, passStyleOf } from '@endo/far';
import { makeMarshal } from '@endo/marshal';

const errorOf = source => {
  try {
    source();
  } catch (error) {
    return error;
  }
  return undefined;
};

const generator = function* () {};
const asyncGenerator = async function* () {};

/** Everything that mallory and bob may share. By name; made anew in each vat. */
export const listThings = () => {
  const starts = {
    object: {},
    array: [],
    function: () => {},
    asyncFunction: async () => {},
    generator,
    generatorObject: generator(),
    asyncGenerator,
    promise: Promise.resolve(),
    regExp: /x/,
    date: Date,
    map: new Map(),
    set: new WeakSet(),
    typed: new Uint8Array(4),
    view: new DataView(new ArrayBuffer(4)),
    iterator: [][Symbol.iterator](),
    stringIterator: 'x'[Symbol.iterator](),
    matches: 'x'.matchAll(/x/g),
    error: Error('x'),
    nullError: errorOf(() => null.x),
    urlError: errorOf(() => new URL('x')),
    url: new URL('http://example.org/?a=b'),
    params: new URL('http://example.org/?a=b').searchParams,
    paramsIterator: new URL('http://example.org/?a=b').searchParams.keys(),
    encoder: new TextEncoder(),
    decoder: new TextDecoder(),
    encoded: new TextEncoder().encodeInto('x', new Uint8Array(2)),
    bytes: new TextEncoder().encode('x'),
    proxy: Proxy.revocable({}, {}),
    symbol: Symbol.iterator,
    console,
    compartment: new Compartment(),
    compartmentClass: Compartment,
    inner: new Compartment().globalThis.Object,
    far: Far,
    remotable: Far('thing', {}),
    passStyleOf,
    marshal: makeMarshal(),
    handled: HandledPromise,
    harden,
    assert,
    details: assert.details`x`,
    arguments: (function () {
      return arguments;
    })(),
    dateIso: Object.getOwnPropertyDescriptors(Date.prototype),
    json: JSON,
    math: Math,
    reflect: Reflect,
  };
  const things = new Map();
  const seen = new Set();
  const visit = (path, value, depth) => {
    if (Object(value) !== value || seen.has(value) || depth > 4) return;
    seen.add(value);
    things.set(path, value);
    visit(`${path}.[[Prototype]]`, Object.getPrototypeOf(value), depth + 1);
    for (const [key, { value: inner, get, set }] of Object.entries(
      Object.getOwnPropertyDescriptors(value),
    )) {
      visit(`${path}.${key}`, inner, depth + 1);
      visit(`${path}.get ${key}`, get, depth + 1);
      visit(`${path}.set ${key}`, set, depth + 1);
    }
    for (const key of Object.getOwnPropertySymbols(value)) {
      const { value: inner, get, set } = Object.getOwnPropertyDescriptor(value, key);
      visit(`${path}.${String(key)}`, inner ?? get ?? set, depth + 1);
    }
  };
  for (const [name, start] of Object.entries(starts)) visit(name, start, 0);
  return things;
};
