import test from 'ava';
import fc from 'fast-check';

import { Schedule } from '../timer/schedule.js';
import { measureSeries } from '../timer/times.js';

/** @typedef {{ time: number, id: number }} Entry */

test('a schedule equals a list sorted by time, under any additions, removals and takes', t => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('add'), time: fc.nat(20) }),
    fc.record({ kind: fc.constant('remove'), at: fc.nat() }),
    fc.record({ kind: fc.constant('take'), time: fc.nat(20) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), steps => {
      /** @type {Schedule<Entry>} */
      const schedule = new Schedule();
      /** @type {Entry[]} in the order in which they were added */
      let model = [];
      steps.forEach((each, id) => {
        if ('at' in each) {
          if (model.length === 0) return;
          const [gone] = model.splice(each.at % model.length, 1);
          schedule.remove(gone.time, gone);
          schedule.remove(gone.time, gone);
        } else if (each.kind === 'add') {
          const entry = { time: each.time, id };
          model.push(entry);
          schedule.add(each.time, entry);
        } else {
          const due = model.filter(({ time }) => time <= each.time);
          model = model.filter(({ time }) => time > each.time);
          const expected = due.sort((left, right) => left.time - right.time || left.id - right.id);
          t.deepEqual(schedule.takeUpTo(each.time), expected);
        }
        const times = model.map(({ time }) => time);
        t.is(schedule.first, times.length === 0 ? undefined : Math.min(...times));
        t.is(schedule.isEmpty, model.length === 0);
      });
    }),
  );
  t.pass();
});

test('measureSeries finds the latest and the next time of a series', t => {
  const at = (/** @type {number} */ now) => measureSeries(10, 10, now);
  t.deepEqual(at(0), { latest: undefined, next: 10 });
  t.deepEqual(at(9), { latest: undefined, next: 10 });
  t.deepEqual(at(10), { latest: { time: 10, count: 1 }, next: 20 });
  t.deepEqual(at(19), { latest: { time: 10, count: 1 }, next: 20 });
  t.deepEqual(at(30), { latest: { time: 30, count: 3 }, next: 40 });
  t.deepEqual(measureSeries(0, 7, 15), { latest: { time: 14, count: 3 }, next: 21 });
});
