// A program for the tests: opens as many files as the system permits, then lets one go after another until the state in
// DIR can be opened.
//
//   node open-files.js DIR

import fs from 'node:fs';
import { openLmdbStore } from '#store';
import { loadLmdb } from '#vendored/lmdb.js';

const [dir] = process.argv.slice(2);
loadLmdb();
const held = [];
try {
  for (;;) held.push(fs.openSync('/dev/null', 'r'));
} catch {
  // No more.
}
for (const fd of held) {
  fs.closeSync(fd);
  try {
    await openLmdbStore({ dir, durability: 'none', create: false }).close();
    console.log('opened');
    break;
  } catch (error) {
    const { name, message } = /** @type {Error} */ (error);
    console.log(name, message);
  }
}
