// Raw devices, hooks of the host program, and vatAdmin's methods for bundles and options of vats.

import { fileURLToPath } from 'node:url';
import bundleSource from '@endo/bundle-source';
import test from 'ava';

import {
  initSwingStore,
  initializeSwingset,
  krefOf,
  kser,
  kslot,
  kunser,
  makeSwingsetController,
} from '../index.js';

/** @import { ExecutionContext } from 'ava' */

const fixture = (/** @type {string} */ name) =>
  fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

const hidden = 'syscall.callNow failed: device.invoke failed, see logs for details';

/** @param {ExecutionContext} t @param {Record<string, unknown>} [options] */
const start = async (t, options = {}) => {
  const config = {
    bootstrap: 'bootstrap',
    defaultReapInterval: /** @type {const} */ ('never'),
    vats: { bootstrap: { sourceSpec: fixture('asker.js') } },
    devices: { raw: { sourceSpec: fixture('raw-device'), parameters: { size: 5 } } },
    bundles: { keeper: { sourceSpec: fixture('vat-keeper.js') } },
  };
  const { kernelStorage } = initSwingStore();
  await initializeSwingset(config, [], kernelStorage, options);
  const c = await makeSwingsetController(kernelStorage, { raw: { given: 'endowed' } });
  t.teardown(c.shutdown);
  await c.run();
  /** @param {string} method @param {...unknown} args */
  const ask = async (method, ...args) => {
    const kpid = c.queueToVatRoot('bootstrap', method, args);
    await c.run();
    return kunser(c.kpResolution(String(kpid)));
  };
  return { c, ask, kernelStorage };
};

test('a raw device answers, stores, sends, makes nodes and uses endowments', async t => {
  const { ask } = await start(t);
  t.is(await ask('call', 'keep', 'a text'), 'endowed');
  t.deepEqual(await ask('call', 'read'), ['d+0', 'a text']);
  t.is(await ask('call', 'forget'), true);
  t.deepEqual(await ask('call', 'read'), ['d+0', 'nothing']);
  t.is(await ask('listen'), true);
  t.deepEqual(await ask('heard'), ['from the device']);
  t.is(await ask('node'), true);
  t.deepEqual(await ask('ofNode'), ['d+7', 'nothing']);
});

test('a raw device may write bodies in the older notation of marshal', async t => {
  const { ask } = await start(t);
  t.deepEqual(await ask('older'), ['#not special', 3n, true]);
  t.deepEqual(await ask('heard'), ['in the older notation']);
});

test('an error that a raw device returns is passed on; one that it throws, or a wrong answer, is hidden', async t => {
  const { ask } = await start(t);
  t.is(await ask('call', 'refuse'), 'syscall.callNow failed: not today');
  for (const method of ['explode', 'nothing', 'strange', 'askNobody'])
    t.is(await ask('call', method), hidden, method);
  t.deepEqual(await ask('call', 'read'), ['d+0', 'nothing'], 'the device goes on');
});

test('a hook gets krefs, and its answer goes to the device and the vat', async t => {
  const { c, ask } = await start(t);
  /** @type {any[]} */
  const asked = [];
  /** @type {any} */
  let answer = kser({ y: 2 });
  c.debug.addDeviceHook('raw', 'answer', (/** @type {any} */ args) => {
    asked.push(kunser(args));
    return answer;
  });
  t.throws(() => c.debug.addDeviceHook('nobody', 'answer', () => kser(0)), {
    message: /no device "nobody"/,
  });
  t.deepEqual(await ask('call', 'ask', { x: 1 }), { y: 2 });
  t.deepEqual(asked, [[{ x: 1 }]]);
  const root = c.pinVatRoot('bootstrap');
  answer = kser(kslot(root, 'root'));
  t.is(krefOf(await ask('askWith', kslot(root, 'root'))), root);
  t.is(krefOf(asked[1][0]), root);
  for (const wrong of [undefined, { body: '#0' }, { body: '#0', slots: ['ko999'] }]) {
    answer = wrong;
    t.is(await ask('call', 'ask'), hidden);
  }
});

test('waitForBundleCap() waits until the bundle is installed', async t => {
  const { c } = await start(t);
  // Any bundle that is not in the run serves.
  const bundle = await bundleSource(fixture('undeclared/root.js'));
  const other = await start(t);
  const id = await other.c.validateAndInstallBundle(bundle);
  const kpid = String(c.queueToVatRoot('bootstrap', 'wait', [id]));
  await c.run();
  t.is(c.kpStatus(kpid), 'unresolved');
  t.is(await c.validateAndInstallBundle(bundle), id);
  await c.run();
  t.is(c.kpStatus(kpid), 'fulfilled');
  t.regex(krefOf(kunser(c.kpResolution(kpid))), /^kd\d+$/);
  const wrong = String(c.queueToVatRoot('bootstrap', 'wait', ['b1-00']));
  await c.run();
  t.is(kunser(c.kpResolution(wrong)).message, hidden);
});

test('a vat may ask the vatAdmin device itself for a bundle that is not installed', async t => {
  const { ask } = await start(t);
  t.is(await ask('askDevice', 'getBundleCap', `b1-${'0'.repeat(128)}`), undefined);
  t.is(await ask('askDevice', 'getBundleCap', 'b1-00'), hidden);
});

test('changeOptions() of an admin node changes how often its vat is asked for dead references', async t => {
  const { ask, kernelStorage } = await start(t);
  await ask('make', 'keeper');
  const thresholds = () =>
    JSON.parse(kernelStorage.kvStore.get('v6.options') ?? '').reapDirtThreshold;
  t.deepEqual(thresholds(), {});
  t.regex(kernelStorage.kvStore.get('namedBundleID.keeper') ?? '', /^b1-[0-9a-f]{64}$/);
  t.is(await ask('change', { foo: 1 }), 'invalid option "foo"');
  t.is(await ask('change', { reapInterval: 'maybe' }), 'invalid reapInterval value');
  t.is(await ask('change', { reapInterval: 20 }), 'changed');
  t.deepEqual(thresholds(), { deliveries: 20 });
  t.is(await ask('change', { reapInterval: 'never' }), 'changed');
  t.deepEqual(thresholds(), { deliveries: 'never' });
  t.is(await ask('change', { reapInterval: 0 }), 'changed');
  t.deepEqual(thresholds(), { deliveries: 0 });
});

test('tools read what a vat has done since it was asked for dead references', async t => {
  const { c, ask, kernelStorage } = await start(t);
  const dirtOf = (/** @type {string} */ vatId) => kernelStorage.kvStore.get(`${vatId}.reapDirt`);
  t.is(dirtOf('v1'), '{}', 'it is never asked');
  c.changeKernelOptions({ defaultReapInterval: 20 });
  await ask('make', 'keeper');
  t.is(dirtOf('v6'), '{"deliveries":1}', 'its start');
  c.reapAllVats();
  await c.run();
  t.is(dirtOf('v6'), '{}');
});

test('tools read what a device is made from, and its parameters', async t => {
  const { c, kernelStorage } = await start(t);
  const { kvStore } = kernelStorage;
  const raw = c.deviceNameToID('raw');
  t.regex(kvStore.get(`${raw}.source`) ?? '', /^\{"bundleID":"b1-[0-9a-f]{64}"\}$/);
  t.is(kvStore.get(`${raw}.options`), '{"deviceParameters":{"size":5}}');
  t.is(kvStore.get(`${c.deviceNameToID('vatAdmin')}.options`), '{"deviceParameters":{}}');
});

test('options of the host program leave out vats of the system', async t => {
  const { c } = await start(t, { addComms: false, addVattp: false, addTimer: false });
  t.deepEqual(
    c.getStatus().activeVats.map(({ options }) => options.name),
    ['bootstrap', 'vatAdmin'],
  );
});
