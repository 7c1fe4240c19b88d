// A host's copy of a vat's store keeps nothing of deleted keys.

import test from 'ava';
import { StoreCopy } from '../store-copy.js';

/** @param {StoreCopy} copy */
const keysOf = copy => {
  /** @type {string[]} */
  const keys = [];
  for (;;) {
    const answer = copy.answer(['vatstoreGetNextKey', keys.at(-1) ?? '']);
    if (answer?.kind !== 'value' || answer.value === undefined) return keys;
    keys.push(answer.value);
  }
};

for (const [what, keyOf] of /** @type {[string, (i: number) => string][]} */ ([
  ['new keys', i => `key.${i}`],
  ['keys of one name', () => 'key'],
])) {
  test(`${what} that are set and deleted in each crank are forgotten`, t => {
    const copy = new StoreCopy(['a', '1', 'z', '2']);
    for (let i = 0; i < 20_000; i += 1)
      copy.apply([
        ['vatstoreSet', keyOf(i), 'value'],
        ['vatstoreDelete', keyOf(i)],
      ]);
    t.true(copy.heldKeys < 3_000, `${copy.heldKeys} keys are held`);
    t.deepEqual(keysOf(copy), ['a', 'z']);
  });
}

test('keys that are still there are found in order after others were forgotten', t => {
  const copy = new StoreCopy([]);
  for (let i = 0; i < 10_000; i += 1) {
    copy.apply([['vatstoreSet', `k${String(i).padStart(5, '0')}`, String(i)]]);
    if (i % 100 !== 0) copy.apply([['vatstoreDelete', `k${String(i).padStart(5, '0')}`]]);
  }
  t.deepEqual(
    keysOf(copy),
    Array.from({ length: 100 }, (_, i) => `k${String(i * 100).padStart(5, '0')}`),
  );
});
