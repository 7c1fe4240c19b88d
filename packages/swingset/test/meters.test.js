// Meters that a vat makes, as a host program sees them.

import { fileURLToPath } from 'node:url';
import test from 'ava';

import { initSwingStore, initializeSwingset, kunser, makeSwingsetController } from '../index.js';

const source = (/** @type {string} */ name) => ({
  sourceSpec: fileURLToPath(new URL(`fixtures/${name}.js`, import.meta.url)),
});

test('meters are in the key-value store and in the options of their vats, also after a restart', async t => {
  const { kernelStorage } = initSwingStore();
  const { kvStore } = kernelStorage;
  const config = {
    bootstrap: 'bootstrap',
    vats: { bootstrap: source('meters') },
    bundles: { leaver: source('leaver'), keeper: source('vat-keeper') },
  };
  await initializeSwingset(config, [], kernelStorage);
  const first = await makeSwingsetController(kernelStorage);
  t.is(kvStore.get('meter.nextID'), '1');
  await first.run();
  const read = () =>
    ['meter.nextID', 'm1.remaining', 'm1.threshold', 'm2.remaining', 'm2.threshold'].map(
      kvStore.get,
    );
  t.deepEqual(read(), ['3', '1000', '10', 'unlimited', '0']);
  const c = await makeSwingsetController(kernelStorage);
  const kpid = c.queueToVatRoot('bootstrap', 'make');
  const refusals = c.queueToVatRoot('bootstrap', 'countRefusals');
  await c.run();
  t.is(kunser(c.kpResolution(String(refusals))), 5, 'ids of no meter');
  t.deepEqual(kunser(c.kpResolution(String(kpid))), { remaining: 1005n, threshold: 10n });
  t.deepEqual(read(), ['3', '1005', '10', 'unlimited', '0']);
  const { options } = /** @type {any} */ (c.getStatus().activeVats.at(-1));
  t.is(options.meterID, 'm1');
  await c.shutdown();
});
