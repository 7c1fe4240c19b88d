// Programs written for SwingSet, over the entries that replace it.

import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';

import { temporaryDirectory } from '#testkit/temporary-directory.js';
import * as swingset from '../index.js';
import * as store from '../swing-store.js';

const { initSwingStore, initializeSwingset, kser, kslot, kunser, makeSwingsetController } =
  swingset;

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

/** @param {any} [given] @param {any} [endowments] */
const start = async (given = config(), endowments = {}) => {
  const swingStore = initSwingStore();
  const bootstrapResult = await initializeSwingset(given, ['one'], swingStore.kernelStorage);
  const controller = await makeSwingsetController(swingStore.kernelStorage, endowments);
  return { ...swingStore, bootstrapResult, controller };
};

/** @param {any} controller @param {string | undefined} kpid */
const answer = (controller, kpid) => kunser(controller.kpResolution(kpid));

test('a run is made, resumed and driven, and its results are read', async t => {
  const { controller: c, bootstrapResult, kernelStorage } = await start();
  t.true(swingset.swingsetIsInitialized(kernelStorage));
  t.is(bootstrapResult, 'kp40');
  t.is(c.kpStatus('kp40'), 'unresolved');
  t.throws(() => c.kpResolution('kp40'), { message: 'resolution of kp40 is still pending' });
  t.true((await c.run()) > 0);
  t.is(answer(c, bootstrapResult), 'started with one');
  t.deepEqual(c.dump().log, ['bootstrap of keeper']);
  const kpid = c.queueToVatRoot('keeper', 'add', [3n, { text: 'x' }]);
  await c.run();
  t.is(c.kpStatus(String(kpid)), 'fulfilled');
  t.deepEqual(answer(c, kpid), [3n, { text: 'x' }]);
  await c.run();
  t.is(c.kpStatus(String(kpid)), 'fulfilled', 'until the next crank it is there');
  await c.shutdown();
  t.throws(() => c.queueToVatRoot('keeper', 'add', []), { message: /runs nothing any more/ });
});

test('objects of methods that nobody declared Far are refused', async t => {
  const { vats, ...rest } = config();
  const { controller: c } = await start({
    ...rest,
    vats: {
      ...vats,
      undeclared: { sourceSpec: fixture('undeclared/result.js') },
      bare: { sourceSpec: fixture('undeclared/root.js') },
    },
  });
  await c.run();
  const made = c.queueToVatRoot('undeclared', 'make');
  await c.run();
  t.is(c.kpStatus(String(made)), 'rejected');
  t.regex(answer(c, made).message, /^Remotables must be explicitly declared: /);
  t.throws(() => c.vatNameToID('bare'), { message: /vat name "bare" must exist, but doesn't/ });
});

test('status and counters have the names of SwingSet', async t => {
  const { controller: c } = await start();
  await c.run();
  const { activeVats } = c.getStatus();
  t.deepEqual(
    activeVats.map(({ options }) => options.name),
    ['bootstrap', 'comms', 'keeper', 'timer', 'vatAdmin', 'vattp'],
  );
  t.deepEqual(activeVats[0], {
    id: 'v1',
    options: {
      name: 'bootstrap',
      workerOptions: { type: 'local' },
      enableSetup: false,
      enablePipelining: false,
      enableDisavow: false,
      useTranscript: true,
      reapDirtThreshold: {},
      critical: false,
    },
  });
  t.deepEqual(
    activeVats.map(({ options }) => options.useTranscript),
    [true, false, true, true, true, true],
    "comms keeps what it needs in its store, so SwingSet's has no transcript",
  );
  const before = c.getStats();
  t.is(before.vats, 6);
  // A host program warns of a counter that is not SwingSet's, and of one that is missing.
  t.deepEqual(
    Object.keys(before).filter(name => !/(?:Up|Down|Max)$/.test(name)),
    [
      ...['syscalls', 'syscallSend', 'syscallCallNow', 'syscallSubscribe', 'syscallResolve'],
      ...['syscallExit', 'syscallVatstoreGet', 'syscallVatstoreSet', 'syscallVatstoreGetNextKey'],
      ...['syscallVatstoreDelete', 'syscallDropImports', 'dispatches', 'dispatchDeliver'],
      ...['dispatchNotify', 'kernelObjects', 'kernelDevices', 'kernelPromises', 'kpUnresolved'],
      ...['kpFulfilled', 'kpRejected', 'clistEntries', 'vats', 'runQueueLength'],
      ...['acceptanceQueueLength', 'promiseQueuesLength'],
    ],
  );
  const never = c.queueToVatRoot('keeper', 'never');
  t.is(c.getStats().acceptanceQueueLength, 1);
  c.queueToVatObject(kslot(String(never)), 'hello');
  await c.run();
  const after = c.getStats();
  t.deepEqual([after.acceptanceQueueLength, after.promiseQueuesLength], [0, 1]);
});

test('a vat that the host has ended may be ended again', async t => {
  const { controller: c } = await start();
  await c.run();
  const vatId = c.vatNameToID('keeper');
  c.terminateVat(vatId, kser('over'));
  await c.run();
  c.terminateVat(vatId, kser('over'));
  t.is(await c.run(), 0);
  t.is(c.terminateVat('v99', kser('over')), undefined, 'nor does an unknown id change anything');
  t.is(await c.run(), 0);
});

test('a vat that was made in the run, and of which nothing is left, may be ended again', async t => {
  const { controller: c, kernelStorage } = await start({
    bootstrap: 'bootstrap',
    vats: { bootstrap: { sourceSpec: fixture('maker.js') } },
    bundles: { leaver: { sourceSpec: fixture('leaver.js') } },
  });
  await c.run();
  const ended = `v${Number(kernelStorage.kvStore.get('vat.nextID')) - 1}`;
  t.false(c.getStatus().activeVats.some(({ id }) => id === ended));
  c.terminateVat(ended, kser('over'));
  t.is(await c.run(), 0);
});

test('a message to a device is refused', async t => {
  const { controller: c } = await start();
  t.throws(() => c.queueToVatObject(kslot('kd30'), 'hi'), {
    name: 'UserError',
    message: /^"kd30" is a device; only vats can call one/,
  });
});

test('the id of a promise that is no string is refused, or unknown', async t => {
  const { controller: c } = await start();
  for (const id of /** @type {any[]} */ ([undefined, 40, {}])) {
    t.is(c.kpStatus(id), 'unknown');
    for (const read of [c.kpResolution, c.kpRegisterInterest])
      t.throws(() => read(id), {
        message: /^the id of a promise must be a string, like "kp40", got/,
      });
  }
});

test('the end of a critical vat by the host fails the next run', async t => {
  const { vats, ...rest } = config();
  const keeper = { ...vats.keeper, creationOptions: { critical: true } };
  const { controller: c } = await start({ ...rest, vats: { ...vats, keeper } });
  await c.run();
  c.terminateVat(c.vatNameToID('keeper'), kser('over'));
  await t.throwsAsync(c.run(), { message: kser('over').body });
  await t.throwsAsync(c.step(), { message: kser('over').body });
});

test('a command before anybody listens has no answer and throws nothing', async t => {
  const command = swingset.buildCommand(() => {});
  const { controller: c } = await start(
    { ...config(), devices: { command: { sourceSpec: command.srcPath } } },
    { command: { ...command.endowments } },
  );
  await c.run();
  const answered = command.inboundCommand({ a: 1 }).then(() => 'answered');
  await c.run();
  t.is(await Promise.race([answered, Promise.resolve('waits')]), 'waits');
});

test('a run in which a vat ends itself while it starts prints no warning', async t => {
  /** @type {string[]} */
  const warnings = [];
  const note = (/** @type {Error} */ { message }) => void warnings.push(message);
  process.on('warning', note);
  t.teardown(() => process.off('warning', note));
  const { controller: c, bootstrapResult } = await start({
    bootstrap: 'bootstrap',
    vats: { bootstrap: { sourceSpec: fixture('maker.js') } },
    bundles: { leaver: { sourceSpec: fixture('leaver.js') } },
  });
  await c.run();
  t.is(answer(c, bootstrapResult), 'Vat Creation Error: at once');
  // Warnings are told in a later turn.
  await new Promise(setImmediate);
  t.deepEqual(warnings, []);
});

test('objects in results can be sent to and passed on', async t => {
  const { controller: c } = await start();
  await c.run();
  const made = c.queueToVatRoot('keeper', 'make', ['thing']);
  await c.run();
  const thing = answer(c, made);
  const said = c.queueToVatObject(thing, 'say', ['hello']);
  const held = c.queueToVatRoot('keeper', 'isMine', [thing]);
  const later = c.queueToVatRoot('keeper', 'follow', [kslot(String(said))]);
  await c.run();
  t.is(answer(c, said), 'thing says hello');
  t.is(answer(c, held), true);
  t.is(answer(c, later), 'then: thing says hello');
  t.throws(() => c.queueToVatObject(kslot('ko999'), 'say'), { message: /"ko999"/ });
  t.throws(() => c.queueToVatRoot('keeper', 'add', [kslot('kp999')]), { message: /"kp999"/ });
  t.throws(() => c.queueToVatRoot('nobody', 'add'), { message: /vat name "nobody" must exist/ });
  t.throws(() => c.queueToVatRoot('keeper', 'add', [() => {}]), { message: /cannot be sent/ });
  const failed = c.queueToVatRoot('keeper', 'fail', [], /** @type {any} */ ('loud'));
  await c.run();
  t.is(c.kpStatus(String(failed)), 'rejected', 'an unknown policy is one that ignores it');
});

test('a result that is rejected under the policy "panic" ends the run', async t => {
  const { controller: c } = await start();
  await c.run();
  c.queueToVatRoot('keeper', 'fail', [], 'panic');
  await t.throwsAsync(c.run(), { message: /kernel panic kp\d+\.policy panic: rejected .*no luck/ });
  await t.throwsAsync(c.run(), { message: /kernel panic/ });
  await t.throwsAsync(c.step(), { message: /kernel panic/ });
});

test('a policy is called after each crank, and stops the run', async t => {
  const { controller: c } = await start();
  await c.run();
  /** @type {string[]} */
  const told = [];
  const note =
    (/** @type {string} */ kind, limit = Infinity) =>
    () => {
      told.push(kind);
      return told.length < limit;
    };
  const policy = (/** @type {number} */ limit) => ({
    vatCreated: note('created', limit),
    crankComplete: note('crank', limit),
    crankFailed: note('failed', limit),
    emptyCrank: note('empty', limit),
  });
  for (let i = 0; i < 5; i += 1) c.queueToVatRoot('keeper', 'add', [i], 'none');
  t.is(await c.run(policy(2)), 2);
  t.deepEqual(told.length, 2);
  t.true((await c.run(policy(Infinity))) >= 3);
  t.is(told.filter(kind => kind === 'crank').length, 5);
  const policyOf = (/** @type {string[]} */ ...names) =>
    /** @type {any} */ (Object.fromEntries(names.map(name => [name, () => true])));
  await t.throwsAsync(c.run(policyOf('crankComplete')), {
    message:
      'run(policy): the policy has no method "emptyCrank"; it needs "crankComplete" and "emptyCrank"',
  });
  t.is(await c.run(policyOf('crankComplete', 'emptyCrank')), 0);
});

test('a vat that the host ends does not answer', async t => {
  const { controller: c, debug } = await start();
  await c.run();
  const made = c.queueToVatRoot('keeper', 'make', ['thing']);
  await c.run();
  const thing = answer(c, made);
  const vatId = c.vatNameToID('keeper');
  t.throws(() => c.terminateVat(vatId, /** @type {any} */ ('doom')), {
    message: /must be capdata/,
  });
  t.deepEqual(debug.dump().snapshots[vatId], []);
  c.terminateVat(vatId, kser('doom'));
  t.false(vatId in debug.dump().snapshots);
  const said = c.queueToVatObject(thing, 'say', ['hello']);
  await c.run();
  t.is(c.kpStatus(String(said)), 'rejected');
  t.regex(answer(c, said).message, /vat terminated/);
  t.throws(() => c.vatNameToID('keeper'), { message: /must exist/ });
});

test('pins, interests, options and positions', async t => {
  const { controller: c, kernelStorage } = await start();
  await c.run();
  t.is(c.pinVatRoot('keeper'), c.pinVatRoot('keeper'));
  c.pinObject('ko20');
  t.throws(() => c.pinObject('ko999'), { message: /"ko999"/ });
  t.throws(() => c.kpRegisterInterest('kp999'), { message: /no promise "kp999"/ });
  c.kpRegisterInterest('kp40');
  const thresholds = () =>
    JSON.parse(kernelStorage.kvStore.get('kernel.defaultReapDirtThreshold') ?? '');
  t.is(kernelStorage.kvStore.get('kernel.snapshotInterval'), '200');
  c.changeKernelOptions({ defaultReapInterval: 7, snapshotInterval: 10, defaultReapGCKrefs: 3 });
  t.like(thresholds(), { deliveries: 7, gcKrefs: 3 });
  t.is(kernelStorage.kvStore.get('kernel.snapshotInterval'), '10');
  for (const [options, message] of /** @type {[any, string][]} */ ([
    [{ defaultReapInterval: 0 }, 'defaultReapInterval 0 must be a positive number or "never"'],
    [{ snapshotInterval: 'often' }, 'invalid heap snapshotInterval value'],
    [{ other: 1 }, 'unknown option "other"'],
    ['', 'changeKernelOptions: the options must be a record, got ""'],
    [[], 'changeKernelOptions: the options must be a record, got []'],
  ]))
    t.throws(() => c.changeKernelOptions(options), { message });
  c.changeKernelOptions({ defaultReapInterval: 1.5, snapshotInterval: 0 });
  t.like(thresholds(), { deliveries: 2 });
  t.is(kernelStorage.kvStore.get('kernel.snapshotInterval'), '0');
  c.changeKernelOptions({ defaultReapInterval: Infinity });
  t.like(thresholds(), { deliveries: 'never' });
  const positions = c.reapAllVats();
  const byName = ['bootstrap', 'keeper', 'timer', 'vatAdmin', 'vattp'].map(c.vatNameToID);
  t.deepEqual(Object.keys(positions), byName);
  t.deepEqual(c.dump().reapQueue, byName, 'asked in the order of names');
  await c.run();
  t.deepEqual(c.reapAllVats(positions), positions, 'nobody has had a delivery since');
  t.deepEqual(c.dump().reapQueue, []);
  const far = Object.fromEntries(Object.keys(positions).map(vatId => [vatId, 1_000_000]));
  t.deepEqual(c.reapAllVats(far), positions, 'the true positions');
});

test('tools read the state by keys of SwingSet', async t => {
  const { controller: c, kernelStorage, debug } = await start();
  await c.run();
  const made = c.queueToVatRoot('keeper', 'make', ['thing']);
  await c.run();
  const kref = c.kpResolution(String(made)).slots[0];
  const { kvStore } = kernelStorage;
  const vatId = c.vatNameToID('keeper');
  t.is(kvStore.get('vat.name.keeper'), vatId);
  t.is(kvStore.get(`${kref}.owner`), vatId);
  t.is(kvStore.get(`${kref}.refCount`), '2,2', "the host's, and the promise's");
  const vref = kvStore.get(`${vatId}.c.${kref}`)?.slice(2) ?? '';
  t.is(kvStore.get(`${vatId}.c.${vref}`), kref);
  t.deepEqual(JSON.parse(kvStore.get('vat.names') ?? ''), [
    ...['bootstrap', 'vatAdmin', 'comms', 'vattp', 'timer', 'keeper'],
  ]);
  t.true(kvStore.has('crankNumber'));
  const root = kvStore.get('vatAdminRootKref') ?? '';
  t.is(kvStore.get(`${root}.owner`), c.vatNameToID('vatAdmin'));
  t.true(kvStore.get('pinnedObjects')?.split(',').includes(root));
  t.is(kvStore.get('meter.nextID'), '1');
  const ofQueues = JSON.parse(kvStore.get('kernelStats') ?? '');
  const local = JSON.parse(kvStore.get('local.kernelStats') ?? '');
  t.deepEqual({ ...ofQueues, ...local }, c.getStats());
  t.is(ofQueues.runQueueLength, 0);
  t.false('kernelObjects' in ofQueues);
  t.like(local, { vats: 6, vatsUp: 6, vatsDown: 0 });
  t.is(kvStore.get('nothing'), undefined);
  let keys = 0;
  for (let key = kvStore.getNextKey(''); key !== undefined; key = kvStore.getNextKey(key))
    keys += 1;
  t.is(keys, Object.keys(debug.dump().kvEntries).length);
  t.throws(() => kvStore.set('x'), { message: /set\(\) is not here/ });
  t.deepEqual(
    c.dump().objects.find((/** @type {any[]} */ row) => row[0] === kref),
    [kref, vatId, 2, 2],
  );
});

test('a state in memory goes on from what was serialised, with the same hash', async t => {
  const { controller: c, debug } = await start();
  await c.run();
  const serialized = debug.serialize();
  const go = async (/** @type {any} */ controller) => {
    controller.queueToVatRoot('keeper', 'add', [1]);
    await controller.run();
    return controller.getActivityhash();
  };
  const other = initSwingStore(null, { serialized });
  const d = await makeSwingsetController(other.kernelStorage);
  t.deepEqual(d.dump().kernelTable, c.dump().kernelTable);
  t.deepEqual(d.dump().log, ['bootstrap of keeper'], 'vats say again what they said');
  t.is(await go(d), await go(c));
  t.throws(() => initSwingStore(null, { serialized: Buffer.from('x') }), {
    message: /not what debug.serialize\(\) made/,
  });
});

test('on disk, committed state is kept and uncommitted state is lost', async t => {
  const dir = temporaryDirectory(t);
  const first = store.openSwingStore(dir);
  t.true(store.isSwingStore(dir));
  t.is(first.internal.dirPath, dir);
  first.hostStorage.kvStore.set('host.height', '7');
  t.throws(() => first.hostStorage.kvStore.set('height', '7'), {
    message: /^hostKVStore requires host keys/,
  });
  t.throws(() => first.hostStorage.kvStore.delete('height'), {
    message: /^hostKVStore requires host keys/,
  });
  await initializeSwingset(config(), [], first.kernelStorage);
  const c = await makeSwingsetController(first.kernelStorage);
  await c.run();
  await first.hostStorage.commit();
  const hash = c.getActivityhash();
  c.queueToVatRoot('keeper', 'add', [1]);
  await c.run();
  t.not(c.getActivityhash(), hash);
  await first.hostStorage.close();

  const second = store.openSwingStore(dir);
  t.is(second.hostStorage.kvStore.get('host.height'), '7');
  t.is(second.kernelStorage.getActivityhash(), hash);
  const d = await makeSwingsetController(second.kernelStorage);
  t.is(d.getActivityhash(), hash);
  await t.throwsAsync(initializeSwingset(config(), [], second.kernelStorage), {
    message: 'kernel store already initialized',
  });
  await second.hostStorage.close();
  const third = initSwingStore(dir);
  t.false(swingset.swingsetIsInitialized(third.kernelStorage));
  await third.hostStorage.close();
  rmSync(dir, { recursive: true });
});

test('configs are read from folders and files, and completed', async t => {
  const found = swingset.loadBasedir(fixture('.'));
  t.is(found.bootstrap, 'bootstrap');
  t.deepEqual(Object.keys(found.vats), ['keeper', 'bootstrap']);
  t.is(await swingset.loadSwingsetConfigFile(fixture('missing.json')), null);
  const read = await swingset.loadSwingsetConfigFile(fixture('config.json'));
  t.is(read?.vats.keeper.sourceSpec, fixture('vat-keeper.js'));
  const c = await swingset.buildVatController(read ?? {}, ['two']);
  await c.run();
  t.is(answer(c, c.bootstrapResult), 'started with two');
  await c.shutdown();
  const wrong = { bootstrap: 'x', vats: { a: { sourceSpec: './nothing.js' } } };
  await t.throwsAsync(swingset.normalizeConfig(wrong), { message: /does not exist/ });
});

test('options of Node are refused for vats without a process of their own', async t => {
  /** @param {object} creationOptions */
  const withOptions = creationOptions => {
    const { keeper, ...vats } = config().vats;
    return { ...config(), vats: { ...vats, keeper: { ...keeper, creationOptions } } };
  };
  const nodeOptions = ['--inspect'];
  for (const options of [{ nodeOptions }, { nodeOptions, managerType: 'xsnap' }])
    await t.throwsAsync(swingset.buildVatController(withOptions(options)), {
      message: "nodeOptions requires managerType 'node-subprocess'",
    });
  const c = await swingset.buildVatController(
    withOptions({ nodeOptions, managerType: 'node-subprocess' }),
  );
  await c.shutdown();
});

test('a config without vats runs', async t => {
  const c = await swingset.buildVatController({});
  t.is(c.bootstrapResult, undefined);
  t.is(await c.run(), 0);
  await c.shutdown();
});

test('a missing function throws with its name', async t => {
  for (const [name, call] of /** @type {[string, () => unknown][]} */ ([
    ['makeSwingStoreExporter', () => store.makeSwingStoreExporter()],
    ['makeSwingStore', () => store.makeSwingStore()],
    ['applyVatOptionUpdates', () => swingset.applyVatOptionUpdates()],
    ['snapStore.saveSnapshot', () => initSwingStore().kernelStorage.snapStore.saveSnapshot()],
    ['internal.db.prepare', () => initSwingStore().internal.db.prepare('SELECT 1')],
    [
      'kernelStorage.startCrank',
      () => /** @type {any} */ (initSwingStore().kernelStorage).startCrank(),
    ],
  ]))
    t.throws(call, { message: new RegExp(`^${name.replaceAll('.', '\\.')}\\(\\) is not here: `) });
  t.throws(() => initSwingStore(null, { exportCallback: () => {} }), {
    message: 'initSwingStore: the option "exportCallback" is not here',
  });
  t.throws(() => swingset.swingsetIsInitialized({ kvStore: new Map() }), {
    message: /that of another swing-store/,
  });
  await t.throwsAsync(makeSwingsetController(initSwingStore().kernelStorage), {
    message: /has no run/,
  });
});

test('the bundles of a kernel are those of its parts', async t => {
  const { kernel, ...parts } = await swingset.buildKernelBundles();
  t.deepEqual(kernel, await swingset.buildKernelBundle());
  t.regex(
    /** @type {any} */ (kernel).endoZipBase64Sha512,
    /^[0-9a-f]{128}$/,
    'programs know kept states by it',
  );
  t.deepEqual(parts, await swingset.buildVatAndDeviceBundles());
  t.deepEqual(Object.keys(parts), ['adminDevice', 'adminVat', 'comms', 'vattp', 'timer']);
});
