import test from 'ava';
import fc from 'fast-check';

import { compareLog, compareLogByVat, compareLogLines } from '../log.js';

test('a changed line is shown from both sides with its number', t => {
  t.deepEqual(compareLog(['a', 'b', 'x', 'd'], ['a', 'b', 'c', 'd']), [
    'line 3: expected "c"',
    'line 3: got "x"',
  ]);
});

test('missing and surplus lines are named once, not everything after them', t => {
  t.deepEqual(compareLog(['a', 'c', 'd', 'e'], ['a', 'b', 'c', 'd']), [
    'line 2: expected "b"',
    'line 4: got "e"',
  ]);
});

test('lines in another order are the same lines', t => {
  t.deepEqual(compareLogLines(['b', 'a', 'a'], ['a', 'b', 'a']), []);
  t.deepEqual(compareLogLines(['b', 'b', 'c'], ['a', 'b']), [
    'missing 1 times: "a"',
    'too often by 1: "b"',
    'too often by 1: "c"',
  ]);
});

test('another order between vats is allowed, within a vat it is not', t => {
  const want = ['a: 1', 'b: 1', 'a: 2'];
  t.deepEqual(compareLogByVat(['b: 1', 'a: 1', 'a: 2'], want), []);
  t.deepEqual(compareLogByVat(['a: 2', 'b: 1', 'a: 1'], want).length, 2);
});

test('a log equals only itself', t => {
  const log = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });
  fc.assert(
    fc.property(log, log, (got, want) => {
      const same = JSON.stringify(got) === JSON.stringify(want);
      t.is(compareLog(got, want).length === 0, same);
      t.is(
        compareLogLines(got, want).length === 0,
        JSON.stringify([...got].sort()) === JSON.stringify([...want].sort()),
      );
    }),
  );
});
