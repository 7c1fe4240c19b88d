// Every program of the table in the simulation, split over vats.

import test from 'ava';
import { comparable } from './compare.js';
import { runSplit } from './in-vats.js';
import { loadPrograms } from './load.js';

for (const { what, url } of await loadPrograms()) {
  const { name, rule, error } = what;
  test.serial(`${name}: ${rule}`, async t => {
    if (error !== undefined) {
      await t.throwsAsync(runSplit(what, url), { message: error });
      return;
    }
    t.deepEqual(comparable(what, await runSplit(what, url)), comparable(what, what.trace));
  });
}
