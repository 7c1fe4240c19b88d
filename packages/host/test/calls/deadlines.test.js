import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import fc from 'fast-check';
import { Deadlines } from '#host/calls/deadlines.js';

const make = (/** @type {number} */ id) => ({
  ...{ id, deadlineMs: 0, boundMs: 0, before: undefined, behind: undefined },
});

test('an entry is due once its bound is over, the shortest bound first', async t => {
  /** @type {number[]} */
  const due = [];
  const deadlines = new Deadlines(all => due.push(...all.map(({ id }) => id)));
  const all = [make(0), make(1), make(2), make(3), make(4)];
  deadlines.add(all[0], 60);
  deadlines.add(all[1], 5);
  deadlines.add(all[2], 5);
  deadlines.add(all[3], 5);
  deadlines.add(all[4], 1e12);
  deadlines.remove(all[2]);
  while (due.length < 3) await sleep(5);
  t.deepEqual(due, [1, 3, 0]);
  deadlines.remove(all[4]);
  deadlines.remove(all[4]);
  deadlines.remove(all[1]);
});

test('after any additions and removals each remaining entry is due once', async t => {
  const command = fc.record({
    bound: fc.constantFrom(0, 1, 2, 3),
    removed: fc.option(fc.nat(30), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 30 }), async commands => {
      /** @type {number[]} */
      const due = [];
      const deadlines = new Deadlines(all => due.push(...all.map(({ id }) => id)));
      const all = commands.map((_, id) => make(id));
      const left = new Set();
      commands.forEach(({ bound, removed }, id) => {
        deadlines.add(all[id], bound);
        left.add(id);
        if (removed === undefined || removed > id) return;
        deadlines.remove(all[removed]);
        left.delete(removed);
      });
      for (let i = 0; i < 200 && due.length < left.size; i += 1) await sleep(1);
      await sleep(1);
      t.deepEqual([...due].sort(), [...left].sort());
    }),
    { numRuns: 25 },
  );
});
