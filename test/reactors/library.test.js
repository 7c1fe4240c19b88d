// Every program of the table, run as a library.

import test from 'ava';
import { runInLibrary } from './in-library.js';
import { loadPrograms } from './load.js';

for (const { what, file } of await loadPrograms()) {
  const { name, rule, trace, error } = what;
  test(`${name}: ${rule}`, t => {
    if (error !== undefined) {
      t.throws(() => runInLibrary(what), { message: error });
      return;
    }
    t.deepEqual(runInLibrary(what), trace, file);
  });
}
