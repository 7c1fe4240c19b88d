import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { directoryOfProcess } from '#testkit/temporary-directory.js';
import { loadConfig, makeMemoryStore, makeSimulation, UserError } from '../index.js';

/** @param {Record<string, string>} files */
const writeFolder = files => {
  const folder = directoryOfProcess('simulation');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
};

const echo = writeFolder({
  'bootstrap.js': `
    import { Far } from '@endo/far';
    export const buildRootObject = (_powers, { argv }) =>
      Far('root', {
        bootstrap: () => argv,
        double: n => n * 2,
        fail: () => { throw Error('no'); },
        never: () => new Promise(() => {}),
      });
  `,
});

/** @param {string} folder */
const start = async (folder, options = {}) => {
  const config = loadConfig({ baseDir: folder, argv: ['a'] });
  return makeSimulation(config, { store: makeMemoryStore(), ...options });
};

test.serial('messages are queued, run, looked at and let go of', async t => {
  const simulation = await start(echo);
  await simulation.run();
  t.is(simulation.status(simulation.bootstrapResult).data?.body, '#["a"]');
  const doubled = simulation.queueToVatRoot('bootstrap', 'double', [21]);
  const failed = simulation.queueToVatRoot('bootstrap', 'fail');
  const never = simulation.queueToVatRoot('bootstrap', 'never');
  t.is(simulation.status(doubled).state, 'unresolved');
  t.is(await simulation.run(), 3);
  t.is(simulation.status(doubled).data?.body, '#42');
  t.is(simulation.status(failed).state, 'rejected');
  t.is(simulation.status(never).state, 'unresolved');
  simulation.release(doubled);
  t.is(simulation.status(doubled).state, 'data', 'it is deleted with the next crank');
  simulation.queueToVatRoot('bootstrap', 'double', [1]);
  await simulation.run();
  t.is(simulation.status(doubled).state, 'unknown');
  await simulation.close();
});

for (const profile of /** @type {const} */ (['current', '2020-09'])) {
  test.serial(`HandledPromise is a global of every vat, ${profile}`, async t => {
    const folder = writeFolder({
      'bootstrap.js': `
        import { E, HandledPromise as imported } from '@endo/eventual-send';
        import { Far } from '@endo/far';
        export const buildRootObject = () =>
          Far('root', {
            bootstrap: async vats =>
              [HandledPromise === imported, await HandledPromise.applyMethod(vats.bob, 'double', [21])],
          });
      `,
      // As other tools bundle a vat: with a copy of the modules that look for the global.
      'bob.json': JSON.stringify({
        moduleFormat: 'getExport',
        source: `() => ({
          buildRootObject: ({ Remotable }) =>
            Remotable('Alleged: bob', { double: n => HandledPromise.resolve(2 * n) }),
        })`,
      }),
      'swingset.json': JSON.stringify({
        bootstrap: 'bootstrap',
        vats: { bootstrap: { sourceSpec: 'bootstrap.js' }, bob: { bundleSpec: 'bob.json' } },
      }),
    });
    const simulation = await start(folder, { profile });
    await simulation.run();
    t.regex(simulation.status(simulation.bootstrapResult).data?.body ?? '', /^#?\[true,42\]$/);
    await simulation.close();
  });
}

test.serial('a step is one crank, and none when nothing is queued', async t => {
  const simulation = await start(echo);
  t.is(await simulation.step(), 1);
  t.is(await simulation.step(), 1);
  t.is(await simulation.step(), 0);
  t.deepEqual(simulation.cranks, { all: 2, control: 1 });
  t.true(simulation.isQuiet);
  await simulation.close();
});

test.serial('a call to a missing vat lists the vats of the run', async t => {
  const simulation = await start(echo);
  t.throws(() => simulation.queueToVatRoot('bob', 'hi'), {
    instanceOf: UserError,
    message: 'there is no vat "bob"; there are "bootstrap", "vatAdmin", "comms", "vattp", "timer"',
  });
  t.throws(() => simulation.queueToVatRoot('bootstrap', 'hi', [Promise.resolve()]), {
    instanceOf: UserError,
    message: /^argument 1 of bootstrap\.hi\(\) is a promise, and not one that a vat gave/,
  });
  await simulation.close();
});

test.serial('the state in a store decides whether a simulation is made or resumed', async t => {
  const store = makeMemoryStore();
  await t.throwsAsync(makeSimulation(undefined, { store, resume: true }), {
    instanceOf: UserError,
    message: 'there is no state to resume in the store; leave "resume" out to begin a run',
  });
  const first = await start(echo, { store });
  await first.step();
  await t.throwsAsync(start(echo, { store }), {
    instanceOf: UserError,
    message: /the store holds a state already; take it up with --resume/,
  });
  await t.throwsAsync(makeSimulation(undefined, { store, resume: true, profile: '2020-09' }), {
    instanceOf: UserError,
    message: /the state was made with --profile current, not 2020-09/,
  });
  const second = await makeSimulation(undefined, { store, resume: true });
  await second.run();
  t.is(second.status(second.bootstrapResult).data?.body, '#["a"]');
  await second.close();
});

test.serial('a device without buildRootDeviceNode is refused', async t => {
  const source = 'export const buildRootObject = () => ({ bootstrap() {} });';
  const vats = { bootstrap: { sourceSpec: 'bootstrap.js' } };
  const withDevice = writeFolder({
    'bootstrap.js': source,
    'swingset.json': JSON.stringify({
      bootstrap: 'bootstrap',
      vats,
      devices: { clock: { sourceSpec: 'bootstrap.js' } },
    }),
  });
  await t.throwsAsync(start(withDevice), {
    instanceOf: UserError,
    message:
      'device "clock": its module must export buildRootDeviceNode(tools), or buildDevice(tools, endowments) for a raw device',
  });
});
