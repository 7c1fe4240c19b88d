// The slog of a host program: entries of SwingSet's kernel, wrappers of its methods, entries of the program's own.

import { fileURLToPath } from 'node:url';
import test from 'ava';

import { buildVatController } from '../index.js';
import { initSwingStore } from '../swing-store.js';

const fixture = (/** @type {string} */ name) =>
  fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

const config = () => ({
  bootstrap: 'bootstrap',
  defaultReapInterval: /** @type {const} */ ('never'),
  vats: {
    bootstrap: { sourceSpec: fixture('bootstrap.js') },
    keeper: { sourceSpec: fixture('vat-keeper.js') },
  },
});

/** @param {import('ava').ExecutionContext} t @param {Record<string, any>} [options] */
const start = async (t, options = {}) => {
  /** @type {Record<string, any>[]} */
  const entries = [];
  const c = await buildVatController(config(), [], {
    slogSender: (/** @type {any} */ entry) => void entries.push(entry),
    ...options,
  });
  t.teardown(c.shutdown);
  return { c, entries };
};

const passing = ['time', 'monotime', 'seconds', 'activityhash'];

/** Without times, hashes, and fields that the second entry of a pair leaves out. @param {Record<string, any>} entry */
const plain = entry =>
  Object.fromEntries(
    Object.entries(entry).filter(([name, value]) => !passing.includes(name) && value !== undefined),
  );

test('a crank is told by the entries of a delivery and its syscalls, in krefs and vrefs', async t => {
  const { c, entries } = await start(t);
  t.is(entries[0].type, 'kernel-init-start');
  const named = entries.filter(({ type }) => type === 'create-vat').map(({ name }) => name);
  t.deepEqual(named.sort(), ['bootstrap', 'comms', 'keeper', 'timer', 'vatAdmin', 'vattp']);
  t.is(entries.at(-1)?.type, 'kernel-init-finish');
  await c.run();
  entries.length = 0;
  const kpid = c.queueToVatRoot('keeper', 'make', ['thing']);
  await c.run();
  const keeper = c.vatNameToID('keeper');
  const { slots } = c.kpResolution(String(kpid));
  const [crankNum, deliveryNum] = [entries[0].crankNum, 2n];
  const [root] = /** @type {string[]} */ (entries[0].message.target.split(' '));
  const methargs = { body: '#["make",["thing"]]', slots: [] };
  const at = { crankNum, vatID: keeper, deliveryNum };
  const vref = entries.find(({ type, kobj }) => type === 'clist' && kobj === slots[0])?.vobj;
  t.regex(vref, /^o\+\d+$/);
  const body = '#"$0.Alleged: thing"';
  t.deepEqual(entries.map(plain), [
    {
      ...{ type: 'crank-start', crankType: 'delivery', crankNum, messageType: 'send' },
      message: { type: 'send', target: root, msg: { methargs, result: kpid } },
    },
    { type: 'clist', crankNum, mode: 'import', vatID: keeper, kobj: kpid, vobj: 'p-60' },
    {
      ...{ type: 'deliver', ...at, replay: false, dispatch: 'message' },
      kd: ['message', root, { methargs, result: kpid }],
      vd: ['message', 'o+0', { methargs, result: 'p-60' }],
    },
    { type: 'clist', crankNum, mode: 'export', vatID: keeper, kobj: slots[0], vobj: vref },
    { type: 'clist', crankNum, mode: 'drop', vatID: keeper, kobj: kpid, vobj: 'p-60' },
    {
      ...{ type: 'syscall', ...at, syscallNum: 0, replay: false, syscall: 'resolve' },
      ksc: ['resolve', keeper, [[kpid, false, { body, slots }]]],
      vsc: ['resolve', [['p-60', false, { body, slots: [vref] }]]],
    },
    {
      ...{ type: 'syscall-result', ...at, syscallNum: 0, replay: false, syscall: 'resolve' },
      ...{ ksr: ['ok', null], vsr: ['ok', null] },
    },
    {
      ...{ type: 'deliver-result', ...at, replay: false, dispatch: 'message' },
      dr: ['ok', undefined, null],
    },
    { type: 'crank-finish', crankType: 'delivery', crankNum, messageType: 'send' },
  ]);
  t.is(entries.at(-1)?.activityhash, c.getActivityhash());
  for (const { time, monotime } of entries) t.is(typeof (time + monotime), 'number');
  t.true(Object.isFrozen(entries[0].message));
});

test('wrappers see the methods of the slog, and finish them', async t => {
  /** @type {unknown[]} */
  const calls = [];
  const note = (
    /** @type {string} */ method,
    /** @type {any[]} */ [vatId],
    /** @type {any} */ finish,
  ) => {
    calls.push([method, vatId]);
    return (/** @type {any[]} */ ...results) => {
      calls.push([`${method} finished`, vatId, results[0][0]]);
      return finish(...results);
    };
  };
  const { c, entries } = await start(t, { slogCallbacks: { delivery: note } });
  await c.run();
  [calls.length, entries.length] = [0, 0];
  c.queueToVatRoot('keeper', 'add', [1]);
  await c.run();
  const keeper = c.vatNameToID('keeper');
  t.deepEqual(calls, [
    ['delivery', keeper],
    ['delivery finished', keeper, 'ok'],
  ]);
  t.is(entries.filter(({ type }) => type === 'deliver-result').length, 1);
});

test('a program writes entries of its own, single and in pairs', async t => {
  const { c, entries } = await start(t);
  entries.length = 0;
  c.writeSlogObject({ type: 'mine', height: 5 });
  const labels = /** @type {const} */ (['begin', 'end']);
  const result = await c.slogDuration(labels, { height: 6 }, async finish => {
    finish({ cranks: 7 });
    return 'done';
  });
  t.is(result, 'done');
  await c.slogDuration(labels, {}, async () => {});
  t.deepEqual(entries.map(plain), [
    { type: 'mine', height: 5 },
    { type: 'begin', height: 6 },
    { type: 'end', height: 6, cranks: 7 },
    { type: 'begin' },
    { type: 'end' },
  ]);
  t.is(typeof entries[2].seconds, 'number');
  await t.throwsAsync(
    c.slogDuration(labels, { type: 'x' }, async () => {}),
    { message: 'properties of the start must not have "type" or "seconds"' },
  );
  await t.throwsAsync(
    c.slogDuration(labels, {}, async finish => {
      finish();
      finish();
    }),
    { message: 'slog event begin already finished' },
  );
});

test('the start and the end of a vat of the run are told', async t => {
  /** @type {Record<string, any>[]} */
  const entries = [];
  const c = await buildVatController(
    {
      bootstrap: 'bootstrap',
      vats: { bootstrap: { sourceSpec: fixture('maker.js') } },
      bundles: { leaver: { sourceSpec: fixture('leaver.js') } },
    },
    [],
    { slogSender: (/** @type {any} */ entry) => void entries.push(entry) },
  );
  t.teardown(c.shutdown);
  await c.run();
  const made = entries.find(({ type, dynamic }) => type === 'create-vat' && dynamic);
  t.like(made, { name: 'leaver', managerType: 'local' });
  t.deepEqual(entries.filter(({ type }) => type === 'terminate').map(plain), [
    {
      ...{ type: 'terminate', vatID: made?.vatID, shouldReject: false },
      info: { body: '#"at once"', slots: [] },
    },
  ]);
  const kinds = entries.filter(({ type }) => type === 'crank-start').map(it => it.messageType);
  t.true(kinds.includes('create-vat') && kinds.includes('notify'));
});

test('a vat of the run has no entries before its start, and then exports its root', async t => {
  /** @type {Record<string, any>[]} */
  const entries = [];
  const { kernelStorage } = initSwingStore();
  const given = {
    ...config(),
    vats: { bootstrap: { sourceSpec: fixture('maker.js') } },
    bundles: { leaver: { sourceSpec: fixture('vat-keeper.js') } },
  };
  const c = await buildVatController(given, [], {
    kernelStorage,
    slogSender: (/** @type {any} */ entry) => void entries.push(entry),
  });
  t.teardown(c.shutdown);
  const { kvStore } = kernelStorage;
  const findCreation = () => {
    const { acceptanceQueue, runQueue } = c.dump();
    return [...acceptanceQueue, ...runQueue].find(({ type }) => type === 'create-vat');
  };
  while (findCreation() === undefined) t.is(await c.step(), 1);
  const source = { bundleID: kvStore.get('namedBundleID.leaver') };
  t.like(findCreation(), { vatID: 'v6', source, dynamicOptions: { critical: false } });
  const ids = () => c.getStatus().activeVats.map(({ id }) => id);
  t.false(ids().includes('v6'));
  t.is(kvStore.get('vat.dynamicIDs'), '[]');
  t.is(kvStore.get('v6.options'), undefined);
  t.is(kvStore.get('vat.nextID'), '7');
  await c.run();
  t.true(ids().includes('v6'));
  t.is(kvStore.get('vat.dynamicIDs'), '["v6"]');
  const ends = entries.findIndex(({ vatID, type }) => vatID === 'v6' && type === 'deliver-result');
  t.like(entries[ends + 1], {
    ...{ type: 'clist', mode: 'export', vatID: 'v6' },
    ...{ kobj: kvStore.get('v6.c.o+0'), vobj: 'o+0' },
  });
});

test('a vat that ends itself has its answers in krefs, too', async t => {
  /** @type {Record<string, any>[]} */
  const entries = [];
  const sources = { bootstrap: 'sending-off.js', leaver: 'asking-leaver.js' };
  const c = await buildVatController(
    {
      bootstrap: 'bootstrap',
      vats: Object.fromEntries(
        Object.entries(sources).map(([name, file]) => [name, { sourceSpec: fixture(file) }]),
      ),
      devices: {
        echo: { sourceSpec: fixture('device-echo.js'), creationOptions: { unendowed: true } },
      },
    },
    [],
    { slogSender: (/** @type {any} */ entry) => void entries.push(entry) },
  );
  t.teardown(c.shutdown);
  await c.run();
  const call = entries.find(({ type, syscall }) => type === 'syscall' && syscall === 'callNow');
  const kref = call?.ksc[3].slots[0];
  t.regex(kref, /^ko\d+$/);
  const answer = entries.find(
    ({ type, syscall }) => type === 'syscall-result' && syscall === 'callNow',
  );
  t.deepEqual(answer?.ksr[1].slots, [kref]);
  t.deepEqual(answer?.vsr[1].slots, call?.vsc[3].slots);
  t.is(entries.filter(({ type }) => type === 'terminate').length, 1);
});

test('an error of a device is a text', async t => {
  /** @type {Record<string, any>[]} */
  const entries = [];
  const c = await buildVatController(
    {
      bootstrap: 'bootstrap',
      vats: { bootstrap: { sourceSpec: fixture('asker.js') } },
      devices: {
        raw: { sourceSpec: fixture('raw-device'), creationOptions: { unendowed: true } },
      },
    },
    [],
    { slogSender: (/** @type {any} */ entry) => void entries.push(entry) },
  );
  t.teardown(c.shutdown);
  await c.run();
  for (const method of ['refuse', 'explode'])
    c.queueToVatRoot('bootstrap', 'call', [method], 'ignore');
  await c.run();
  const bootstrap = c.vatNameToID('bootstrap');
  const answers = entries.filter(
    ({ type, syscall, vatID }) =>
      type === 'syscall-result' && syscall === 'callNow' && vatID === bootstrap,
  );
  const texts = ['not today', 'device.invoke failed, see logs for details'];
  t.deepEqual(
    answers.map(({ ksr, vsr }) => [ksr, vsr]),
    texts.map(text => [
      ['error', text],
      ['error', text],
    ]),
  );
});

test('a sender that throws changes nothing of the run', async t => {
  let isBroken = false;
  const { c } = await start(t, {
    slogSender: () => {
      if (isBroken) throw Error('no more room');
    },
  });
  await c.run();
  isBroken = true;
  const kpid = c.queueToVatRoot('keeper', 'add', [1]);
  await c.run();
  t.is(c.kpStatus(String(kpid)), 'fulfilled');
});

test('deliveries are numbered over the incarnations of a vat, the workers of SwingSet among them', async t => {
  /** @type {Record<string, any>[]} */
  const entries = [];
  const { kernelStorage } = initSwingStore();
  const bundles = {
    good: { sourceSpec: fixture('vat-keeper.js') },
    failing: { sourceSpec: fixture('ends/not-starting.js') },
  };
  const { vats } = config();
  const bootstrap = { sourceSpec: fixture('maker.js') };
  const given = { ...config(), vats: { ...vats, bootstrap }, bundles };
  const c = await buildVatController(given, [], {
    kernelStorage,
    slogSender: (/** @type {any} */ entry) => void entries.push(entry),
  });
  t.teardown(c.shutdown);
  await c.run();
  const keeper = c.vatNameToID('keeper');
  const [good, failing] = ['good', 'failing'].map(name =>
    String(kernelStorage.kvStore.get(`namedBundleID.${name}`)),
  );
  const add = () => c.queueToVatRoot('keeper', 'add', [1, 2]);
  const numbers = async () => {
    entries.length = 0;
    await c.run();
    return entries
      .filter(({ type, vatID }) => type === 'deliver' && vatID === keeper)
      .map(({ deliveryNum, kd }) => [deliveryNum, kd[0]]);
  };
  const nextUpgrade = () => kernelStorage.kvStore.get('vat.nextUpgradeID');
  add();
  t.deepEqual(await numbers(), [[2n, 'message']]);
  t.is(nextUpgrade(), '1');
  c.upgradeStaticVat('keeper', false, good, {});
  t.deepEqual(await numbers(), [
    [3n, 'bringOutYourDead'],
    // 4n and 5n: the end of a worker and the start of another
    [6n, 'startVat'],
  ]);
  add();
  t.deepEqual(await numbers(), [[7n, 'message']]);
  c.upgradeStaticVat('keeper', false, failing, {});
  t.deepEqual(await numbers(), [
    [8n, 'bringOutYourDead'],
    [11n, 'startVat'],
  ]);
  add();
  t.deepEqual(await numbers(), [[9n, 'message']], 'the upgrade left nothing in the transcript');
  t.is(nextUpgrade(), '3');
});
