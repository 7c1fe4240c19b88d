import test from 'ava';
import fc from 'fast-check';
import { Level, ReadyQueue } from '../index.js';

/** @typedef {{ level: Level<Member>, queued: boolean, next: Member | null, previous: Member | null, id: number }} Member */

test('members come out by stage, deadline and level, and as they came within a level, but those removed', t => {
  const arbLevel = fc.record({
    stage: fc.nat(2),
    deadlineNs: fc.constantFrom(5, 10, Infinity),
    index: fc.nat(4),
  });
  fc.assert(
    fc.property(
      fc.array(arbLevel, { minLength: 1, maxLength: 12 }),
      fc.array(
        fc.oneof(
          fc.nat(11),
          fc.constantFrom('take', 'again'),
          fc.record({ remove: fc.nat(99) }),
          fc.record({ remove: fc.nat(99) }),
        ),
        { maxLength: 100 },
      ),
      (shapes, steps) => {
        /** @type {Map<string, Level<Member>>} */
        const levels = new Map();
        for (const { stage, deadlineNs, index } of shapes) {
          const key = `${stage} ${deadlineNs} ${index}`;
          levels.set(key, levels.get(key) ?? new Level(stage, deadlineNs, index));
        }
        const all = [...levels.values()];
        /** @type {ReadyQueue<Member>} */
        const queue = new ReadyQueue();
        /** @type {Member[]} */
        let sorted = [];
        /** @type {Member[]} */
        const gone = [];
        const push = (/** @type {Member} */ member, /** @type {number} */ id) => {
          member.id = id;
          queue.push(member);
          sorted.push(member);
          sorted.sort(
            ({ level: a, id: x }, { level: b, id: y }) =>
              a.stage - b.stage ||
              (a.deadlineNs === b.deadlineNs ? 0 : a.deadlineNs - b.deadlineNs) ||
              a.index - b.index ||
              x - y,
          );
        };
        steps.forEach((what, id) => {
          if (typeof what === 'number') {
            const level = all[what % all.length];
            push({ level, queued: false, next: null, previous: null, id }, id);
          } else if (what === 'again') {
            const member = gone.shift();
            if (member !== undefined) push(member, id);
          } else if (typeof what === 'object') {
            if (sorted.length === 0) return;
            const [member] = sorted.splice(what.remove % sorted.length, 1);
            queue.remove(member);
            t.false(member.queued);
            gone.push(member);
          } else {
            const member = queue.take();
            t.is(member, sorted[0] ?? null);
            if (member) {
              t.false(member.queued);
              gone.push(member);
            }
            sorted = sorted.slice(1);
          }
        });
        t.is(queue.nextStage(), sorted[0]?.level.stage ?? Infinity);
        t.deepEqual(
          queue.drain().map(({ id }) => id),
          sorted.map(({ id }) => id),
        );
      },
    ),
    { numRuns: 1000 },
  );
});

test('a later stage stays where it is', t => {
  /** @type {ReadyQueue<Member>} */
  const queue = new ReadyQueue();
  /** @type {(stage: number, id: number) => Member} */
  const member = (stage, id) => ({
    level: new Level(stage, Infinity, 0),
    queued: false,
    next: null,
    previous: null,
    id,
  });
  queue.push(member(1, 1));
  queue.push(member(0, 2));
  t.is(queue.take(0)?.id, 2);
  t.is(queue.take(0), null);
  t.is(queue.nextStage(), 1);
  t.is(queue.take(1)?.id, 1);
});
