import test from 'ava';
import fc from 'fast-check';

import { didYouMean, editDistance, findNearestName } from '#model';

test('the distance of names is a distance', t => {
  t.is(editDistance('pingpong', 'pingpogn'), 1, 'neighbours swapped');
  t.is(editDistance('', 'abc'), 3);
  fc.assert(
    fc.property(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), (left, right) => {
      const distance = editDistance(left, right);
      return (
        distance === editDistance(right, left) &&
        (distance === 0) === (left === right) &&
        distance <= Math.max(left.length, right.length)
      );
    }),
  );
  t.is(findNearestName('bob', ['alice', 'carol']), undefined);
  t.is(findNearestName('boB', ['alice', 'bob']), 'bob');
});

test('a near name is asked for, a far one not', t => {
  t.is(didYouMean('pongg', ['ping', 'pong']), '; did you mean "pong"?');
  t.is(didYouMean('pongg', ['alice']), '');
  t.is(didYouMean('d', ['a', 'b']), '');
  t.is(didYouMean('A', ['a', 'b']), '; did you mean "a"?');
});
