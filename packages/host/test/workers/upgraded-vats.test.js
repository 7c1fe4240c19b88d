// A vat that is upgraded while it moves to a thread, or after it has moved, is afterwards the new incarnation everywhere.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import test from 'ava';
import { loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

/** @import { Simulation } from '#host' */

const files = {
  'bootstrap.js': `
    import { E, Far } from '@endo/far';
    export const buildRootObject = () => {
      let admin;
      let service;
      return Far('bootstrap', {
        bootstrap(vats, devices) {
          admin = vats.vatAdmin;
          service = E(admin).createVatAdminService(devices.vatAdmin);
        },
        async upgrade(vatId, value) {
          const id = await E(service).getBundleIDByName('teller');
          await E(admin).upgradeStaticVat(vatId, null, id, { vatParameters: { value } });
        },
        async upgradeInVain(vatId) {
          const id = await E(service).getBundleIDByName('broken');
          return E(admin).upgradeStaticVat(vatId, null, id, {}).catch(error => error.message);
        },
      });
    };
  `,
  'teller.js': `
    import { Far } from '@endo/far';
    export const buildRootObject = (_powers, { value = 0 } = {}) => {
      let count = 0;
      return Far('teller', { tell: () => [value, (count += 1)] });
    };
  `,
  'broken.js': `export const buildRootObject = () => { throw Error('it is broken'); };`,
  'swingset.json': JSON.stringify({
    bootstrap: 'bootstrap',
    bundles: { teller: { sourceSpec: './teller.js' }, broken: { sourceSpec: './broken.js' } },
    vats: {
      bootstrap: { sourceSpec: './bootstrap.js', creationOptions: { managerType: 'local' } },
      ann: { sourceSpec: './teller.js' },
      ben: { sourceSpec: './teller.js' },
    },
  }),
};

/** @param {import('ava').ExecutionContext} t */
const start = async t => {
  const baseDir = temporaryDirectory(t, 'upgraded-vats');
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(baseDir, name), text);
  const simulation = await makeSimulation(loadConfig({ baseDir }), {
    ...{ store: makeMemoryStore(), workers: 'auto' },
  });
  t.teardown(() => simulation.close());
  await simulation.run();
  const { vatId } = simulation.kernel.vats().find(({ name }) => name === 'ann') ?? t.fail();
  const upgrade = (/** @type {number} */ value) =>
    simulation.call('bootstrap', 'upgrade', [vatId, value]);
  return { simulation, vatId, upgrade };
};

/** Move a vat, and wait for that. @param {Simulation} simulation @param {string} vat @param {number} thread */
const move = async (simulation, vat, thread) => {
  const moves = () => simulation.placement()?.moves ?? 0;
  for (const before = moves(); moves() === before;) {
    simulation.moveVat(vat, thread);
    await simulation.call('ben', 'tell');
  }
};

test.serial('a vat that is upgraded while it moves is the new incarnation', async t => {
  const { simulation, upgrade } = await start(t);
  await move(simulation, 'ben', 1);
  // Its transcript is sent in pieces, in the pauses of other calls.
  for (let pauses = 0; pauses < 5; pauses += 1) {
    await simulation.call('ann', 'tell');
    simulation.moveVat('ann', 1);
    // It is made there meanwhile.
    await sleep(100);
    for (let i = 0; i < pauses; i += 1) await simulation.call('ben', 'tell');
    await upgrade(pauses);
    await move(simulation, 'ben', pauses % 2);
    t.deepEqual(await simulation.call('ann', 'tell'), [pauses, 1]);
  }
});

test.serial('a vat that moves, is upgraded and returns is the new incarnation', async t => {
  const { simulation, upgrade } = await start(t);
  await move(simulation, 'ann', 1);
  t.deepEqual(await simulation.call('ann', 'tell'), [0, 1]);
  await upgrade(5);
  t.deepEqual(await simulation.call('ann', 'tell'), [5, 1]);
  await move(simulation, 'ann', 1);
  t.deepEqual(await simulation.call('ann', 'tell'), [5, 2]);
  await move(simulation, 'ann', 0);
  t.deepEqual(await simulation.call('ann', 'tell'), [5, 3]);
});

test.serial('a vat whose thread ends while its upgrade fails goes on', async t => {
  const { simulation, vatId } = await start(t);
  await move(simulation, 'ann', 1);
  for (let count = 1; count < 5; count += 1)
    t.deepEqual(await simulation.call('ann', 'tell'), [0, count]);
  const { BundleShelf } = await import('#host/vats/bundle-shelf.js');
  const { prepare } = BundleShelf.prototype;
  t.teardown(() => void Object.assign(BundleShelf.prototype, { prepare }));
  // The next thread restores the vat before the new incarnation is made.
  BundleShelf.prototype.prepare = async function (id) {
    const { state } = simulation.kernel;
    const isRestored = new Promise(resolve => {
      state.transcriptStreamOf = (...of) => {
        resolve(undefined);
        return Object.getPrototypeOf(state).transcriptStreamOf.apply(state, of);
      };
    });
    void simulation.killWorker(1);
    await isRestored;
    return prepare.call(this, id);
  };
  t.is(await simulation.call('bootstrap', 'upgradeInVain', [vatId]), 'vat-upgrade failure');
  t.deepEqual(await simulation.call('ann', 'tell'), [0, 5]);
});
