// A program for the crash tests: commits blocks of a known run and writes to a file what it may claim at each
// moment: `begin N` before block N, `durable N` when the store says so.
//
//   node run-blocks.js DIR MARKS DURABILITY SEED BLOCKS LOGBYTES create|resume [close]

import fs from 'node:fs';
import { openLmdbStore } from '#store';
import { blockOf } from './helpers.js';

const [dir, marks, durability, seed, blocks, logBytes, mode, end] = process.argv.slice(2);
const fd = fs.openSync(marks, 'a');
/** @param {string} text */
const mark = text => fs.writeSync(fd, `${text}\n`);

const store = openLmdbStore({
  dir,
  durability: /** @type {import('#store').Durability} */ (durability),
  create: mode === 'create',
  logBytes: Number(logBytes),
});
const first = Number(store.get('block') ?? 0);
mark(`durable ${first}`);
store.onDurable(count => mark(`durable ${first + count}`));
for (let n = first + 1; n <= first + Number(blocks); n += 1) {
  mark(`begin ${n}`);
  store.commit(blockOf(Number(seed), n));
  // The host yields between blocks; not always, so that several blocks wait for one sync.
  if (n % 3 !== 0) await new Promise(resolve => setImmediate(resolve));
}
if (end === 'close') await store.close();
// Ends at once, without whatever a library would do on the way out.
process.kill(process.pid, 'SIGKILL');
