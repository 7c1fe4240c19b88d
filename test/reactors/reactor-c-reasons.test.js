// Reasons for which a random program may differ from reactor-c count from when their causes happened.

import test from 'ava';
import { runHere } from '../../scripts/reactor-c-tests/reactors.js';
import { reasons, reasonsFor } from '../../scripts/reactor-c-tests/reasons.js';
import { makeShape } from '../../scripts/reactor-c-tests/shape.js';

/** @param {number} seed @param {number} fromNs @param {number} [endNs] */
const reasonsAt = (seed, fromNs, endNs = 30) => {
  const shape = makeShape(seed);
  const { happened } = /** @type {NonNullable<ReturnType<typeof runHere>>} */ (runHere(shape));
  return reasonsFor(shape, happened, fromNs, endNs);
};

test('a difference has no reason whose cause comes later', t => {
  // Seed 22 differs at 17 ns, where an action with policy "update" is scheduled anew.
  t.deepEqual(reasonsAt(22, 17), [reasons.update]);
  t.deepEqual(reasonsAt(22, 0), []);
});

test('a program that ends earlier there differs at its end only', t => {
  t.deepEqual(reasonsAt(10, 29, 29), [reasons.end]);
  t.deepEqual(reasonsAt(10, 1, 29), []);
});

test('a connection of a mode that is not active at first counts from the start', t => {
  t.deepEqual(reasonsAt(143, 0), [reasons.always]);
});

test('a delayed connection with more sources than destinations counts only in a bank', t => {
  t.true(reasonsAt(135, 13).includes(reasons.wide));
  // Its only such connections are in the main reactor.
  t.false(reasonsAt(68, 30).includes(reasons.wide));
});
