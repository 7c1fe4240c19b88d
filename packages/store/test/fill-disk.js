// A program for the tests: commits blocks until the disk is full, then says what it saw, as JSON.
//
//   node fill-disk.js DIR SEED DURABILITY

import { openLmdbStore, storeDigest } from '#store';
import { blockOf } from './helpers.js';

const [dir, seed, durability] = process.argv.slice(2);
/** @param {unknown} error */
const told = error => ({
  name: /** @type {Error} */ (error).name,
  message: /** @type {Error} */ (error).message,
});
/** @param {object} result */
const say = result => process.stdout.write(`${JSON.stringify(result)}\n`);

try {
  const store = openLmdbStore({
    dir,
    durability: /** @type {import('#store').Durability} */ (durability),
    create: true,
    logBytes: 300_000,
  });
  let committed = 0;
  try {
    for (; committed < 100_000; committed += 1) store.commit(blockOf(Number(seed), committed + 1));
    say({ committed });
  } catch (error) {
    /** @type {object} */
    let second = {};
    try {
      store.commit(blockOf(Number(seed), committed + 1));
    } catch (again) {
      second = told(again);
    }
    const block = store.get('block');
    const digest = storeDigest(store);
    let closed = 'closed';
    await store.close().catch(closing => {
      closed = told(closing).message;
    });
    say({ committed, block, digest, error: told(error), second, closed });
  }
} catch (error) {
  say({ committed: 0, error: told(error) });
}
