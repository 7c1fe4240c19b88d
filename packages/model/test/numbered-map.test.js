import test from 'ava';
import fc from 'fast-check';
import { maxNumber, NumberedMap } from '../numbered-map.js';

test('a numbered map holds what a Map would, by the numbers', t => {
  const arbNumber = fc.oneof(
    { weight: 3, arbitrary: fc.nat(200) },
    fc.nat(5_000),
    fc.nat(3).map(less => maxNumber - less),
  );
  const arbStep = fc.record({ op: fc.constantFrom('set', 'delete'), number: arbNumber });
  fc.assert(
    fc.property(fc.array(arbStep, { maxLength: 1000, size: 'max' }), steps => {
      /** @type {NumberedMap<number>} */
      const numbered = new NumberedMap();
      const model = new Map();
      steps.forEach(({ op, number }, i) => {
        if (op === 'set') {
          numbered.set(number, i);
          model.set(number, i);
        } else {
          t.is(numbered.delete(number), model.delete(number));
        }
        t.is(numbered.size, model.size);
        t.is(numbered.get(number), model.get(number));
        t.is(numbered.get(number + 64), model.get(number + 64));
      });
      /** @type {[number, number][]} */
      const visited = [];
      numbered.forEach((value, number) => visited.push([number, value]));
      t.deepEqual(
        visited,
        [...model].sort(([left], [right]) => left - right),
      );
    }),
    { numRuns: 100 },
  );
});

test('numbers that go as fast as they come leave nothing behind', t => {
  const numbered = new NumberedMap();
  numbered.set(3, 'stays');
  for (let number = 100; number < 100_000; number += 1) {
    numbered.set(number, 'comes');
    numbered.delete(number - 10);
  }
  t.is(numbered.size, 11);
  t.true(numbered.pages <= 3);
  t.is(numbered.get(3), 'stays');
});

test('an entry may be deleted while it is visited', t => {
  const numbered = new NumberedMap();
  for (let number = 0; number < 300; number += 1) numbered.set(number, number);
  numbered.forEach((_, number) => numbered.delete(number));
  t.is(numbered.size, 0);
});
