import test from 'ava';
import fc from 'fast-check';

import { formatDuration, formatExactDuration, parseDuration, unitsNs } from '../index.js';

test('a duration with a unit is a number of nanoseconds', t => {
  for (const [text, ns] of /** @type {[string | number, number][]} */ ([
    ['0', 0],
    ['0ns', 0],
    [17, 17],
    ['1 us', 1_000],
    ['1µs', 1_000],
    ['1.1 ms', 1_100_000],
    ['1.000001ms', 1_000_001],
    ['  2s ', 2_000_000_000],
    ['1.5 min', 90_000_000_000],
    ['0.25h', 900_000_000_000],
    ['104 d', 8_985_600_000_000_000],
    ['9007199254740991 ns', 2 ** 53 - 1],
  ])) {
    t.is(parseDuration(text), ns, String(text));
  }
});

test('any whole number of a unit is exact, up to 2^53-1 ns', t => {
  fc.assert(
    fc.property(
      fc.maxSafeNat(),
      fc.constantFrom(...Object.entries(unitsNs)),
      (n, [unit, factor]) => {
        const count = Math.floor(n / factor);
        t.is(parseDuration(`${count}${unit}`), count * factor);
      },
    ),
  );
});

test('a decimal fraction of a unit is exact', t => {
  fc.assert(
    fc.property(fc.nat(1e9), fc.nat(999_999_999), (seconds, ns) => {
      const fraction = String(ns).padStart(9, '0');
      if (seconds > 9_007_198) return;
      t.is(parseDuration(`${seconds}.${fraction} s`), seconds * 1e9 + ns);
    }),
  );
});

test('a text that is no duration is an error that says what would be one', t => {
  const wrong = [
    '',
    '5',
    '-1s',
    '1 week',
    '1.5ns',
    '0.0000000001 s',
    '105 d',
    '9007199254740992ns',
  ];
  for (const text of [...wrong, '1e3 s', 's', '1..5s', '1 S', '.5s', -1, 0.5, NaN, 2 ** 53]) {
    t.throws(() => parseDuration(text), {
      instanceOf: RangeError,
      message: `${typeof text === 'number' ? text : JSON.stringify(text)} is not a duration; write a number and ns, us, ms, s, min, h or d, at most 104 days`,
    });
  }
});

test('a duration is shown in a unit that keeps it short', t => {
  t.deepEqual([0, 812, 4_700, 47_000, 470_000, 4_700_000, 12_340_000_000].map(formatDuration), [
    '0 ns',
    '812 ns',
    '4.70 µs',
    '47.0 µs',
    '470 µs',
    '4.70 ms',
    '12.34 s',
  ]);
});

test('a duration that is rounded up to the next unit is shown in it, and a long one has no exponent', t => {
  t.deepEqual(
    [999.4, 999.7, 999_400, 999_700, 999_600_000, 999_960_000_000, 1e13, 9_999.9e9].map(
      formatDuration,
    ),
    ['999 ns', '1.00 µs', '999 µs', '1.00 ms', '0.9996 s', '1000 s', '10000 s', '10000 s'],
  );
});

test('an exact duration is in the largest unit that it fills, and is read again', t => {
  t.is(formatExactDuration(0), '0 ns');
  t.is(formatExactDuration(999), '999 ns');
  t.is(formatExactDuration(1_500), '1.5 µs');
  t.is(formatExactDuration(500_000_000), '500 ms');
  t.is(formatExactDuration(10_000_000_001), '10.000000001 s');
  t.is(formatExactDuration(3_600_000_000_000), '3600 s');
  fc.assert(fc.property(fc.maxSafeNat(), ns => t.is(parseDuration(formatExactDuration(ns)), ns)));
});
