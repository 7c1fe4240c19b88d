// Every program of the table, run as a library.

import test from 'ava';
import { runInLibrary } from './in-library.js';
import { loadPrograms } from './load.js';
import { comparable } from './compare.js';

for (const { what, file } of await loadPrograms()) {
  const { name, rule, error } = what;
  test(`${name}: ${rule}`, t => {
    if (error !== undefined) {
      t.throws(() => runInLibrary(what), { message: error });
      return;
    }
    t.deepEqual(comparable(what, runInLibrary(what)), comparable(what, what.trace), file);
  });
}
