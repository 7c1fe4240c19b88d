import test from 'ava';
import fc from 'fast-check';
import { TagHeap } from '../index.js';
import { WideTagHeap } from '../wide-tag-heap.js';

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

test('very many events come out in order, whatever is put in meanwhile', t => {
  /** @type {TagHeap<Item>} */
  const heap = new TagHeap();
  let seed = 1;
  const random = (/** @type {number} */ below) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (seed >> 8) % below;
  };
  let now = 0;
  let id = 0;
  const put = () => {
    heap.push(makeItem(now + random(1000), random(2), id));
    id += 1;
  };
  const many = 2 ** 15 + 5000;
  for (let i = 0; i < many; i += 1) put();
  /** @type {(a: Item, b: Item) => number} */
  const compare = (a, b) => a.timeNs - b.timeNs || a.microstep - b.microstep || a.id - b.id;
  /** @type {Item | undefined} */
  let last;
  let wrong = 0;
  for (let i = 0; i < 40_000; i += 1) {
    const item = /** @type {Item} */ (heap.take());
    if (last && compare(last, item) > 0) wrong += 1;
    last = item;
    now = item.timeNs + 1;
    if (i % 3 !== 0) put();
  }
  t.is(wrong, 0);
  const rest = heap.drain();
  t.deepEqual(
    rest.map(item => item.id),
    [...rest].sort(compare).map(item => item.id),
  );
  t.is(heap.size, 0);
});

test('the wide heap alone is in order, too', t => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.tuple(fc.nat(20), fc.nat(2))), { maxLength: 300 }), steps => {
      /** @type {WideTagHeap<Item>} */
      const heap = new WideTagHeap();
      /** @type {Item[]} */
      let sorted = [];
      steps.forEach((step, id) => {
        if (step === null) {
          t.is(heap.take(), sorted[0] ?? null);
          sorted = sorted.slice(1);
        } else {
          const item = { ...makeItem(step[0], step[1], id), seq: id };
          heap.push(item);
          sorted.push(item);
          sorted.sort((a, b) => a.timeNs - b.timeNs || a.microstep - b.microstep || a.id - b.id);
        }
        t.is(heap.size, sorted.length);
        t.is(heap.first, sorted[0] ?? null);
      });
    }),
  );
});
