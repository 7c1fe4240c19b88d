// The comparison of kernels names the first place in which they differ.

import test from 'ava';
import { findDifference, isSameLeft, showLeft } from '../find-difference.js';

test('equal values have no difference, whatever the order of their keys', t => {
  t.is(
    findDifference({ a: [1, { b: 'x' }], c: undefined }, { c: undefined, a: [1, { b: 'x' }] }),
    undefined,
  );
  t.is(findDifference(NaN, NaN), undefined);
});

test('a difference is named by its path and both values', t => {
  t.is(findDifference({ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }, 'x'), 'x.a.1.b: 2 instead of 3');
  t.is(findDifference({ a: 1 }, { a: 1, b: 2 }), '.b: undefined instead of 2');
  t.is(findDifference({ a: 1, b: 2 }, { a: 1 }), '.b: 2 instead of undefined');
  t.is(findDifference([1], [1, 2]), '.1: undefined instead of 2');
  t.is(findDifference(null, {}), ': null instead of {}');
  t.is(findDifference(0, -0), ': 0 instead of 0');
});

/** @param {string} text @param {string} bytes @returns {import('../find-difference.js').Left} */
const left = (text, bytes) => ({ entries: [['k', text]], streams: [['s', Buffer.from(bytes)]] });

test('stores are the same only if all entries and streams are', t => {
  t.true(isSameLeft(left('a', 'b'), left('a', 'b')));
  t.false(isSameLeft(left('a', 'b'), left('a', 'bc')));
  t.false(isSameLeft(left('a', 'b'), left('aa', 'b')));
  t.false(isSameLeft({ ...left('a', 'b'), entries: [] }, left('a', 'b')));
  t.false(isSameLeft(left('a', 'b'), { ...left('a', 'b'), streams: [] }));
  const found = findDifference(showLeft(left('a', 'b')), showLeft(left('a', 'c')), 'store');
  t.is(found, 'store.streams.0.1: "62" instead of "63"');
});
