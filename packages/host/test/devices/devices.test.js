// Devices written by users: their calls, their state, what they send and hand out, and what becomes of it all when a
// crank is dropped or a run is resumed.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { directoryOfProcess } from '#testkit/temporary-directory.js';
import { loadConfig, makeMemoryStore, makeSimulation, UserError } from '#host';

const device = `
  export const buildRootDeviceNode = tools => {
    const { SO, getDeviceState, setDeviceState, store, endowments, deviceParameters, handOut } = tools;
    let cached = getDeviceState() ?? { count: 0 };
    const change = state => {
      cached = harden(state);
      setDeviceState(cached);
    };
    tools.onInput(data => {
      const { listener } = cached;
      SO(listener).said(data, tools.now());
    });
    tools.onWake(() => SO(cached.listener).said('woken', tools.now()));
    tools.onNode(name => harden({ name: () => name, count: () => cached.count }));
    return harden({
      count() {
        change({ ...cached, count: cached.count + 1 });
        handOut('counted ' + cached.count);
        return cached.count;
      },
      listen(listener) { change({ ...cached, listener }); },
      say(...args) { SO(cached.listener).said(...args); },
      wakeAt: timeNs => tools.wakeAt(timeNs),
      keep(key, value) { store.set(key, value); },
      recall: key => store.get(key),
      next: prior => store.nextKey(prior),
      node: name => tools.node(name),
      fresh: () => harden({ name: () => 'fresh' }),
      told: () => ({ ...endowments, ...deviceParameters }),
      sends: () => typeof HandledPromise.resolve,
      fail() { throw RangeError('the device says no'); },
    });
  };
`;

const vat = `
  import { E, Far } from '@endo/far';
  export const buildRootObject = ({ D, exitVatWithFailure }) => {
    const said = [];
    let device;
    const self = Far('root', {
      bootstrap(_vats, devices) {
        device = devices.own;
        D(device).listen(self);
      },
      call: (method, ...args) => D(device)[method](...args),
      said: (...args) => { said.push(args); },
      heard: () => said.splice(0),
      keepSelf: () => D(device).keep('self', { self, deep: [self] }),
      isSelf: () => D(device).recall('self').deep[0] === self,
      nodeName: name => D(D(device).node(name)).name(),
      sameNode: () => D(device).node('x') === D(device).node('x'),
      freshName: () => D(D(device).fresh()).name(),
      order() {
        D(device).say('second');
        D(device).say('third');
        E(self).said('first, since it stays in the vat');
      },
      promise: () => D(device).say(Promise.resolve()),
      thrown() {
        try {
          return D(device).fail();
        } catch (error) {
          return error.name + ': ' + error.message;
        }
      },
      dropped() {
        D(device).count();
        D(device).say('never');
        exitVatWithFailure('so that the crank is dropped');
      },
    });
    return self;
  };
`;

/** @param {object} [config]  fields of the device */
const writeConfig = config => {
  const folder = directoryOfProcess('devices');
  writeFileSync(join(folder, 'device.js'), device);
  writeFileSync(join(folder, 'vat.js'), vat);
  const part = { sourceSpec: 'vat.js' };
  writeFileSync(
    join(folder, 'swingset.json'),
    JSON.stringify({
      bootstrap: 'bootstrap',
      vats: { bootstrap: part },
      devices: { own: { sourceSpec: 'device.js', ...config } },
    }),
  );
  return loadConfig({ baseDir: folder });
};

/** @typedef {Partial<Parameters<typeof makeSimulation>[1]>} Options */

/**
 * @param {Options} [options]
 * @param {object} [config]
 */
const start = async (options, config) => {
  const store = makeMemoryStore();
  const simulation = await makeSimulation(writeConfig(config), { store, ...options });
  await simulation.run();
  return { store, ...wrap(simulation) };
};

/** @param {Awaited<ReturnType<typeof makeSimulation>>} simulation */
const wrap = simulation => ({
  simulation,
  /** @param {string} method @param {unknown[]} args */
  async ask(method, ...args) {
    const result = simulation.queueToVatRoot('bootstrap', method, args);
    await simulation.run();
    const { state, data } = simulation.status(result);
    return state === 'rejected' ? `rejected ${data?.body}` : JSON.parse(data?.body.slice(1) ?? '');
  },
});

test.serial(
  'a device answers at once, keeps its state, and is given endowments and parameters',
  async t => {
    const { ask, simulation } = await start(
      { deviceEndowments: { own: { a: 1 } } },
      { parameters: { b: [2] } },
    );
    t.is(await ask('call', 'count'), 1);
    t.is(await ask('call', 'count'), 2);
    t.deepEqual(await ask('call', 'told'), { a: 1, b: [2] });
    t.is(await ask('call', 'sends'), 'function', 'installed copies of E look for it');
    await ask('call', 'keep', 'k1', { some: ['data'] });
    await ask('call', 'keep', 'k2', 'more');
    t.deepEqual(await ask('call', 'recall', 'k1'), { some: ['data'] });
    t.is(await ask('call', 'next', ''), 'k1');
    t.is(await ask('call', 'next', 'k1'), 'k2');
    t.is(await ask('call', 'next', 'k2'), '#undefined');
    await ask('keepSelf');
    t.true(await ask('isSelf'), 'an object of a vat comes back as itself');
    await simulation.close();
  },
);

test.serial('messages of a device arrive with later cranks, in its order', async t => {
  const { ask, simulation } = await start();
  await ask('order');
  t.deepEqual(await ask('heard'), [['first, since it stays in the vat'], ['second'], ['third']]);
  await simulation.close();
});

test.serial("a device is woken at its time, and gets the host's input", async t => {
  const { ask, simulation } = await start();
  await ask('call', 'wakeAt', 5_000);
  t.deepEqual(await ask('heard'), [['woken', 5000]]);
  simulation.deviceInput('own', 'from outside');
  await simulation.run();
  t.deepEqual(await ask('heard'), [['from outside', 5000]]);
  t.like(
    simulation.kernel.inputs().filter(({ kind }) => kind === 'physical'),
    [{ vat: 'd7', data: 'from outside', tag: { timeNs: 5000 } }],
  );
  t.throws(() => simulation.deviceInput('other', ''), {
    instanceOf: UserError,
    message: 'there is no device "other"; there are "own", "vatAdmin"',
  });
  await simulation.close();
});

test.serial(
  'an error of a woken device is reported and the run continues; one in a call of the host goes to the host',
  async t => {
    /** @type {string[]} */
    const told = [];
    const { ask, simulation } = await start({
      observer: { onVatError: (name, error) => told.push(`${name}: ${error}`) },
    });
    await ask('call', 'listen', null);
    await ask('call', 'wakeAt', 5_000);
    t.deepEqual(told, ['own: Error: SO(x) in device own: x must be an object of a vat']);
    t.throws(() => simulation.deviceInput('own', 'x'), {
      message: 'SO(x) in device own: x must be an object of a vat',
    });
    t.is(await ask('call', 'count'), 1, 'the run goes on');
    t.is(simulation.kernel.inputs().filter(({ kind }) => kind === 'physical').length, 0);
    await simulation.close();
  },
);

test.serial(
  'each node of a device is a capability of its own, and a named one is kept',
  async t => {
    const { ask, simulation, store } = await start();
    t.is(await ask('nodeName', 'x'), 'x');
    t.true(await ask('sameNode'));
    t.is(await ask('freshName'), 'fresh');
    const resumed = wrap(await makeSimulation(undefined, { store, resume: true }));
    t.is(await resumed.ask('nodeName', 'x'), 'x');
    t.is(await resumed.ask('freshName'), 'fresh');
    await simulation.close();
  },
);

test.serial(
  'an error of a device stays with the host, and so does the name of a method that it lacks',
  async t => {
    /** @type {string[]} */
    const errors = [];
    const { ask, simulation } = await start({
      observer: { onVatError: (_name, { message }) => void errors.push(message) },
    });
    const hidden = 'syscall.callNow failed: device.invoke failed, see logs for details';
    t.is(await ask('thrown'), `Error: ${hidden}`);
    t.true((await ask('call', 'nothing')).includes(hidden));
    t.is(errors[0], 'the device says no');
    t.true(
      errors.some(text => text.startsWith('device own has no method "nothing"; it has "count"')),
    );
    t.regex(await ask('promise'), /D\(\) arguments cannot include a Promise/);
    await simulation.close();
  },
);

test.serial('a dropped crank undoes its device calls', async t => {
  /** @type {string[]} */
  const handed = [];
  const { simulation, store } = await start({
    onHandOut: (name, data) => handed.push(`${name}: ${data}`),
  });
  const result = simulation.queueToVatRoot('bootstrap', 'call', ['count']);
  await simulation.runCranks();
  t.deepEqual(handed, [], 'what is handed out waits for the block');
  await simulation.commit();
  t.deepEqual(handed, ['own: counted 1']);
  t.is(simulation.status(result).data?.body, '#1');
  const before = [...store.entries('vs.d7.')];
  simulation.queueToVatRoot('bootstrap', 'dropped');
  await simulation.run();
  t.deepEqual([...store.entries('vs.d7.')], before);
  t.deepEqual(handed, ['own: counted 1']);
  await simulation.close();
});

test.serial('a resumed run has the state of its devices', async t => {
  const { ask, store } = await start();
  await ask('call', 'count');
  await ask('call', 'wakeAt', 9_000);
  const { ask: askAgain } = wrap(await makeSimulation(undefined, { store, resume: true }));
  t.deepEqual(await askAgain('heard'), [['woken', 9000]]);
  t.is(await askAgain('call', 'count'), 2);
});

test.serial('endowments for a missing device, and code that is no device, are refused', async t => {
  await t.throwsAsync(
    makeSimulation(writeConfig(), {
      store: makeMemoryStore(),
      deviceEndowments: { owm: {} },
    }),
    {
      instanceOf: UserError,
      message:
        /^endowments are given to device "owm", which the run does not have; it has .*"own".*; did you mean "own"\?$/,
    },
  );
  await t.throwsAsync(
    makeSimulation(writeConfig({ sourceSpec: 'vat.js' }), { store: makeMemoryStore() }),
    {
      instanceOf: UserError,
      message:
        'device "own": its module must export buildRootDeviceNode(tools), or buildDevice(tools, endowments) for a raw device',
    },
  );
});
