// Buffers of vats are bounded, the same everywhere; below the bound they do what the engine's do.

import test from 'ava';
import fc from 'fast-check';
import { maxBufferBytes } from '#loader/compartment/vat-buffers.js';
import { makeVatCompartment } from '#loader/compartment/index.js';
import { ensureLockdown } from '#loader/lockdown.js';
import { endWithoutMemory, noteMemoryRefusal } from '#loader/memory-refusal.js';
import { runVats } from '../vats/run-vats.js';

test.before(() => ensureLockdown());

/** @param {string} code */
const evaluate = code => makeVatCompartment({ name: 'x' }).evaluate(code);

const arrayNames = Object.getOwnPropertyNames(globalThis).filter(name =>
  /^(Big)?(Int|Uint).*Array$/.test(name),
);

const over = maxBufferBytes + 1;

/** @type {[string, string][]} */
const tooLarge = [
  [`new ArrayBuffer(${over})`, 'a buffer'],
  [`new ArrayBuffer(2 ** 60)`, 'a buffer that no engine has'],
  [`new ArrayBuffer(Infinity)`, 'an endless buffer'],
  [`new ArrayBuffer(1, { maxByteLength: ${over} })`, 'room to grow'],
  [`new Uint32Array(${over / 4 + 1})`, 'a typed array'],
  [`new Uint32Array({ length: ${over} })`, 'one of something like a list'],
  [`new Uint32Array(new Uint8Array(${maxBufferBytes / 2}))`, 'one of other numbers'],
  [`Uint8Array.from({ length: ${over} })`, 'one made from something like a list'],
  [`Reflect.construct(ArrayBuffer, [${over}], Object)`, 'a buffer with another prototype'],
  [`new (class extends Uint8Array {})(${over})`, 'one of a subclass'],
  [`new (new Uint8Array(1).constructor)(${over})`, 'by the class of another one'],
  [`new (new Uint8Array(1).buffer.constructor)(${over})`, 'by the class of the buffer behind one'],
  [
    `new (new Uint8Array(1).toSorted().buffer.slice().constructor)(${over})`,
    'by a class that the engine chose',
  ],
  [
    `const a = new Uint8Array(1); a.constructor = undefined; new (a.map(x => x).constructor)(${over})`,
    'by a class that the engine chose for want of another',
  ],
  [`new Compartment().evaluate('new ArrayBuffer(${over})')`, 'in a compartment of the vat'],
  [
    `let seen; const a = new Uint8Array(9);
     a.constructor = { [Symbol.species]: function (buffer) { seen = buffer; return new Uint8Array(9); } };
     a.subarray(1); new seen.constructor(${over})`,
    'by a buffer that the engine hands to a class of the vat',
  ],
];
for (const [code, title] of tooLarge)
  test(`refused, in the same words: ${title}`, t => {
    t.throws(() => evaluate(code), {
      name: 'RangeError',
      message: 'Array buffer allocation failed',
    });
  });

test('a buffer of the largest size is given', t => {
  t.is(evaluate(`new ArrayBuffer(${maxBufferBytes}).byteLength`), maxBufferBytes);
});

const element = fc.integer({ min: -300, max: 300 });

test("typed arrays do what the engine's do", t => {
  const { globalThis: vat } = makeVatCompartment({ name: 'x' });
  t.true(arrayNames.length >= 9);
  fc.assert(
    fc.property(
      fc.constantFrom(...arrayNames),
      fc.array(element, { maxLength: 6 }),
      element,
      (name, list, at) => {
        /** @type {any[]} */
        const values = /^Big/.test(name) ? list.map(BigInt) : list;
        /** @type {((array: any, Class: any) => any)[]} */
        const uses = [
          array => array.map((/** @type {any} */ x) => x),
          array => array.filter((/** @type {any} */ _x, /** @type {number} */ i) => i % 2 === 0),
          array => array.slice(at % 7),
          array => array.subarray(at % 7, 4),
          array => array.toReversed(),
          array => array.toSorted(),
          array => (array.length > 0 ? array.with(-1, values[0]) : array),
          (_array, Class) => Class.from(values),
          (_array, Class) => Class.from(new Set(values)),
          (_array, Class) => Class.of(...values),
          (_array, Class) => new Class({ ...values, length: values.length }),
          (array, Class) => new Class(array),
          (array, Class) => new Class(array.buffer.slice(0)),
          (array, Class) => new Class(array.buffer, array.byteOffset),
        ];
        for (const use of uses) {
          const [own, engines] = [vat[name], /** @type {any} */ (globalThis)[name]].map(Class =>
            use(new Class(values), Class),
          );
          t.deepEqual([...own], [...engines], String(use));
          t.true(own instanceof vat[name]);
          t.is(own.constructor, vat[name]);
          t.is(own.buffer.constructor, vat.ArrayBuffer);
          t.is(Object.prototype.toString.call(own), `[object ${name}]`);
        }
      },
    ),
  );
});

/** @type {[string, unknown][]} */
const said = [
  [
    'const b = new ArrayBuffer(2, { maxByteLength: 8 }); b.resize(5); [b.byteLength, b.maxByteLength, b.resizable].join()',
    '5,8,true',
  ],
  ['ArrayBuffer.isView(new DataView(new ArrayBuffer(1))) && !ArrayBuffer.isView({})', true],
  ['new DataView(new ArrayBuffer(4)).buffer instanceof ArrayBuffer', true],
  ['Object.getPrototypeOf(Uint8Array) === Object.getPrototypeOf(BigInt64Array)', true],
  [
    'ArrayBuffer[Symbol.species] === ArrayBuffer && Uint8Array[Symbol.species] === Uint8Array',
    true,
  ],
  ['Uint16Array.BYTES_PER_ELEMENT + new Uint16Array(1).BYTES_PER_ELEMENT', 4],
  ['new (class Mine extends Uint8Array { get first() { return this[0]; } })([7]).first', 7],
  ['new TextEncoder().encode("h") instanceof Uint8Array', true],
  ['const a = harden(new Uint8Array(2)); a[1] = 5; a[1]', 5],
  ['[...new Uint8Array([1, 2]).entries()].join()', '0,1,1,2'],
  ['"transfer" in ArrayBuffer.prototype', false],
];
for (const [code, value] of said) test(`in a vat: ${code}`, t => t.is(evaluate(code), value));

for (const code of [
  'Uint8Array(1)',
  'ArrayBuffer(1)',
  'new (Object.getPrototypeOf(Uint8Array))()',
  'new Uint8Array(1n)',
  'new ArrayBuffer(Symbol("x"))',
  'new BigInt64Array([1])',
  'Uint8Array.prototype.length',
])
  test(`a TypeError in a vat: ${code}`, t => {
    t.throws(() => evaluate(code), { name: 'TypeError' });
  });

for (const code of [
  'new ArrayBuffer(-1)',
  'new Uint8Array(-1)',
  'new ArrayBuffer(4, { maxByteLength: 3 })',
  'new ArrayBuffer(1, { maxByteLength: 3 }).resize(4)',
  'new Uint16Array(new ArrayBuffer(3))',
])
  test(`a RangeError in a vat: ${code}`, t => {
    t.throws(() => evaluate(code), { name: 'RangeError' });
  });

const sources = (/** @type {string} */ body) => ({
  hoarder: `import { Far } from '@endo/far';
    export const buildRootObject = () => Far('hoarder', { first() { ${body} }, last: () => 'alive' });`,
  bootstrap: `import { E, Far } from '@endo/far';
    export const buildRootObject = () => Far('bootstrap', {
      async bootstrap({ hoarder }) {
        for (const method of ['first', 'last'])
          console.log(await E(hoarder)[method]().catch(({ message }) => message));
      },
    });`,
});

test('a vat does not learn how much memory the machine has', async t => {
  const { printed } = await runVats(
    sources(`
      let low = 0;
      let high = 2 ** 45;
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2);
        try {
          new ArrayBuffer(middle);
          low = middle;
        } catch {
          high = middle;
        }
      }
      return low;`),
  );
  t.deepEqual(printed, [`bootstrap: ${maxBufferBytes}`, 'bootstrap: alive']);
});

test('a refusal by the engine ends the crank whatever the vat makes of it', t => {
  /** @type {any} */
  const calls = { begin: () => {}, finish: () => ({ fault: null }) };
  const supervisor = endWithoutMemory(
    () => calls,
    () => {},
  );
  const begin = () =>
    supervisor.begin(/** @type {any} */ ([]), () => /** @type {any} */ (0), {
      timeNs: 0,
      microstep: 0,
      stage: 0,
    });
  begin();
  t.is(/** @type {any} */ (supervisor.finish()).fault, null);
  calls.begin = () => noteMemoryRefusal(RangeError('x'), { isByEngine: true });
  begin();
  t.is(/** @type {any} */ (supervisor.finish()).fault, 'it asked for more memory than there is');
  calls.begin = () => {};
  begin();
  t.is(/** @type {any} */ (supervisor.finish()).fault, null);
});
