// A store's size on disk and in memory, and when it says that a commit is durable.

import fs from 'node:fs';
import path from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';
import test from 'ava';
import { makeMemoryStore, openLmdbStore } from '#store';
import { blockOf, temporaryDirectory } from './helpers.js';
import { durabilities, puts } from './stores.js';

test('keys that come and go leave nothing behind on disk', async t => {
  const dir = temporaryDirectory(t);
  const store = openLmdbStore({ dir, durability: 'none', create: true, logBytes: 100_000 });
  /** @type {number[]} */
  const sizes = [];
  for (let n = 0; n < 10_000; n += 1) {
    store.commit(
      puts([
        [`kp${n}`, 'x'.repeat(200)],
        [`kp${n - 2}`, undefined],
      ]),
    );
    if (n % 2000 === 1999) sizes.push(store.diskBytes());
  }
  t.is(sizes.at(-1), sizes[1]);
  await store.close();
});

test('the size of the tables is without streams, and comes back when keys go', async t => {
  const dir = temporaryDirectory(t);
  const store = openLmdbStore({ dir, durability: 'none', create: true, logBytes: 100_000 });
  const keys = Array.from({ length: 2_000 }, (_, n) => `ko${n}`);
  const commitAll = (/** @type {string | undefined} */ value) =>
    store.commit(puts(keys.map(key => [key, value])));
  const write = (/** @type {number} */ times) => {
    for (let n = 0; n < times; n += 1)
      store.commit({ puts: new Map(), appends: new Map([['t.v1', Buffer.alloc(5_000, n)]]) });
  };
  const empty = store.tableBytes();
  t.true(empty <= 4096);
  write(100);
  t.true(store.tableBytes() <= 4096);
  commitAll('x'.repeat(40));
  write(100);
  const full = store.tableBytes();
  t.true(full > 2_000 * 45 && full < 2_000 * 120, `${full} bytes`);
  write(100);
  t.is(store.tableBytes(), full);
  commitAll(undefined);
  write(100);
  t.true(store.tableBytes() <= 4096);
  await store.close();
  t.is(makeMemoryStore().tableBytes(), 0);
});

test('disk size counts the files of the database', async t => {
  const dir = temporaryDirectory(t);
  const store = openLmdbStore({ dir, durability: 'commit', create: true, logBytes: 50_000 });
  for (let n = 1; n < 100; n += 1) {
    store.commit(blockOf(3, n));
    const sizes = ['data.mdb', 'data.mdb-lock', 'blocks.log'].map(
      name => fs.statSync(path.join(dir, name)).size,
    );
    t.is(
      store.diskBytes(),
      sizes.reduce((sum, size) => sum + size, 0),
    );
  }
  await store.close();
  t.is(makeMemoryStore().diskBytes(), 0);
});

test('durable blocks are reported in order: at once, in the background, or at a checkpoint', async t => {
  for (const durability of durabilities) {
    const dir = temporaryDirectory(t);
    const store = openLmdbStore({ dir, durability, create: true, logBytes: 30_000 });
    /** @type {number[]} */
    const told = [];
    store.onDurable(count => told.push(count));
    for (let n = 1; n <= 60; n += 1) {
      store.commit(blockOf(1, n));
      if (durability === 'commit') t.is(store.durableBlocks(), n);
      if (n % 10 === 0) await new Promise(resolve => setImmediate(resolve));
    }
    const before = store.durableBlocks();
    t.true(durability !== 'none' || (before > 0 && before < 60));
    await store.flushed();
    t.is(store.durableBlocks(), 60);
    t.is(told.at(-1), 60);
    t.deepEqual(
      told,
      [...new Set(told)].sort((left, right) => left - right),
    );
    await store.close();
  }
});

test('a closed store refuses calls, and closing it again does nothing', async t => {
  const dir = temporaryDirectory(t);
  const store = openLmdbStore({ dir, durability: 'group', create: true });
  store.commit(blockOf(1, 1));
  await store.close();
  await store.close();
  t.throws(() => store.commit(blockOf(1, 2)), { message: /closed store/ });
  t.throws(() => store.get('never seen'), { message: /closed store/ });
});

test('a value of many megabytes goes through log, database and reopening', async t => {
  const dir = temporaryDirectory(t);
  const big = 'é'.repeat(3_000_000);
  let store = openLmdbStore({ dir, durability: 'none', create: true });
  store.commit(puts([['big', big]]));
  store.commit({
    puts: new Map([['a', '1']]),
    appends: new Map([['s', Buffer.alloc(5_000_000, 3)]]),
  });
  t.is(store.get('big'), big);
  await store.close();
  store = openLmdbStore({ dir, durability: 'none', create: false });
  t.is(store.get('big'), big);
  t.deepEqual(store.readStream('s'), Buffer.alloc(5_000_000, 3));
  await store.close();
});

test('a value of more than 16 MiB is replaced and deleted in the database', async t => {
  // From that size on lmdb-js reads without a copy.
  const dir = temporaryDirectory(t);
  const store = openLmdbStore({ dir, durability: 'none', create: true, logBytes: 100_000 });
  for (const [value, size] of /** @type {[string, number][]} */ ([
    ['é'.repeat(9_000_000), 17_900_000],
    ['x'.repeat(17_000_000), 16_900_000],
    ['', 0],
  ])) {
    store.commit(puts([['big', value]]));
    // Each of these is more than the log holds, so the value is in the database then.
    store.commit(puts([['small', 'y'.repeat(200_000)]]));
    t.is(store.get('big'), value);
    t.true(store.tableBytes() > size);
  }
  store.commit(puts([['big', undefined]]));
  store.commit(puts([['small', undefined]]));
  await store.close();
  const again = openLmdbStore({ dir, durability: 'none', create: false });
  t.is(again.get('big'), undefined);
  await again.close();
});

test.serial('a memory stream keeps its bytes outside the heap', t => {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc');
  const store = makeMemoryStore();
  const bytes = Buffer.alloc(300, 1);
  const batchOfOne = { puts: new Map(), appends: new Map([['s', bytes]]) };
  store.commit(batchOfOne);
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let n = 1; n < 100_000; n += 1) store.commit(batchOfOne);
  collect();
  const grown = process.memoryUsage().heapUsed - before;
  t.is(store.streamLength('s'), 30_000_000);
  t.true(grown < 1_000_000, `heap grew by ${grown} bytes`);
});

test('beforeWait is called before a commit waits for the disk', async t => {
  for (const [durability, expected] of /** @type {const} */ ([
    ['commit', 3],
    ['group', 0],
    ['none', 0],
  ])) {
    let told = 0;
    const beforeWait = () => {
      told += 1;
    };
    const dir = temporaryDirectory(t);
    const store = openLmdbStore({ dir, durability, create: true, beforeWait });
    for (let n = 1; n <= 3; n += 1) store.commit(blockOf(1, n));
    await store.close();
    t.is(told, expected, durability);
  }
});

test('a block that could not be forced to disk is not seen, and none follows it', async t => {
  const dir = temporaryDirectory(t);
  const store = openLmdbStore({ dir, durability: 'commit', create: true });
  store.commit(puts([['a', '1']]));
  const sync = fs.fdatasyncSync;
  fs.fdatasyncSync = () => {
    throw Object.assign(Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
  };
  try {
    t.throws(() => store.commit(puts([['a', '2']])));
  } finally {
    fs.fdatasyncSync = sync;
  }
  t.is(store.get('a'), '1');
  t.throws(() => store.commit(puts([['a', '3']])));
  t.is(store.get('a'), '1');
  await store.close();
});
