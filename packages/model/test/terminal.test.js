// Text on its way to a terminal.

import test from 'ava';
import fc from 'fast-check';
import { showInLine, showLines, showText } from '#model';

/** Whether a text has a character that must never reach a terminal, whoever wrote it. */
const isUnsafe = (/** @type {string} */ text) =>
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/.test(text) ||
  !text.isWellFormed();

const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(
      '\u001b',
      '\n',
      '\r',
      '\u009b',
      '\u202e',
      '\u2028',
      '\ud800',
      '\udc00',
      '\t',
      'a',
      '\ufeff',
    ),
  }),
);

test('of the characters that move a cursor only line breaks and tabs remain', t => {
  fc.assert(
    fc.property(nasty, text => {
      t.false(isUnsafe(showInLine(text)));
      t.false(showInLine(text).includes('\n'));
      t.false(isUnsafe(showLines(text)));
      t.false(isUnsafe(showText(text)));
    }),
  );
});

test('a text that was made safe stays as it is', t => {
  fc.assert(fc.property(nasty, text => t.is(showInLine(showInLine(text)), showInLine(text))));
});

test('every line has its prefix', t => {
  fc.assert(
    fc.property(nasty, text => {
      for (const line of showLines(text, { prefix: 'vat bob: ' }).split('\n'))
        t.true(line.startsWith('vat bob: '));
    }),
  );
});

test('JSON stays the same JSON', t => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), value => {
      t.deepEqual(
        JSON.parse(showText(JSON.stringify(value, null, 2))),
        JSON.parse(JSON.stringify(value)),
      );
    }),
  );
});

test('plain text in any language stays as it is', t => {
  for (const text of ['hello, world', 'Grüße', '日本語', 'עברית', '👩‍👩‍👧 🇨🇭', 'a\tb']) {
    t.is(showInLine(text), text);
    t.is(showLines(text), text);
  }
});

test('controls are shown by their numbers', t => {
  t.is(showInLine('a\u001b[2K\r\nb\u202e\u009b\u0000'), 'a\\u001B[2K\\r\\nb\\u202E\\u009B\\u0000');
  t.is(showLines('a\r\nb\rc'), 'a\nb\\rc');
});

test('long lines and many lines are cut, and it is said by how much', t => {
  t.is(showInLine('x'.repeat(12), 10), `${'x'.repeat(10)}… 2 more characters`);
  t.is(showInLine('x'.repeat(11), 10), `${'x'.repeat(10)}… 1 more character`);
  t.is(showInLine(`${'x'.repeat(9)}👍👍`, 10), `${'x'.repeat(9)}… 4 more characters`);
  t.is(showLines('a\nb\nc\nd', { most: 2, prefix: '> ' }), '> a\n> b\n> … 2 more lines');
  t.true(showLines('x'.repeat(10_000_000)).length < 3_000);
  t.true(showLines('\n'.repeat(10_000_000)).length < 3_000);
});
