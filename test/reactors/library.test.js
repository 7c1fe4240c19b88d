// Every program of the table, run as a library.

import test from 'ava';
import { runInLibrary } from './in-library.js';
import { loadPrograms } from './load.js';
import { comparable } from './compare.js';

const programs = await loadPrograms();

test('the table has the programs that it should have, each once', t => {
  t.true(programs.length >= 300);
  t.is(new Set(programs.map(({ what }) => what.name)).size, programs.length);
  for (const { what } of programs) {
    const parts = Object.keys(what.parts);
    const named = [...Object.keys(what.trace), ...(what.stops ?? [])];
    t.deepEqual(
      named.filter(part => !parts.includes(part)),
      [],
      what.name,
    );
  }
});

for (const { what, file } of programs) {
  const { name, rule, error } = what;
  test(`${name}: ${rule}`, t => {
    if (error !== undefined) {
      t.throws(() => runInLibrary(what), { message: error });
      return;
    }
    t.deepEqual(comparable(what, runInLibrary(what)), comparable(what, what.trace), file);
  });
}
