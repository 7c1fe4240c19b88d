// Keys of the store: their owners, their order, and what is no key.

import { fileURLToPath } from 'node:url';
import test from 'ava';
import { initializeSwingset } from '../index.js';
import { bundleIDFromName, getKeyType, initSwingStore } from '../swing-store.js';

test('a key of the store is text', t => {
  t.is(getKeyType('local.x'), 'local');
  for (const value of /** @type {any[]} */ ([undefined, null, 5, {}])) {
    t.throws(() => getKeyType(value), {
      instanceOf: TypeError,
      message: /^getKeyType\(\) takes a key, as "local\.x", got /,
    });
    t.throws(() => bundleIDFromName(value), {
      instanceOf: TypeError,
      message: /^bundleIDFromName\(\) takes a name, as "bundle\.b1-…", got /,
    });
  }
});

test('keys are walked in their order from any text, and a key that is no string is refused', async t => {
  const { kernelStorage } = initSwingStore();
  const { kvStore } = kernelStorage;
  t.is(kvStore.getNextKey(''), undefined);
  const sourceSpec = fileURLToPath(new URL('fixtures/bootstrap.js', import.meta.url));
  await initializeSwingset(
    { bootstrap: 'bootstrap', vats: { bootstrap: { sourceSpec } } },
    [],
    kernelStorage,
  );
  /** @type {string[]} */
  const keys = [];
  for (let key = kvStore.getNextKey(''); key !== undefined; key = kvStore.getNextKey(key))
    keys.push(key);
  t.deepEqual(keys, keys.toSorted());
  t.true(keys.every(key => kvStore.has(key)));
  for (const [i, key] of keys.entries()) t.is(kvStore.getNextKey(`${key}\0`), keys[i + 1]);
  for (const value of /** @type {any[]} */ ([undefined, null, 5, {}])) {
    t.throws(() => kvStore.get(value), { message: /^key must be a string, got / });
    t.throws(() => kvStore.has(value), { message: /^key must be a string, got / });
    t.throws(() => kvStore.getNextKey(value), { message: /^previousKey must be a string, got / });
  }
});

test("a vat's options have SwingSet's fields in its order, whatever was given", async t => {
  const { kernelStorage } = initSwingStore();
  const sourceSpec = fileURLToPath(new URL('fixtures/bootstrap.js', import.meta.url));
  const creationOptions = { critical: false, enableDisavow: true };
  await initializeSwingset(
    { bootstrap: 'bootstrap', vats: { bootstrap: { sourceSpec, creationOptions } } },
    [],
    kernelStorage,
  );
  t.deepEqual(Object.keys(JSON.parse(String(kernelStorage.kvStore.get('v1.options')))), [
    ...['workerOptions', 'name', 'enableSetup', 'enablePipelining', 'enableDisavow'],
    ...['useTranscript', 'reapDirtThreshold', 'critical'],
  ]);
});
