import test from 'ava';
import { PendingReactions } from '../pending-reactions.js';

/** @import { ReactionObserver } from '#host/reaction-watch.js' */

/** @param {number} stage */
const reaction = stage => /** @type {any} */ ({ name: `r${stage}`, stage });

/** Two reactions of v1 at 5 ns, of stages 0 and 1, and one at 6 ns. */
const makePending = () => {
  const pending = new PendingReactions();
  const observer = /** @type {Required<ReactionObserver>} */ (pending.observe('v1', () => 0));
  observer.tagBegan(5, 0);
  observer.reacted(reaction(0), 10, 11, false);
  observer.reacted(reaction(1), 12, 13, true);
  observer.tagBegan(6, 0);
  observer.reacted(reaction(0), 20, 21, false);
  return pending;
};

test('a crank gets the reactions of its tag up to its stage, each once', t => {
  const pending = makePending();
  const take = (/** @type {number} */ timeNs, /** @type {number} */ stage) =>
    pending.takeCrank('v1', { timeNs, microstep: 0, stage }).map(({ startNs }) => startNs);
  t.deepEqual(take(5, 0), [10]);
  t.deepEqual(take(5, 0), []);
  t.deepEqual(take(5, 1), [12]);
  t.deepEqual(take(6, 3), [20]);
  t.is(pending.startNs('v1'), undefined);
});

test('the first reaction that was not taken says when the vat began', t => {
  const pending = makePending();
  t.is(pending.startNs('v1'), 10);
  pending.takeCrank('v1', { timeNs: 5, microstep: 0, stage: 0 });
  t.is(pending.startNs('v1'), 12);
  t.is(pending.startNs('v2'), undefined);
});

test('all that was not taken can be taken together', t => {
  const pending = makePending();
  pending.takeCrank('v1', { timeNs: 5, microstep: 0, stage: 0 });
  t.deepEqual(
    pending.takeAll('v1').map(({ timeNs, isLate }) => [timeNs, isLate]),
    [
      [5, true],
      [6, false],
    ],
  );
  t.deepEqual(pending.takeAll('v1'), []);
});
