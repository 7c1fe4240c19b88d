// TextEncoder and TextDecoder of vats agree with Node's where its versions agree, and throw errors of their own.

import test from 'ava';
import fc from 'fast-check';
import { makeVatCompartment } from '../compartment/index.js';
import { ensureLockdown } from '../lockdown.js';

test.before(() => ensureLockdown());

/** @param {string} code */
const evaluate = code => makeVatCompartment({ name: 'x' }).evaluate(code);

/** Bytes with many that begin, continue or end a character. */
const byte = fc.oneof(
  fc.constantFrom(0xef, 0xbb, 0xbf, 0xe0, 0xa0, 0xed, 0x9f, 0xf0, 0x90, 0xf4, 0x8f, 0xc2, 0x80),
  fc.constantFrom(0xd8, 0xdc, 0xff, 0xfe, 0x00, 0x41),
  fc.integer({ min: 0, max: 255 }),
);

const chunks = fc.array(fc.array(byte, { maxLength: 12 }), { maxLength: 5 });

/** Decode a stream. @param {any} decoder @param {number[][]} parts */
const decodeAll = (decoder, parts) => {
  try {
    const texts = parts.map(part => decoder.decode(Uint8Array.from(part), { stream: true }));
    return [...texts, decoder.decode()].join('');
  } catch (error) {
    return /** @type {Error} */ (error).name;
  }
};

for (const label of ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252']) {
  test(`a stream of ${label} decodes to the same text as its bytes at once`, t => {
    const { TextDecoder } = makeVatCompartment({ name: 'x' }).globalThis;
    fc.assert(
      fc.property(chunks, fc.boolean(), fc.boolean(), (parts, fatal, ignoreBOM) => {
        const make = () => new TextDecoder(label, { fatal, ignoreBOM });
        t.is(decodeAll(make(), parts), decodeAll(make(), [parts.flat()]));
      }),
    );
  });
}

for (const label of ['utf-8', 'utf-16le']) {
  test(`Node's decoder of ${label} agrees`, t => {
    const { TextDecoder } = makeVatCompartment({ name: 'x' }).globalThis;
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 12 }), fc.boolean(), (bytes, fatal) => {
        const given = Uint8Array.from(bytes);
        const own = decodeAll(new TextDecoder(label, { fatal }), [bytes]);
        let nodes;
        try {
          nodes = new globalThis.TextDecoder(label, { fatal }).decode(given);
        } catch (error) {
          nodes = /** @type {Error} */ (error).name;
        }
        t.is(own, nodes);
      }),
      { numRuns: 500 },
    );
  });
}

test('an encoded text is decoded again, and lone surrogates are replaced', t => {
  const { TextEncoder, TextDecoder } = makeVatCompartment({ name: 'x' }).globalThis;
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      t.deepEqual([...new TextEncoder().encode(text)], [...Buffer.from(text)]);
      t.is(
        new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text)),
        text,
      );
    }),
  );
  t.deepEqual([...new TextEncoder().encode('\ud800')], [0xef, 0xbf, 0xbd]);
  t.deepEqual(
    evaluate(`
    const bytes = new Uint8Array(5);
    const { read, written } = new TextEncoder().encodeInto('aé€', bytes.subarray(1));
    [read, written, ...bytes].join();
  `),
    '2,3,0,97,195,169,0',
  );
});

test('labels and options are as in the standard', t => {
  for (const [label, name] of [
    [' UTF8\\n', 'utf-8'],
    ['ucs-2', 'utf-16le'],
    ['unicodefffe', 'utf-16be'],
    ['latin1', 'windows-1252'],
  ])
    t.is(evaluate(`new TextDecoder('${label}').encoding`), name);
  t.is(
    evaluate("new TextDecoder('latin1').decode(new Uint8Array([0x80, 0x81, 0xe9]))"),
    '€\u0081é',
  );
  t.deepEqual(
    evaluate(
      'const d = new TextDecoder(undefined, { fatal: 1 }); `${[d.encoding, d.fatal, d.ignoreBOM]}`',
    ),
    'utf-8,true,false',
  );
  t.is(
    evaluate("'' + new TextDecoder() + new TextEncoder() + new TextEncoder().encoding"),
    '[object TextDecoder][object TextEncoder]utf-8',
  );
});

/** @type {[string, string][]} */
const refused = [
  [
    'new TextDecoder("nope")',
    'RangeError: TextDecoder does not know this encoding; it knows utf-8, utf-16le, utf-16be, windows-1252',
  ],
  ['new TextDecoder("utf-8", 5)', 'TypeError: the options of TextDecoder must be an object'],
  [
    'new TextDecoder().decode(5)',
    'TypeError: TextDecoder decodes an ArrayBuffer, a typed array or a DataView',
  ],
  [
    'new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([255]))',
    'TypeError: the bytes are not utf-8',
  ],
  ['new TextEncoder().encodeInto("", {})', 'TypeError: TextEncoder writes into a Uint8Array'],
];
for (const [code, text] of refused)
  test(`refused with an error of ours: ${code}`, t => {
    t.is(evaluate(`try { ${code}; } catch (error) { \`\${error}\`; }`), text);
  });

test('properties that a vat defines on its bytes are not read', t => {
  t.is(
    evaluate(`
      let asked = 0;
      const liar = Object.assign(new Uint8Array([104, 105]));
      for (const name of ['buffer', 'byteLength', 'byteOffset', 'length', 'constructor'])
        Object.defineProperty(liar, name, { get() { asked += 1; return 1e9; } });
      const inner = new ArrayBuffer(2);
      Object.defineProperty(inner, 'byteLength', { get() { asked += 1; return 1e9; } });
      const said = new TextDecoder().decode(liar) + new TextDecoder().decode(inner).length;
      new TextEncoder().encodeInto('xy', liar);
      said + asked + liar[0];
    `),
    'hi20120',
  );
});

test('a subclass and inner compartments use the same classes', t => {
  t.is(evaluate('new (class Mine extends TextDecoder {})().decode(new Uint8Array([104]))'), 'h');
  t.true(evaluate("new Compartment().evaluate('TextDecoder') === TextDecoder"));
  t.true(
    evaluate(
      "new Compartment().evaluate('new Compartment().globalThis.TextEncoder') === TextEncoder",
    ),
  );
  t.is(evaluate("new Compartment({ TextEncoder: 5 }).evaluate('TextEncoder')"), 5);
});

test('a compartment with a prototype of the vat works like others', t => {
  t.true(
    evaluate(`
      function Mine() {}
      Mine.prototype = { get globalThis() { return {}; } };
      const made = Reflect.construct(Compartment, [], Mine);
      Compartment.prototype.evaluate.call(made, 'TextEncoder') === TextEncoder;
    `),
  );
});
