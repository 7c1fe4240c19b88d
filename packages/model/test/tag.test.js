import test from 'ava';
import fc from 'fast-check';

import { compareTags, delayTag, formatTag, makeTag } from '../index.js';

const arbNumber = fc.oneof(fc.nat(3), fc.maxSafeNat());
const arbTag = fc
  .tuple(arbNumber, arbNumber)
  .map(([timeNs, microstep]) => makeTag(timeNs, microstep));

test('tags are in a total order: time, then microstep', t => {
  fc.assert(
    fc.property(arbTag, arbTag, arbTag, (a, b, c) => {
      t.is(compareTags(a, a), 0);
      t.is(compareTags(a, b) + compareTags(b, a), 0, 'antisymmetric');
      t.is(compareTags(a, b) === 0, a.timeNs === b.timeNs && a.microstep === b.microstep);
      if (compareTags(a, b) <= 0 && compareTags(b, c) <= 0) t.true(compareTags(a, c) <= 0);
      if (a.timeNs < b.timeNs) t.is(compareTags(a, b), -1);
    }),
  );
});

test('a tag is formatted as its time and its microstep', t => {
  t.is(formatTag({ timeNs: 1500, microstep: 2 }), '1500ns.2');
});

test('a delay of 0 is one microstep; any other moves the time and begins its microsteps anew', t => {
  t.deepEqual(delayTag({ timeNs: 7, microstep: 3 }, 0), { timeNs: 7, microstep: 4 });
  t.deepEqual(delayTag({ timeNs: 7, microstep: 3 }, 1), { timeNs: 8, microstep: 0 });
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.nat(), fc.nat(), (time, microstep, one, two) => {
      const tag = makeTag(time, microstep);
      t.is(compareTags(tag, delayTag(tag, one)), -1, 'a delayed tag is later');
      t.is(
        compareTags(delayTag(tag, one), delayTag(tag, two)),
        /** @type {any} */ (Math.sign(one - two)),
      );
    }),
  );
});

test('a tag beyond 104 days, or with a fraction, is an error that says so', t => {
  t.throws(() => delayTag({ timeNs: 2 ** 53 - 1, microstep: 0 }, 1), {
    instanceOf: RangeError,
    message: "a tag's time is 0 to 2^53-1 nanoseconds (104 days), got 9007199254740992",
  });
  t.throws(() => makeTag(0.5, 0), { instanceOf: RangeError });
  t.throws(() => makeTag(0, -1), { message: "a tag's microstep is a whole number from 0, got -1" });
});
