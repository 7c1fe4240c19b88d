// The policies of results: what becomes of a message and its result under each.

import { fileURLToPath } from 'node:url';
import test from 'ava';

import { defaultCacheDir, makeMemoryStore, replayRecording } from '#host';
import { initializeSwingset, kser, kslot, makeSwingsetController } from '../index.js';
import { cellOf, initSwingStore } from '../swing-store.js';

const fixture = (/** @type {string} */ name) =>
  fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

const start = async () => {
  const swingStore = initSwingStore();
  const config = {
    bootstrap: 'bootstrap',
    defaultReapInterval: /** @type {const} */ ('never'),
    vats: {
      bootstrap: { sourceSpec: fixture('bootstrap.js') },
      keeper: { sourceSpec: fixture('vat-keeper.js') },
    },
  };
  await initializeSwingset(config, ['x'], swingStore.kernelStorage);
  /** @type {any} */
  const c = await makeSwingsetController(swingStore.kernelStorage);
  await c.run();
  return { c, ...swingStore };
};

/** The deliveries and syscalls of a vat, as its transcript has them. @param {any} c @param {string} name */
const transcriptOf = (c, name) => {
  const vatId = c.vatNameToID(name);
  const { state } = c.dump().vatTables.find((/** @type {any} */ table) => table.vatID === vatId);
  return state.transcript;
};

test('with the policy "none" a message has no result, and its vat settles nothing', async t => {
  const { c, kernelStorage, hostStorage } = await start();
  const before = c.queueToVatRoot('keeper', 'make', ['thing']);
  await c.run();
  const [kref] = c.kpResolution(before).slots;
  const length = transcriptOf(c, 'keeper').length;
  t.is(c.queueToVatRoot('keeper', 'add', [1], 'none'), undefined);
  t.is(c.queueToVatRoot('keeper', 'fail', [], 'none'), undefined);
  t.is(c.queueToVatObject(kslot(kref), 'say', ['hello'], 'none'), undefined);
  await c.run();
  const sent = transcriptOf(c, 'keeper').slice(length);
  t.is(sent.length, 3);
  for (const { syscalls } of sent) t.deepEqual(syscalls, []);
  const waiting = c.queueToVatRoot('keeper', 'never');
  t.is(Number(waiting.slice(2)), Number(before.slice(2)) + 1, 'no promise was made between');
  c.queueToVatObject(kslot(waiting), 'later', [], 'none');
  await c.run();
  const failed = c.queueToVatRoot('keeper', 'fail');
  await c.run();
  t.regex(c.kpResolution(failed).body, /error:liveSlots:v\d+#70001"/, 'the first that was sent');

  await hostStorage.commit();
  const { store } = cellOf(kernelStorage);
  const replayed = await replayRecording(
    { ...makeMemoryStore(), ...store, close: async () => {} },
    { cacheDir: defaultCacheDir() },
  );
  t.is(replayed.difference, undefined);
  t.is(replayed.activityHash, c.getActivityhash());
});

test('a policy is kept over a restart', async t => {
  const { c, kernelStorage, hostStorage } = await start();
  const waiting = c.queueToVatRoot('keeper', 'never', [], 'panic');
  const parked = c.queueToVatObject(kslot(waiting), 'later', [1]);
  await c.run();
  await hostStorage.commit();
  await c.shutdown();
  /** @type {any} */
  const again = await makeSwingsetController(kernelStorage);
  t.like(
    again.dump().promises.find((/** @type {any} */ { id }) => id === waiting),
    {
      // The host's, that of the vat which settles it, and that of the message which waits for it.
      ...{ policy: 'panic', refCount: 3 },
      queue: [{ methargs: { body: '#["later",[1]]', slots: [] }, result: parked }],
    },
  );
  t.is(kernelStorage.kvStore.get(`${waiting}.policy`), 'panic');
  again.terminateVat(again.vatNameToID('keeper'), kser('over'));
  await t.throwsAsync(again.run(), {
    message: `kernel panic ${waiting}.policy panic: rejected {"body":"#{\\"#error\\":\\"vat terminated\\",\\"name\\":\\"Error\\"}","slots":[]}`,
  });
});
