import test from 'ava';
import fc from 'fast-check';
import { EventQueue, classes } from '../index.js';

/** @typedef {{ timeNs: number, microstep: number, class: number, stage: number, vatNumber: number, seq: number }} Item */

const arbItem = fc.record({
  timeNs: fc.nat(3),
  microstep: fc.nat(3),
  class: fc.constantFrom(classes.control, classes.message, classes.reaction),
  stage: fc.nat(2),
  vatNumber: fc.nat(2),
});

/** @type {(a: Item, b: Item) => number} */
const compareItems = (a, b) =>
  a.timeNs - b.timeNs ||
  a.microstep - b.microstep ||
  a.class - b.class ||
  (a.class === classes.reaction ? a.stage - b.stage || a.vatNumber - b.vatNumber : 0) ||
  a.seq - b.seq;

test('takes come in tag order, then class, then as queued or by stage and vat', t => {
  fc.assert(
    fc.property(fc.array(fc.oneof(arbItem, fc.constant('take'), fc.constant('again'))), steps => {
      /** @type {EventQueue<Item>} */
      const queue = new EventQueue();
      /** @type {Item[]} */
      let model = [];
      steps.forEach((step, seq) => {
        if (typeof step === 'object') {
          const item = { ...step, seq };
          queue.push(item);
          model.push(item);
        } else {
          model.sort(compareItems);
          t.is(queue.peek(), model[0]);
          const item = queue.take();
          t.is(item, model[0]);
          if (step === 'again' && item) queue.putBack(item);
          else model = model.slice(1);
        }
        t.is(queue.size, model.length);
      });
      model.sort(compareItems);
      t.deepEqual([...queue.inOrder()], model);
    }),
    { numRuns: 500 },
  );
});

test('a long queue of one instant gives back what was taken', t => {
  /** @type {EventQueue<Item>} */
  const queue = new EventQueue();
  for (let seq = 0; seq < 10_000; seq += 1) {
    queue.push({ timeNs: 0, microstep: 0, class: classes.message, stage: 0, vatNumber: 0, seq });
  }
  for (let seq = 0; seq < 10_000; seq += 1) t.is(queue.take()?.seq, seq);
  t.falsy(queue.take());
  t.falsy(queue.nextTag());
});

test('looking ahead shows the beginning of the order, of the first tag alone', t => {
  fc.assert(
    fc.property(
      fc.array(arbItem, { maxLength: 30 }),
      fc.nat(10),
      fc.nat(10),
      (items, taken, limit) => {
        /** @type {EventQueue<Item>} */
        const queue = new EventQueue();
        items.forEach((item, seq) => queue.push({ ...item, seq }));
        for (let i = 0; i < taken; i += 1) queue.take();
        const order = [...queue.inOrder()];
        const first = queue.nextTag();
        const expected = order.filter(
          ({ timeNs, microstep }) => timeNs === first?.timeNs && microstep === first.microstep,
        );
        t.deepEqual(queue.atFirstTag(limit), expected.slice(0, limit));
        t.deepEqual([...queue.inOrder()], order, 'to look changes nothing');
      },
    ),
  );
});

test('an item that is taken out of turn is gone, and the others come in their order', t => {
  const arbStep = fc.oneof(
    { weight: 3, arbitrary: arbItem },
    { weight: 2, arbitrary: fc.record({ remove: fc.nat(40) }) },
    { weight: 1, arbitrary: fc.constantFrom('take', 'again') },
  );
  fc.assert(
    fc.property(fc.array(arbStep, { maxLength: 60 }), steps => {
      /** @type {EventQueue<Item>} */
      const queue = new EventQueue();
      /** @type {Item[]} sorted */
      let model = [];
      steps.forEach((step, seq) => {
        if (typeof step === 'string') {
          const item = queue.take();
          t.is(item, model[0]);
          if (step === 'again' && item) queue.putBack(item);
          else model = model.slice(1);
        } else if ('remove' in step) {
          if (model.length === 0) return;
          const gone = model[step.remove % model.length];
          queue.remove(gone);
          model = model.filter(item => item !== gone);
        } else {
          const item = { ...step, seq };
          queue.push(item);
          model = [...model, item].sort(compareItems);
        }
        t.is(queue.size, model.length);
        t.is(queue.peek(), model[0]);
        t.deepEqual([...queue.inOrder()], model);
        const [first] = model;
        t.deepEqual(queue.nextTag(), first && { timeNs: first.timeNs, microstep: first.microstep });
      });
      for (const item of model) t.is(queue.take(), item);
      t.is(queue.take(), undefined);
    }),
    { numRuns: 1000 },
  );
});
