// Buffers of vats have a bound. Mallory looks for a class of the engine that knows none: in what the engine makes by itself, for
// want of a class (`constructor` undefined) or of its prototype, with a class of mallory's (species), as the buffer behind an array, in compartments.
import { E, Far } from '@endo/far';

const bytes = () => new Uint8Array(9);
const nameless = () => Object.assign(bytes(), { constructor: undefined });

/** Made for a class without a prototype: the engine then takes its own of the realm of that class. */
const bare = (constructor, ...args) => {
  function Bare() {}
  Bare.prototype = null;
  return Reflect.construct(constructor, args, Bare);
};

const spy = use => {
  const seen = [];
  const array = bytes();
  array.constructor = {
    [Symbol.species]: function Spy(...args) {
      seen.push(...args.filter(arg => Object(arg) === arg));
      return bytes();
    },
  };
  use(array);
  return seen;
};

const things = () => [
  bytes(),
  bytes().buffer,
  bytes().toSorted(),
  bytes().toSorted().buffer,
  bytes().toReversed(),
  bytes().with(0, 1),
  nameless().map(x => x),
  nameless().filter(() => true),
  nameless().slice(),
  nameless().subarray(1),
  nameless().slice().buffer,
  Object.assign(new ArrayBuffer(9), { constructor: undefined }).slice(1),
  ...spy(array => array.subarray(1)),
  ...spy(array => array.map(x => x)),
  ...spy(array => array.slice()),
  Uint8Array.from([1]),
  Uint8Array.of(1).buffer,
  new TextEncoder().encode('x'),
  new TextEncoder().encode('x').buffer,
  new DataView(new ArrayBuffer(8)).buffer,
  new DataView(bytes().buffer).buffer,
  new Compartment().evaluate('new Uint8Array(9)'),
  new Compartment().evaluate('new Compartment().evaluate("new Uint8Array(9).buffer")'),
  Reflect.construct(Uint8Array, [9], Uint16Array),
  bare(Uint8Array, 9),
  bare(Uint8Array, bytes()),
  bare(Uint8Array, [1, 2]),
  bare(Uint8Array, bytes().buffer),
  bare(Uint8Array, 9).buffer,
  bare(ArrayBuffer, 9),
  bare(ArrayBuffer, 9, { maxByteLength: 10 }).slice(),
  new Proxy(bytes(), {}),
];

const ask = (get, thing) => {
  try {
    return Reflect.apply(get, thing, []);
  } catch {
    return undefined;
  }
};

const classesOf = thing => {
  const found = [];
  for (let each = thing; each !== null; each = Object.getPrototypeOf(each))
    for (const key of Reflect.ownKeys(each)) {
      const { value, get } = Reflect.getOwnPropertyDescriptor(each, key);
      for (const held of [value, get && ask(get, thing)])
        if (typeof held === 'function') found.push(held);
    }
  return found;
};

const largest = construct => {
  let low = 0;
  let high = 2 ** 36;
  while (high - low > 2 ** 20) {
    const middle = Math.floor((low + high) / 2);
    try {
      construct(middle);
      low = middle;
    } catch {
      high = middle;
    }
  }
  return low;
};

export const buildRootObject = () =>
  Far('bootstrap', {
    bootstrap() {
      const classes = new Set(
        things()
          .flatMap(classesOf)
          .filter(held => {
            try {
              // Not those that copy what they are given.
              return (
                ArrayBuffer.isView(new held(4)) ||
                new held(4) instanceof ArrayBuffer ||
                new held(4).byteLength === 4
              );
            } catch {
              return false;
            }
          }),
      );
      const found = [...classes].map(
        held => `${held.name} ${largest(size => new held(size)) >> 20}`,
      );
      console.log([...new Set(found)].sort().join());
    },
  });
