// The short way of a reaction's crank to the tables does what the usual way does: programs of the table, split over vats,
// come to the same hash and store when there is no short way.

import test from 'ava';
import { ReactionLane } from '../../packages/kernel/crank/reaction-lane.js';
import { loadPrograms } from './load.js';
import { runForDigest } from './in-vats.js';

const chosen = (await loadPrograms())
  .filter(({ what }) => what.error === undefined)
  .filter((_, i) => i % 8 === 4);

for (const { what, url } of chosen) {
  test.serial(`${what.name} comes to the same by the usual way`, async t => {
    const short = await runForDigest(what, url, {});
    const { takes } = ReactionLane.prototype;
    let asked = 0;
    ReactionLane.prototype.takes = () => {
      asked += 1;
      return false;
    };
    try {
      t.deepEqual(await runForDigest(what, url, {}), short);
    } finally {
      ReactionLane.prototype.takes = takes;
    }
    t.true(asked > 0);
  });
}
