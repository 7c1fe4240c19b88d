import test from 'ava';
import { PhysicalTime } from '../tables/physical-time.js';

/** @param {any} shown */
const timeOf = shown => new PhysicalTime({ nowNs: () => shown, isLate: () => false });

test('a reading of the clock is recorded for the vat that asked', t => {
  const time = timeOf(1500);
  t.is(time.read('v1', 1000, 0), 1500);
  t.deepEqual(time.takeReads(), [{ kind: 'clock', vatId: 'v1', data: '1500' }]);
});

for (const [shown, told] of /** @type {[unknown, string][]} */ ([
  [1.5, '1.5'],
  [NaN, 'NaN'],
  [Infinity, 'Infinity'],
  [2 ** 53, '9007199254740992'],
  [5n, 'bigint'],
  ['5', 'string'],
  [undefined, 'undefined'],
  [null, 'null'],
])) {
  test(`a clock of the host program that shows ${typeof shown} ${String(shown)} is refused, and nothing is recorded`, t => {
    const time = timeOf(shown);
    t.throws(() => time.read('v1', 1000, 0), {
      message: `the clock's nowNs() gave ${told}; whole nanoseconds since the start of the run are wanted`,
    });
    t.deepEqual(time.takeReads(), []);
  });
}
