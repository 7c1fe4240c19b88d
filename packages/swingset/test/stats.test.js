// The counters of host programs, beside those that SwingSet 0.33.0 gave for the same program.

import { fileURLToPath } from 'node:url';
import test from 'ava';

import { initializeSwingset, kser, kslot, makeSwingsetController } from '../index.js';
import { initSwingStore } from '../swing-store.js';

const folder = fileURLToPath(
  new URL('../../../test/fixtures/swingset-programs/own-result/', import.meta.url),
);

const names = ['left', 'owner', 'right'];

const start = async () => {
  const { kernelStorage, hostStorage } = initSwingStore();
  const vats = Object.fromEntries([
    ['bootstrap', { sourceSpec: `${folder}bootstrap.js` }],
    ...names.map(name => [name, { sourceSpec: `${folder}vat-${name}.js` }]),
  ]);
  const config = { bootstrap: 'bootstrap', defaultReapInterval: 'never', vats };
  await initializeSwingset(/** @type {any} */ (config), [], kernelStorage);
  return {
    c: await makeSwingsetController(kernelStorage),
    kvStore: kernelStorage.kvStore,
    restart: async (/** @type {any} */ c) => {
      await hostStorage.commit();
      await c.shutdown();
      return makeSwingsetController(kernelStorage);
    },
  };
};

/** @param {string} name @param {number[]} numbers  value, up, down, and the maximum if it is compared */
const gauge = (name, [value, up, down, max]) => ({
  ...{ [name]: value, [`${name}Up`]: up, [`${name}Down`]: down },
  ...(max !== undefined && { [`${name}Max`]: max }),
});

/** SwingSet's numbers, but for the bootstrap vat's root, which it retires, and for reads and writes of vats' stores. */
const expected = {
  ...{ syscallSend: 9, syscallCallNow: 0, syscallSubscribe: 10, syscallResolve: 9, syscallExit: 0 },
  ...{ syscallDropImports: 0, dispatches: 19, dispatchDeliver: 9, dispatchNotify: 10 },
  ...gauge('kernelDevices', [1, 1, 0, 1]),
  ...gauge('kernelPromises', [1, 9, 8, 8]),
  ...gauge('kpUnresolved', [0, 9, 9, 6]),
  ...gauge('kpFulfilled', [1, 9, 8, 5]),
  ...gauge('kpRejected', [0, 0, 0, 0]),
  ...gauge('vats', [8, 8, 0, 8]),
  ...gauge('runQueueLength', [0, 27, 27, 9]),
  ...gauge('acceptanceQueueLength', [0, 28, 28, 9]),
  ...gauge('promiseQueuesLength', [0, 1, 1, 1]),
};

test('a message that waited, and a notify without news, count as in SwingSet', async t => {
  const { c, kvStore } = await start();
  await c.run();
  t.like(c.getStats(), expected);
  // The numbers of the first event and of the next one.
  t.is(kvStore.get('acceptanceQueue'), '[29,29]');
  t.is(kvStore.get('runQueue'), '[28,28]');
});

/** Lengths of the run queue and of the acceptance queue after each delivery, as in SwingSet but for the message that waits. */
const lengths = [
  ...['0 1', '0 4', '3 2', '4 2', '5 2', '6 0', '5 0', '4 2', '5 2', '6 0', '5 2', '6 0'],
  ...['5 0', '4 0', '3 1', '3 0', '2 0', '1 0', '0 0'],
];

test('what the last crank sent is in the acceptance queue', async t => {
  const { c, kvStore } = await start();
  const { runQueue: none, acceptanceQueue: first } = c.dump();
  t.deepEqual(none, []);
  t.deepEqual(
    first.map((/** @type {any} */ { type, vatID }) => vatID ?? type),
    ['v1', 'v2', 'v3', 'v4', 'v5', 'v6', 'v7', 'v8', 'send'],
  );
  t.is(kvStore.get('runQueue'), '[1,1]');
  t.is(kvStore.get('acceptanceQueue'), '[1,10]');
  const found = [];
  while ((await c.step()) > 0) {
    const { runQueue, acceptanceQueue } = c.dump();
    const { runQueueLength, acceptanceQueueLength } = c.getStats();
    t.deepEqual([runQueueLength, acceptanceQueueLength], [runQueue.length, acceptanceQueue.length]);
    if (runQueue.every((/** @type {any} */ { type }) => type !== 'startVat'))
      found.push(`${runQueue.length} ${acceptanceQueue.length}`);
  }
  t.deepEqual(found.slice(found.indexOf('0 1')), lengths);
});

test('the queues are the same after a restart', async t => {
  const { c, kvStore, restart } = await start();
  const queuesOf = (/** @type {any} */ { dump, getStats }) => {
    const { runQueue, acceptanceQueue } = dump();
    const keys = ['runQueue', 'acceptanceQueue'].map(name => kvStore.get(name));
    return { runQueue, acceptanceQueue, keys, stats: getStats() };
  };
  while (c.dump().acceptanceQueue.length < 2 || c.dump().runQueue.length < 2) await c.step();
  const before = queuesOf(c);
  const again = await restart(c);
  t.deepEqual(queuesOf(again), before);
  await again.run();
  t.like(again.getStats(), expected);
});

test('subscribers of a promise are sorted as texts', async t => {
  const { kernelStorage } = initSwingStore();
  const fixture = (/** @type {string} */ name) =>
    fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
  const waiters = ['ann', 'ben', 'cat', 'dan', 'eve'];
  const keeper = { sourceSpec: fixture('vat-keeper.js') };
  const config = {
    bootstrap: 'bootstrap',
    defaultReapInterval: 'never',
    vats: {
      bootstrap: { sourceSpec: fixture('bootstrap.js') },
      keeper,
      ...Object.fromEntries(waiters.map(name => [name, keeper])),
    },
  };
  await initializeSwingset(/** @type {any} */ (config), ['x'], kernelStorage);
  const c = await makeSwingsetController(kernelStorage);
  await c.run();
  const waiting = String(c.queueToVatRoot('keeper', 'never'));
  for (const name of waiters) c.queueToVatRoot(name, 'add', [kslot(waiting)]);
  await c.run();
  const { subscribers } = c.dump().promises.find((/** @type {any} */ { id }) => id === waiting);
  t.deepEqual(subscribers, ['v10', 'v6', 'v7', 'v8', 'v9']);
});

test('vats are counted while they run, at a time, and over a restart', async t => {
  const { kernelStorage } = initSwingStore();
  const fixture = (/** @type {string} */ name) =>
    fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
  const keeper = { sourceSpec: fixture('vat-keeper.js') };
  const config = {
    bootstrap: 'bootstrap',
    defaultReapInterval: 'never',
    vats: { bootstrap: { sourceSpec: fixture('asker.js') }, keeper },
    bundles: { keeper },
  };
  await initializeSwingset(/** @type {any} */ (config), [], kernelStorage);
  let c = await makeSwingsetController(kernelStorage);
  // An ended vat whose entries are kept does not count.
  const policy = Object.fromEntries(
    ['vatCreated', 'crankComplete', 'crankFailed', 'emptyCrank'].map(name => [name, () => true]),
  );
  const run = () => c.run(/** @type {any} */ ({ ...policy, allowCleanup: () => false }));
  /** @type {(string | undefined)[]} */
  const made = [];
  const make = async () => {
    const kpid = String(c.queueToVatRoot('bootstrap', 'make', ['keeper']));
    await run();
    made.push(kernelStorage.kvStore.get(`${c.kpResolution(kpid).slots[0]}.owner`));
  };
  /** @param {string | undefined} vatId */
  const end = async vatId => {
    c.terminateVat(String(vatId), kser('done'));
    await run();
  };
  const numbers = () => {
    const { vats, vatsUp, vatsDown, vatsMax } = c.getStats();
    return { vats, vatsUp, vatsDown, vatsMax };
  };
  await run();
  await make();
  t.deepEqual(numbers(), { vats: 7, vatsUp: 7, vatsDown: 0, vatsMax: 7 });
  await end(made[0]);
  await make();
  t.deepEqual(numbers(), { vats: 7, vatsUp: 8, vatsDown: 1, vatsMax: 7 });
  await end(c.vatNameToID('keeper'));
  await c.run();
  await c.shutdown();
  c = await makeSwingsetController(kernelStorage);
  t.teardown(() => c.shutdown());
  await make();
  t.deepEqual(numbers(), { vats: 7, vatsUp: 9, vatsDown: 2, vatsMax: 7 });
  await make();
  t.deepEqual(numbers(), { vats: 8, vatsUp: 10, vatsDown: 2, vatsMax: 8 });
});
