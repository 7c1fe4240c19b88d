// The fast path for the JSON of plain messages: what it reads is what `JSON.parse` gives, and it reads the plain ones.

import test from 'ava';
import fc from 'fast-check';
import { readPlainMessage } from '../marshal/plain-message.js';

/** @param {string} body */
const parse = body => {
  const [method, args] = JSON.parse(body.slice(1));
  return { method, args };
};

test('plain messages are read', t => {
  for (const body of [
    '#["ping",[]]',
    '#["ping",["hello"]]',
    '#["",[""]]',
    '#["ping",["$0.Alleged: root",0,17,999999999999999]]',
    '#["#undefined",["!x","#undefined","+5","é\u2028"]]',
    '#["__proto__",["constructor"]]',
  ])
    t.deepEqual(readPlainMessage(body), parse(body), body);
});

test('what is not plain, or no message, is left to the engine', t => {
  for (const body of [
    '#',
    '#[',
    '#["',
    '#["a"',
    '#["a",',
    '#["a",[',
    '#["a",["',
    '#["a",[]',
    '#["a",[]]]',
    '#["a",[]] ',
    '#["a",[,]]',
    '#["a",[1,]]',
    '#["a",["b",]]',
    '#["a",[01]]',
    '#["a",[1.5]]',
    '#["a",[1e5]]',
    '#["a",[-1]]',
    '#["a",[1000000000000000]]',
    '#["a",[null]]',
    '#["a",[true]]',
    '#["a",[[]]]',
    '#["a",[{}]]',
    '#["a", []]',
    '#["a",["\\n"]]',
    '#["a",["\n"]]',
    '#["\\u0061",[]]',
    '#["a\u0000",[]]',
    '#["a",["b"x]]',
    '#[1,[]]',
    '#"a"',
    `#["a",["${'b'.repeat(200)}"]]`,
  ])
    t.is(readPlainMessage(body), undefined, body);
});

test('each body that it reads is read as the engine reads it', t => {
  const piece = fc.constantFrom(
    '[',
    ']',
    ',',
    '"',
    '\\',
    '0',
    '1',
    '23',
    'a',
    '#',
    '-',
    '.',
    ' ',
    'é',
    '\n',
    '{',
    '}',
  );
  const wild = fc.array(piece, { maxLength: 20 }).map(pieces => `#["${pieces.join('')}`);
  const plain = fc
    .tuple(
      fc.string(),
      fc.array(fc.oneof(fc.string(), fc.nat(), fc.maxSafeInteger()), { maxLength: 4 }),
    )
    .map(message => `#${JSON.stringify(message)}`);
  let count = 0;
  fc.assert(
    fc.property(fc.oneof(wild, plain), body => {
      const read = readPlainMessage(body);
      if (read === undefined) return;
      count += 1;
      t.deepEqual(read, parse(body), body);
    }),
    { numRuns: 2_000 },
  );
  t.true(count > 100, `only ${count} were read`);
});

test('names that share a place among those read last are kept apart', t => {
  // Equal in length, first, middle and last character.
  for (const name of ['abcde', 'axcye', 'abcde', 'axcze', 'é\u{1f600}x', 'é\u{1f600}x', 'a', 'b'])
    t.is(readPlainMessage(`#["${name}",[]]`)?.method, name);
});
