import test from 'ava';
import fc from 'fast-check';

import { compareTexts, KeyOrder } from '#model';

test('walking finds the keys that are there, in order, whatever comes, goes and comes back', t => {
  const arbKey = fc
    .tuple(fc.constantFrom('a.', 'b.'), fc.string({ unit: 'binary', maxLength: 3 }))
    .map(parts => parts.join(''));
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('add'), key: arbKey }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete'), key: arbKey }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('walk'), key: arbKey }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400, size: 'max' }), steps => {
      const order = new KeyOrder();
      /** @type {Set<string>} */
      const there = new Set();
      for (const { kind, key } of steps) {
        if (kind === 'delete') there.delete(key);
        else if (kind === 'add') {
          if (!there.has(key)) order.add(key);
          there.add(key);
        } else {
          const prefix = key.slice(0, 2);
          const expected = [...there]
            .filter(other => other.startsWith(prefix) && compareTexts(other, key) > 0)
            .sort(compareTexts);
          const found = [];
          let at = order.after(key, prefix, each => there.has(each));
          while (at !== undefined) {
            found.push(at);
            at = order.after(at, prefix, each => there.has(each));
          }
          t.deepEqual(found, expected);
        }
      }
    }),
  );
  t.pass();
});
