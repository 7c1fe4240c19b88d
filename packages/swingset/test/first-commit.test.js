// A store on disk before the host program's first commit, which has nothing.

import { fileURLToPath } from 'node:url';
import test from 'ava';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { initializeSwingset, makeSwingsetController, swingsetIsInitialized } from '../index.js';
import { openSwingStore } from '../swing-store.js';

const fixture = (/** @type {string} */ name) =>
  fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

const config = () => ({
  bootstrap: 'bootstrap',
  vats: {
    bootstrap: { sourceSpec: fixture('bootstrap.js') },
    keeper: { sourceSpec: fixture('vat-keeper.js') },
  },
});

test('a host program that ends before its first commit begins anew', async t => {
  const dir = temporaryDirectory(t);
  const first = openSwingStore(dir);
  await initializeSwingset(config(), [], first.kernelStorage);
  const c = await makeSwingsetController(first.kernelStorage);
  await c.run();
  await first.hostStorage.close();
  const second = openSwingStore(dir);
  t.false(swingsetIsInitialized(second.kernelStorage));
  await second.hostStorage.close();
});

test('the first commit keeps what was made, what ran and what the host wrote', async t => {
  const dir = temporaryDirectory(t);
  const first = openSwingStore(dir);
  first.hostStorage.kvStore.set('host.height', '1');
  await initializeSwingset(config(), [], first.kernelStorage);
  const c = await makeSwingsetController(first.kernelStorage);
  await c.run();
  await first.hostStorage.commit();
  c.queueToVatRoot('keeper', 'add', [1]);
  await c.run();
  await first.hostStorage.commit();
  const hash = c.getActivityhash();
  c.queueToVatRoot('keeper', 'add', [1]);
  await c.run();
  await first.hostStorage.close();
  const second = openSwingStore(dir);
  t.is(second.hostStorage.kvStore.get('host.height'), '1');
  const again = await makeSwingsetController(second.kernelStorage);
  t.is(again.getActivityhash(), hash);
  await second.hostStorage.close();
});
