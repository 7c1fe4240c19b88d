// The controller of a host program: its options, its log, and how it asks for upgrades.

import { fileURLToPath } from 'node:url';
import test from 'ava';

import { initSwingStore, initializeSwingset, kser, makeSwingsetController } from '../index.js';

const config = () => ({
  bootstrap: 'bootstrap',
  vats: {
    bootstrap: { sourceSpec: fileURLToPath(new URL('fixtures/bootstrap.js', import.meta.url)) },
    keeper: { sourceSpec: fileURLToPath(new URL('fixtures/vat-keeper.js', import.meta.url)) },
  },
});

/** @param {any} [options] */
const start = async (options = {}) => {
  const { kernelStorage } = initSwingStore();
  await initializeSwingset(config(), ['one'], kernelStorage);
  return makeSwingsetController(kernelStorage, {}, options);
};

test('an option that changes nothing here is taken, and an unknown one is refused', async t => {
  await t.throwsAsync(start({ slogfile: 'x' }), {
    message: 'makeSwingsetController: the runtime option "slogfile" is unknown',
  });
  // SwingSet's own runner gives the file to its slogSender, and names it here besides.
  const controller = await start({ slogFile: 'x.slog' });
  await controller.shutdown();
});

test('a bootstrap vat that the config has not is refused', async t => {
  for (const bootstrap of ['keepr', 'timer', 'toString', 5]) {
    const { kernelStorage } = initSwingStore();
    const wrong = { ...config(), bootstrap };
    await t.throwsAsync(initializeSwingset(wrong, [], kernelStorage), {
      message: `config.bootstrap: vat name ${JSON.stringify(bootstrap)} must exist, but doesn't; the vats of the config are "bootstrap", "keeper"`,
    });
  }
  for (const bootstrap of ['', undefined, null]) {
    const { kernelStorage } = initSwingStore();
    t.is(await initializeSwingset({ ...config(), bootstrap }, [], kernelStorage), undefined);
  }
});

test("a config's interval of snapshots is told by the store, and must be a number", async t => {
  const { kernelStorage } = initSwingStore();
  await initializeSwingset({ ...config(), snapshotInterval: 7 }, [], kernelStorage);
  t.is(kernelStorage.kvStore.get('kernel.snapshotInterval'), '7');
  for (const snapshotInterval of ['x', -1, 1.5]) {
    const wrong = { ...config(), snapshotInterval };
    await t.throwsAsync(initializeSwingset(wrong, [], initSwingStore().kernelStorage), {
      message: 'invalid heap snapshotInterval value',
    });
  }
});

test('dumpLog() has the lines from a position on', async t => {
  const controller = await start();
  t.deepEqual(controller.dumpLog(), []);
  await controller.run();
  controller.log('of the host');
  t.deepEqual(controller.dumpLog(), ['bootstrap of keeper', 'of the host']);
  t.deepEqual(controller.dumpLog(1), ['of the host']);
  t.deepEqual(controller.dumpLog(2), []);
  controller.dumpLog().push('not kept');
  t.deepEqual(controller.dump().log, controller.dumpLog());
  await controller.shutdown();
});

test('an upgrade without a message, or with an empty one, says which vat was upgraded', async t => {
  const controller = await start();
  await controller.run();
  for (const given of [{}, { upgradeMessage: undefined }, { upgradeMessage: '' }]) {
    controller.upgradeStaticVat('keeper', false, 'b1-none', given);
    const [{ msg }] = controller.dump().acceptanceQueue;
    const message = { upgradeMessage: 'vat keeper upgraded' };
    const expected = [
      'upgradeStaticVat',
      [controller.vatNameToID('keeper'), null, 'b1-none', message],
    ];
    t.deepEqual(msg.methargs, kser(expected));
    await controller.run();
  }
  await controller.shutdown();
});

test('pinnedObjects lists what the host pinned, once, and not what resolutions keep', async t => {
  const { kernelStorage } = initSwingStore();
  await initializeSwingset(config(), ['one'], kernelStorage);
  const c = await makeSwingsetController(kernelStorage);
  const { kvStore } = kernelStorage;
  await c.run();
  const admin = String(kvStore.get('vatAdminRootKref'));
  t.is(kvStore.get('pinnedObjects'), admin);
  const made = c.queueToVatRoot('keeper', 'make', ['thing']);
  await c.run();
  const kref = c.kpResolution(String(made)).slots[0];
  t.is(kvStore.get('pinnedObjects'), admin, 'it is held, and not pinned');
  await c.run();
  const count = () => kvStore.get(`${kref}.refCount`);
  const before = Number(String(count()).split(',')[0]);
  for (const _twice of [1, 2]) {
    c.pinObject(kref);
    t.is(kvStore.get('pinnedObjects'), [admin, kref].sort().join(','));
    t.is(count(), `${before + 1},${before + 1}`, 'a pin counts beside the resolution');
  }
  c.pinObject(admin);
  t.is(kvStore.get('pinnedObjects'), [admin, kref].sort().join(','), 'it is pinned by SwingSet');
  const root = c.pinVatRoot('keeper');
  const all = [admin, kref, root].sort().join(',');
  t.is(kvStore.get('pinnedObjects'), all);
  await c.shutdown();
  const again = await makeSwingsetController(kernelStorage);
  t.is(kvStore.get('pinnedObjects'), all, 'in the state');
  await again.shutdown();
});

test('the collection of settled promises is no crank for the host program', async t => {
  /** @type {string[]} */
  const kinds = [];
  const slogSender = (/** @type {any} */ { type }) => void kinds.push(type);
  const c = await start({ slogSender });
  await c.run();
  /** @type {string[]} */
  const told = [];
  const note = (/** @type {string} */ kind) => () => told.push(kind) > 0;
  const policy = {
    ...{ vatCreated: note('created'), crankComplete: note('crank') },
    ...{ crankFailed: note('failed'), emptyCrank: note('empty') },
  };
  for (const asked of [policy, undefined]) {
    const vats = Object.keys(c.reapAllVats()).length;
    kinds.length = 0;
    t.is(await c.run(asked), vats);
    t.is(kinds.filter(type => type === 'crank-start').length, vats);
    t.is(kinds.filter(type => type === 'crank-finish').length, vats);
  }
  t.deepEqual([...new Set(told)], ['crank']);
  const steps = Object.keys(c.reapAllVats()).length;
  for (let i = 0; i < steps; i += 1) t.is(await c.step(), 1);
  c.queueToVatRoot('keeper', 'make', ['thing'], 'none');
  t.is(await c.step(), 1, 'a step goes on to the next crank');
  await c.shutdown();
});
