// The store of a leader: how far the kernel may be ahead of the log, and what waits for the acknowledgement all the same.

import test from 'ava';
import { outboxPrefix } from '#kernel';
import { makeMemoryStore, storeDigest } from '#store';
import { Follower } from '../follower.js';
import { LeaderLog, LeadershipLost } from '../leader-log.js';
import { emptyHead } from '../log-reader.js';
import { makeMemoryCluster } from './memory-cluster.js';
import { makeReplicatedStore } from '../replicated-store.js';

const run = 'tested';

/** @param {Partial<Parameters<typeof makeReplicatedStore>[0]>} [options] */
const makeStore = async options => {
  const memory = makeMemoryCluster();
  const cluster = memory.connect('leader');
  const writer = new LeaderLog({
    ...{ cluster, run, head: emptyHead, leader: 'first', leaseMs: 60_000, patienceMs: 60_000 },
    ...{ log: await cluster.provideLog(), tell: () => {}, onLost: () => {} },
  });
  await writer.begin({ run });
  await writer.takeOver();
  writer.stop();
  const local = makeMemoryStore();
  const store = makeReplicatedStore({
    ...{ local, log: writer, findActivity: () => 'ab'.repeat(32), ...options },
  });
  return { memory, cluster, writer, local, store };
};

/**
 * @param {string} key
 * @param {string | undefined} value
 * @returns {any} a batch
 */
const put = (key, value) => ({
  puts: new Map([[key, value]]),
  appends: new Map(),
  deleteStreams: [],
});

/** @param {number} number */
const block = number => put('number', String(number));

/** Whether it has settled, when all has been done that does not wait for the log. @param {unknown} promise */
const isSettled = async promise => {
  let isSo = false;
  void Promise.resolve(promise).then(() => {
    isSo = true;
  });
  await new Promise(resolve => void setTimeout(resolve, 20));
  return isSo;
};

test('a kernel continues while the log does not answer, and all blocks are in the log in order', async t => {
  const { memory, cluster, local, store } = await makeStore({
    isKept: false,
    checkpoint: { blocks: 4, bytes: 1e9 },
  });
  const before = memory.records.length;
  cluster.cutOff();
  for (let i = 1; i <= 10; i += 1) await store.commit(block(i));
  t.is(store.get('number'), '10');
  t.is(memory.records.length, before);
  t.false(store.isDurable?.());
  cluster.mend();
  await store.flushed();
  t.true(store.isDurable?.());
  // Two checkpoints are among them.
  t.is(memory.records.length, before + 12);
  const reader = memory.connect('reader');
  const log = /** @type {any} */ (await reader.findLog());
  const copy = makeMemoryStore();
  await new Follower(reader, run, log, copy).catchUp();
  t.is(storeDigest(copy), storeDigest(local));
});

test('a block with handed-out data waits for the log, as do all blocks before it', async t => {
  const { memory, cluster, store } = await makeStore({ isKept: false });
  const before = memory.records.length;
  cluster.cutOff();
  await store.commit(block(1));
  const committing = store.commit(put(`${outboxPrefix}0000000000000001`, '["d1","out"]'));
  t.false(await isSettled(committing));
  cluster.mend();
  await committing;
  t.is(memory.records.length, before + 2);
  // That it was taken is nothing that anybody waits for.
  cluster.cutOff();
  const taken = store.commit(put(`${outboxPrefix}0000000000000001`, undefined));
  t.true(await isSettled(taken));
  cluster.mend();
  await store.flushed();
});

test('the number of blocks by which a kernel is ahead is bounded', async t => {
  const { cluster, store } = await makeStore({ isKept: false });
  cluster.cutOff();
  let blocks = 0;
  const committing = (async () => {
    for (let i = 1; i <= 100; i += 1) {
      await store.commit(block(i));
      blocks += 1;
    }
  })();
  t.false(await isSettled(committing));
  t.is(blocks, 32);
  cluster.mend();
  await committing;
  await store.flushed();
  t.is(blocks, 100);
});

test('a copy on disk has only blocks of the log', async t => {
  const { memory, cluster, local, store } = await makeStore();
  cluster.cutOff();
  const committing = store.commit(block(1));
  t.false(await isSettled(committing));
  t.is(local.get('number'), undefined);
  cluster.mend();
  await committing;
  t.is(local.get('number'), '1');
  t.is(JSON.parse(local.get('local.cluster') ?? '{}').seq, memory.records.length);
});

test('a leader that is replaced while it is ahead gets an error, and writes nothing more', async t => {
  const { memory, cluster, writer, store } = await makeStore({ isKept: false });
  cluster.cutOff();
  await store.commit(block(1));
  const other = memory.connect('other');
  const second = new LeaderLog({
    ...{ cluster: other, run, head: writer.head, leader: 'second', leaseMs: 60_000 },
    ...{ log: await other.provideLog(), patienceMs: 60_000, tell: () => {}, onLost: () => {} },
  });
  await second.takeOver();
  second.stop();
  const { length } = memory.records;
  await store.commit(block(2));
  cluster.mend();
  await t.throwsAsync(store.flushed(), { instanceOf: LeadershipLost });
  await t.throwsAsync(async () => store.commit(block(3)), { instanceOf: LeadershipLost });
  t.is(memory.records.length, length);
});

for (const isKept of [false, true])
  test(`work between blocks begins after the return of the commit (${isKept ? 'kept' : 'in memory'})`, async t => {
    let hasReturned = false;
    let calls = 0;
    const betweenBlocks = () => {
      calls += 1;
      t.true(hasReturned);
    };
    const { store } = await makeStore({ isKept, betweenBlocks });
    const committing = store.commit(block(1));
    hasReturned = true;
    await committing;
    await store.flushed();
    t.is(calls, 1);
  });
