// A vat's console makes a text of anything. Hooks that Node's own console would call (inspect, toJSON, getters, traps, tags)
// must not run in the host, nor may what is printed cost more than its size, or differ between ways of running.
import { E, Far } from '@endo/far';

let calls = 0;
const hook = () => {
  calls += 1;
  return 'HOOKED';
};

const wide = depth => (depth === 0 ? [] : Array.from({ length: 30 }, () => wide(depth - 1)));
const dag = () => {
  let node = {};
  for (let i = 0; i < 16; i += 1) node = { a: node, b: node };
  return node;
};

const things = () => [
  { [Symbol.for('nodejs.util.inspect.custom')]: hook, inspect: hook, toJSON: hook, toString: hook },
  new Proxy(
    {},
    {
      ownKeys: () => ['a'],
      getOwnPropertyDescriptor: () => {
        throw Error('trap');
      },
    },
  ),
  new Proxy([], {
    get: () => {
      throw Error('trap');
    },
  }),
  Object.create(null, { [Symbol.toStringTag]: { get: hook } }),
  new Array(4_000_000_000),
  Object.assign([], { length: 2 ** 32 - 1, x: 1 }),
  dag(),
  wide(3),
  'x'.repeat(200_000),
  { ['y'.repeat(200_000)]: 1 },
  Symbol('z'.repeat(10_000)),
  10n ** 20_000n,
  new Map(Array.from({ length: 500 }, (_, i) => [i, new Map([[i, i]])])),
  Object.defineProperty(() => {}, 'name', { get: hook }),
  Object.defineProperty(class {}, 'name', { value: { toString: hook } }),
  Object.setPrototypeOf(new Map(), null),
  Object.setPrototypeOf({}, new Map()),
  Object.setPrototypeOf({}, Date.prototype),
  Object.create(Promise.prototype),
  Object.create(Error.prototype, { message: { get: hook }, stack: { get: hook } }),
  new (class extends Map {
    get size() {
      return hook();
    }
  })(),
  new (class extends Uint8Array {
    get length() {
      return 2 ** 40;
    }
  })(3),
  new (class extends Set {
    [Symbol.iterator]() {
      return hook();
    }
  })([1]),
  Object.defineProperty([1], 0, { get: hook, enumerable: true }),
  globalThis,
  Far('thing', {}),
  E({}),
  HandledPromise,
  new Compartment(),
];

export const buildRootObject = () =>
  Far('bootstrap', {
    bootstrap() {
      for (const thing of things()) {
        // For repeated parts, %j takes as long as JSON.stringify in the vat itself.
        for (const format of ['%s', '%o', '%O', '%j', '%d', '%i', '%f', '%c', '%%', '%']) {
          try {
            console.log(format, thing);
          } catch (error) {
            console.warn(`refused: ${error.name}`);
          }
        }
        try {
          console.log(thing);
          console.error({ thing }, [thing]);
        } catch (error) {
          console.warn(`refused: ${error.name}`);
        }
      }
      console.log('%s'.repeat(50_000), 1);
      console.log(...new Array(5000).fill('%s'));
      return calls;
    },
  });
