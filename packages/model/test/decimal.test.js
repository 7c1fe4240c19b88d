import test from 'ava';
import fc from 'fast-check';

import { decimal } from '../index.js';

test('decimal writes every safe integer as String does', t => {
  const edges = [0, 1, 9, 10, 999, 1000, 1001, 10_000, 999_999, 1_000_000, 1_000_001, -1, -1000];
  for (const value of [...edges, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])
    t.is(decimal(value), String(value));
  fc.assert(fc.property(fc.maxSafeInteger(), value => decimal(value) === String(value)));
  t.pass();
});
