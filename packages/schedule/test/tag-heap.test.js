import test from 'ava';
import fc from 'fast-check';
import { TagHeap } from '../index.js';

/** @typedef {{ timeNs: number, microstep: number, id: number, seq: number, child: any, sibling: any }} Item */

/** @type {(timeNs: number, microstep: number, id: number) => Item} */
const makeItem = (timeNs, microstep, id) => ({
  timeNs,
  microstep,
  id,
  seq: 0,
  child: null,
  sibling: null,
});

test('events come out by tag, and as they were put in within a tag', t => {
  const step = fc.oneof(
    fc.record({ timeNs: fc.nat(5), microstep: fc.nat(2) }),
    fc.constant('take'),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), steps => {
      /** @type {TagHeap<Item>} */
      const heap = new TagHeap();
      /** @type {Item[]} */
      let sorted = [];
      steps.forEach((what, id) => {
        if (typeof what === 'object') {
          const item = makeItem(what.timeNs, what.microstep, id);
          heap.push(item);
          sorted.push(item);
          sorted.sort((a, b) => a.timeNs - b.timeNs || a.microstep - b.microstep || a.id - b.id);
        } else {
          t.is(heap.take()?.id, sorted[0]?.id);
          sorted = sorted.slice(1);
        }
        t.is(heap.first?.id, sorted[0]?.id);
        t.is(heap.size, sorted.length);
      });
      t.deepEqual(
        heap.drain().map(({ id }) => id),
        sorted.map(({ id }) => id),
      );
      t.is(heap.first, null);
    }),
    { numRuns: 300 },
  );
});

test('an event that was taken can be put in again', t => {
  /** @type {TagHeap<Item>} */
  const heap = new TagHeap();
  const tick = makeItem(0, 0, 1);
  heap.push(tick);
  for (let i = 1; i <= 5; i += 1) {
    t.is(heap.take(), tick);
    tick.timeNs = i;
    heap.push(tick);
  }
  t.is(heap.size, 1);
});
