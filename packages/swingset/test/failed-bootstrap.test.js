// A bootstrap that fails ends the run for each controller that comes, whenever the host program commits, and whoever
// rejected its result.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { initializeSwingset, kser, makeSwingsetController } from '../index.js';
import { cellOf, initSwingStore, openSwingStore } from '../swing-store.js';

const sourceSpec = fileURLToPath(new URL('fixtures/ends/failing-later.js', import.meta.url));

/** @param {string} dir @param {string[]} argv */
const start = async (dir, argv) => {
  const swingStore = initSwingStore(dir);
  /** @type {any} */
  const config = { bootstrap: 'bootstrap', vats: { bootstrap: { sourceSpec } } };
  await initializeSwingset(config, argv, swingStore.kernelStorage);
  return { ...swingStore, c: await makeSwingsetController(swingStore.kernelStorage) };
};

/** @param {string} body */
const panicOf = body => ({
  name: 'UserError',
  message: `kernel panic kp40.policy panic: rejected ${JSON.stringify({ body, slots: [] })}`,
});

test('a run whose bootstrap failed and was committed fails again', async t => {
  const dir = join(temporaryDirectory(t), 'state');
  const first = await start(dir, ['no luck']);
  const panic = panicOf(
    '#{"#error":"no luck","errorId":"error:liveSlots:v1#70001","name":"Error"}',
  );
  await t.throwsAsync(first.c.run(), panic);
  await t.throwsAsync(first.c.step(), panic);
  await first.hostStorage.commit();
  const { cranks } = /** @type {any} */ (cellOf(first.kernelStorage).kernel);
  await first.c.shutdown();
  await first.hostStorage.close();

  const again = openSwingStore(dir);
  const c = await makeSwingsetController(again.kernelStorage);
  t.is(again.kernelStorage.kvStore.get('kp40.policy'), undefined, 'nothing was added by that');
  const result = c.queueToVatRoot('bootstrap', 'call');
  await t.throwsAsync(c.run(), panic);
  await t.throwsAsync(c.step(), panic);
  t.is(c.kpStatus(/** @type {string} */ (result)), 'unresolved');
  t.deepEqual(/** @type {any} */ (cellOf(again.kernelStorage).kernel).cranks, cranks);
  await c.shutdown();
  await again.hostStorage.close();
});

test('a host program that ends the vat of bootstrap hears of the panic, at once or resumed', async t => {
  const panic = panicOf('#{"#error":"vat terminated","name":"Error"}');
  for (const isResumed of [false, true]) {
    const dir = join(temporaryDirectory(t), 'state');
    const { c, kernelStorage, hostStorage } = await start(dir, []);
    await c.run();
    c.terminateVat(c.vatNameToID('bootstrap'), kser('over'));
    if (isResumed) {
      await hostStorage.commit();
      await c.shutdown();
    }
    const next = isResumed ? await makeSwingsetController(kernelStorage) : c;
    await t.throwsAsync(next.run(), panic, `${isResumed}`);
    await t.throwsAsync(next.run(), panic, `${isResumed}`);
    await next.shutdown();
    await hostStorage.close();
  }
});
