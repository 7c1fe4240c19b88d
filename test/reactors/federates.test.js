// Every program of the table, split into federates.

import test from 'ava';
import { comparable } from './compare.js';
import { runInFederates } from './in-federates.js';
import { loadPrograms } from './load.js';

for (const { what, file } of await loadPrograms()) {
  const { name, rule, error } = what;
  test(`${name}: ${rule}`, t => {
    if (error !== undefined) {
      t.throws(() => runInFederates(what), { message: error });
      return;
    }
    t.deepEqual(comparable(what, runInFederates(what)), comparable(what, what.trace), file);
  });
}
