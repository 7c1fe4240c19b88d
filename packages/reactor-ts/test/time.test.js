import test from 'ava';
import fc from 'fast-check';
import { Tag, TimeUnit, TimeValue, unitBasedTimeValueCLAType } from '../index.js';

const time = fc
  .tuple(fc.nat({ max: 1e9 }), fc.nat({ max: 999_999_999 }))
  .map(([seconds, ns]) => TimeValue.secsAndNs(seconds, ns));
const tag = fc.tuple(time, fc.nat({ max: 1000 })).map(([at, microstep]) => new Tag(at, microstep));

test('a time that is added and subtracted again changes nothing', t => {
  fc.assert(fc.property(time, time, (a, b) => a.add(b).subtract(b).isEqualTo(a)));
  t.pass();
});

test('all comparisons of tags agree on one order', t => {
  fc.assert(
    fc.property(tag, tag, (a, b) => {
      const is = [a.isSmallerThan(b), a.isSimultaneousWith(b), a.isGreaterThan(b)];
      return (
        is.filter(Boolean).length === 1 &&
        a.isSmallerThanOrEqualTo(b) === !is[2] &&
        a.isGreaterThanOrEqualTo(b) === !is[0]
      );
    }),
  );
  t.pass();
});

test('a tag survives the conversion to bytes and back', t => {
  fc.assert(fc.property(tag, a => Tag.fromBinary(a.toBinary()).isSimultaneousWith(a)));
  for (const special of [TimeValue.never(), TimeValue.forever()])
    t.true(TimeValue.fromBinary(special.toBinary()).isEqualTo(special));
});

test('never and forever stay as they are whatever is added', t => {
  const some = TimeValue.sec(1);
  t.true(TimeValue.never().add(some).isNever());
  t.true(some.add(TimeValue.forever()).isForever());
  t.true(TimeValue.never().add(TimeValue.forever()).isZero());
});

test('an invalid time is refused', t => {
  t.throws(() => new TimeValue(-1), { message: /negative or non-integer/ });
  t.throws(() => TimeValue.withUnits(1.5, TimeUnit.sec), { message: /Non-integer/ });
  t.throws(() => TimeValue.sec(1).subtract(TimeValue.sec(2)), { message: 'Negative time value.' });
  t.throws(() => new Tag(TimeValue.zero(), -1), { message: 'Microstep must be positive.' });
});

test('a duration of the command line has a number, a space and a unit', t => {
  t.is(String(unitBasedTimeValueCLAType('5 sec')), '(5 secs; 0 nsecs)');
  t.is(String(unitBasedTimeValueCLAType('3 minutes')), '(180 secs; 0 nsecs)');
  for (const text of ['5sec', '5 ages', 'sec', '-1 sec', ''])
    t.is(unitBasedTimeValueCLAType(text), null);
});
