import test from 'ava';
import fc from 'fast-check';

import { loadConformance } from '../load.js';
import { normalizeResult, parseLooseJson, parseResult } from '../results.js';

test('a result that is one reference is read though its key is unquoted', t => {
  const text = 'fulfilled: {"body":"{\\"@qclass\\":\\"slot\\",index:0}","slots":["ko24"]}';
  t.deepEqual(parseResult(text), { state: 'fulfilled', value: { $slot: 'ko24' } });
});

test('both generations of capdata say the same', t => {
  const pairs = [
    ['{"@qclass":"undefined"}', '#"#undefined"', []],
    ['[1,"x",{"a":null}]', '#[1,"x",{"a":null}]', []],
    ['{"@qclass":"bigint","digits":"-12"}', '#"-12"', []],
    ['{"@qclass":"bigint","digits":"7"}', '#"+7"', []],
    ['{"@qclass":"NaN"}', '#"#NaN"', []],
    ['"#not special"', '#"!#not special"', []],
    ['[{"@qclass":"slot","index":1,"iface":"Alleged: x"}]', '#["$1.Alleged: y"]', ['ko1', 'ko2']],
    ['{"@qclass":"slot","index":0}', '#"&0"', ['kp4']],
    [
      '{"@qclass":"error","name":"TypeError","message":"no"}',
      '#{"#error":"no","name":"TypeError"}',
      [],
    ],
  ];
  for (const [old, today, slots] of pairs) {
    const [left, right] = [old, today].map(body =>
      normalizeResult(`fulfilled: ${JSON.stringify({ body, slots })}`),
    );
    t.is(left, right);
  }
});

test('fulfilled and rejected with the same data differ', t => {
  const data = '{"body":"1","slots":[]}';
  t.not(normalizeResult(`fulfilled: ${data}`), normalizeResult(`rejected: ${data}`));
  t.is(normalizeResult('still pending'), normalizeResult('did not finish'));
});

test('other text is refused with what it should have been', t => {
  t.throws(() => parseResult('done'), { message: /"done" is not a result; it would be/ });
});

test('every result text of the conformance programs can be read', t => {
  for (const { bootstrapResult, benchmark } of loadConformance()) {
    for (const text of [bootstrapResult ?? '', ...(benchmark?.results ?? [])]) {
      t.notThrows(() => normalizeResult(text));
    }
  }
});

test('unquoted keys are read, and colons and braces in strings are left alone', t => {
  t.deepEqual(parseLooseJson('{a:{b:"{c:1}"},"d":[1]}'), { a: { b: '{c:1}' }, d: [1] });
  fc.assert(
    fc.property(fc.string(), fc.integer(), (text, number) => {
      const loose = `{text:${JSON.stringify(text)},number:${number}}`;
      t.deepEqual(parseLooseJson(loose), { text, number });
    }),
  );
});
