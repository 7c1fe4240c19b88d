// A look at the suspects' neighbours finds the rings that a search through all that they reach finds.

import test from 'ava';
import { makeRandom } from '#testkit';
import { findRings, ringStepsPerCrank, searchRings } from '../tables/promise-rings.js';

/** @import { PromiseRow } from '../tables/promise-row.js' */

/**
 * Settled and unresolved promises that name each other and objects.
 *
 * @param {ReturnType<typeof makeRandom>} random
 */
const makeRows = random => {
  const names = Array.from({ length: 1 + random.below(8) }, (_, i) => `kp${40 + i}`);
  /** @type {Map<string, PromiseRow>} */
  const rows = new Map();
  const slotOf = () => (random.chance(0.5) ? `ko${20 + random.below(30)}` : random.pick(names));
  for (const kref of names) {
    const slots = Array.from({ length: random.pick([0, 1, 2, 3, 9, 40]) }, slotOf);
    const data = random.chance(0.2) ? null : { body: '', slots };
    rows.set(
      kref,
      /** @type {PromiseRow} */ (/** @type {unknown} */ ({ kref, data, refCount: 0 })),
    );
  }
  for (const { data } of rows.values())
    for (const slot of data?.slots ?? []) {
      const named = rows.get(slot);
      if (named) named.refCount += 1;
    }
  for (const row of rows.values()) if (random.chance(0.3)) row.refCount += 1;
  return rows;
};

test('a quick look finds the rings that a search finds, and costs as much', t => {
  const random = makeRandom('rings');
  let rings = 0;
  let free = 0;
  for (let round = 0; round < 5_000; round += 1) {
    const rows = makeRows(random);
    const find = (/** @type {string} */ kref) => rows.get(kref);
    const suspects = [...rows.keys(), 'kp99'].filter(() => random.chance(0.4));
    const quick = findRings(suspects, find);
    const whole = searchRings(suspects, find);
    t.deepEqual(
      quick.rings.map(({ kref }) => kref),
      whole.rings.map(({ kref }) => kref),
    );
    const cost = (/** @type {number} */ steps) => Math.floor(steps / ringStepsPerCrank);
    t.is(cost(quick.steps), cost(whole.steps));
    rings += whole.rings.length;
    if (whole.steps < ringStepsPerCrank) free += 1;
  }
  t.true(rings > 100);
  t.true(free > 1_000);
  t.true(free < 4_900);
});
