// Bytes: what is written is read again, and no other way of writing it exists.

import test from 'ava';
import fc from 'fast-check';

import { ByteReader, ByteWriter, toZigzag } from '../index.js';

const arbNumber = fc.oneof(
  fc.maxSafeNat(),
  fc.nat(300),
  fc.nat(53).map(bits => 2 ** bits - 1),
  fc.integer({ min: 1, max: 52 }).map(bits => 2 ** bits),
  fc.constantFrom(0x7f, 0x80, 0x3fff, 0x4000, 0x7fffffff, 0x80000000, 0xffffffff, 2 ** 53 - 1),
);

/** Well-formed text of all of Unicode. */
const arbText = fc.oneof(
  fc.string({ unit: 'binary' }).filter(text => text.isWellFormed()),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'grapheme-ascii', minLength: 100, maxLength: 1000 }),
  fc.constantFrom(
    '',
    '\ufeff',
    '\ufeffbody',
    '\0',
    '\uffff',
    '\u{10ffff}',
    'x'.repeat(127),
    'x'.repeat(128),
  ),
  fc.constantFrom(`${'x'.repeat(126)}é`, 'é'.repeat(64), `${'x'.repeat(5000)}\u{1f600}`),
);

const written = (/** @type {(writer: ByteWriter) => void} */ write) => {
  const writer = new ByteWriter(1);
  write(writer);
  return writer.view().slice();
};

test('numbers from 0 to 2^53-1 are read as they were written', t => {
  fc.assert(
    fc.property(fc.array(arbNumber), numbers => {
      const reader = new ByteReader(
        written(writer => {
          for (const number of numbers) writer.varint(number);
        }),
      );
      for (const number of numbers) t.is(reader.varint(), number);
      t.true(reader.done);
    }),
  );
});

test('a number takes one byte for every seven bits', t => {
  fc.assert(
    fc.property(arbNumber, number => {
      const bits = number === 0 ? 1 : number.toString(2).length;
      t.is(written(writer => writer.varint(number)).length, Math.ceil(bits / 7));
    }),
  );
});

test('a number has the bytes of its test vector', t => {
  for (const [number, hex] of /** @type {[number, string][]} */ ([
    [0, '00'],
    [127, '7f'],
    [128, '8001'],
    [300, 'ac02'],
    [2 ** 31, '8080808008'],
    [2 ** 53 - 1, 'ffffffffffffff0f'],
  ])) {
    t.is(Buffer.from(written(writer => writer.varint(number))).toString('hex'), hex);
  }
});

test('a number over 2^53-1 is refused, as is one that does not end', t => {
  t.throws(() => new ByteReader(Uint8Array.from([...Array(7).fill(0xff), 0x10])).varint(), {
    message: 'number before byte 8 is over 2^53-1',
  });
  t.throws(() => new ByteReader(Uint8Array.from(Array(400).fill(0x80).concat(1))).varint(), {
    instanceOf: RangeError,
  });
  t.throws(() => new ByteReader(Uint8Array.of(0x80)).varint(), {
    message: 'record ends at byte 1, in a value',
  });
});

test('texts of all of Unicode are read as they were written', t => {
  fc.assert(
    fc.property(fc.array(arbText), texts => {
      const reader = new ByteReader(
        written(writer => {
          for (const text of texts) writer.text(text);
        }),
      );
      for (const text of texts) t.is(reader.text(), text);
      t.true(reader.done);
    }),
  );
});

test('a text is its UTF-8 with the length before it, however long it is', t => {
  fc.assert(
    fc.property(arbText, text => {
      const utf8 = Buffer.from(text);
      const head = written(writer => writer.varint(utf8.length));
      t.deepEqual(Buffer.from(written(writer => writer.text(text))), Buffer.concat([head, utf8]));
    }),
  );
});

test('a body that comes again, or one like it, is written as it is', t => {
  const arbBody = fc
    .tuple(
      fc.integer({ min: 20, max: 60 }),
      fc.array(fc.constantFrom('a', 'b', 'é', '\u{1f600}', '\ud800')),
    )
    .map(([size, parts]) => `#${'x'.repeat(size)}${parts.join('')}${'x'.repeat(size)}`);
  const encoder = new TextEncoder();
  fc.assert(
    fc.property(fc.array(arbBody, { minLength: 1, maxLength: 8 }), bodies => {
      for (const body of [...bodies, ...bodies]) {
        const bytes = encoder.encode(body);
        const expected = written(writer => {
          writer.varint(bytes.length);
          writer.raw(bytes);
        });
        t.deepEqual(
          written(writer => writer.text(body)),
          expected,
        );
      }
    }),
    { numRuns: 500 },
  );
});

test('a lone surrogate is written as U+FFFD, and the same everywhere', t => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0xd700, max: 0xe100 }), { maxLength: 200 }), codes => {
      const text = String.fromCharCode(...codes);
      const reader = new ByteReader(written(writer => writer.text(text)));
      t.is(reader.text(), text.toWellFormed());
      t.true(reader.done);
    }),
  );
  t.is(Buffer.from(written(writer => writer.text('a\ud800b'))).toString('hex'), '0561efbfbd62');
});

test('texts that are nearly alike are read as they were written, one after the other and again', t => {
  // They differ in places by which texts that were read of late are not told apart.
  const part = fc.constantFrom('a', 'b', 'é', '\ufffd', '\ufeff', '$1');
  const word = fc.tuple(part, part, fc.constantFrom('', 'xxxxxxxxxxxxxxxxxxxxxx', 'y'.repeat(100)));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 40 }), words => {
      const written = words.map(
        ([one, other, between]) => `v-${one}${between}${other}v${between}-v`,
      );
      const writer = new ByteWriter();
      for (const each of [...written, ...written]) writer.text(each);
      const reader = new ByteReader(Uint8Array.from(writer.view()));
      for (const each of [...written, ...written]) t.is(reader.text(), each);
      t.true(reader.done);
    }),
  );
});

test('bytes that are no UTF-8, and texts cut short, are refused', t => {
  t.throws(() => new ByteReader(Uint8Array.of(1, 0xff)).text(), { instanceOf: TypeError });
  t.throws(() => new ByteReader(Uint8Array.of(3, 0x61, 0x62)).text(), {
    message: 'record ends at byte 3, 4 wanted',
  });
});

test('raw bytes are copied as they are, and the view ends where the writer is', t => {
  const writer = new ByteWriter(2);
  writer.raw(Uint8Array.of(1, 2, 3));
  writer.byte(255);
  t.deepEqual([...writer.view()], [1, 2, 3, 255]);
  const reader = new ByteReader(writer.view());
  t.deepEqual([...reader.raw(3)], [1, 2, 3]);
  t.is(reader.byte(), 255);
  t.true(reader.done);
});

test('zigzag maps the integers to the naturals, each to its own', t => {
  t.deepEqual([0, -1, 1, -2, 2].map(toZigzag), [0, 1, 2, 3, 4]);
  fc.assert(
    fc.property(fc.integer({ min: -(2 ** 52) + 1, max: 2 ** 52 - 1 }), value => {
      const encoded = toZigzag(value);
      t.true(encoded >= 0 && Number.isSafeInteger(encoded));
      t.is(encoded % 2 === 1 ? -(encoded + 1) / 2 : encoded / 2, value);
    }),
  );
});
