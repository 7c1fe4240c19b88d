// A program for the tests: opens a store, says so, and holds it until it is killed.
//
//   node hold-store.js DIR

import { openLmdbStore } from '#store';

openLmdbStore({ dir: process.argv[2], durability: 'none', create: true });
process.stdout.write('open\n');
setInterval(() => {}, 1000);
