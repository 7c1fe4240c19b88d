// Programs as users of SwingSet write them do here what they did under SwingSet 0.33.0: each delivery, syscall and line that vats
// print, in its order. `expected.txt` of each has what SwingSet did (scripts/compatibility/README.md).

import test from 'ava';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ensureLockdown } from '#loader/lockdown.js';
import {
  folderOf,
  listPrograms,
  readCalls,
  showRounds,
} from '../scripts/compatibility/programs/program.js';

await ensureLockdown();
const { runHere } = await import('../scripts/compatibility/programs/here.js');

for (const name of listPrograms())
  test(`${name} does what it did under SwingSet`, async t => {
    const folder = folderOf(name);
    const expected = readFileSync(join(folder, 'expected.txt'), 'utf8').split('\n');
    const found = showRounds(await readCalls(folder), await runHere(folder)).split('\n');
    const at = Math.max(
      0,
      expected.findIndex((line, place) => line !== found[place]),
    );
    t.deepEqual(found.slice(at, at + 5), expected.slice(at, at + 5));
    t.is(found.length, expected.length);
  });
