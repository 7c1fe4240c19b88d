// A thread that ends before it was ready costs only time, also a vat that is being made there.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import test from 'ava';
import { loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

const files = {
  'bootstrap.js': `
    import { E, Far } from '@endo/far';
    export const buildRootObject = () => {
      let service;
      return Far('bootstrap', {
        bootstrap(vats, devices) {
          service = E(vats.vatAdmin).createVatAdminService(devices.vatAdmin);
        },
        async make() {
          const { root } = await E(service).createVatByName('counter', { managerType: 'worker' });
          return E(root).count();
        },
      });
    };
  `,
  'counter.js': `
    import { Far } from '@endo/far';
    export const buildRootObject = () => {
      let count = 0;
      return Far('counter', { count: () => (count += 1) });
    };
  `,
  'swingset.json': JSON.stringify({
    bootstrap: 'bootstrap',
    bundles: { counter: { sourceSpec: './counter.js' } },
    vats: {
      bootstrap: { sourceSpec: './bootstrap.js', creationOptions: { managerType: 'local' } },
      counter: { sourceSpec: './counter.js', creationOptions: { managerType: 'worker' } },
    },
  }),
};

/** @param {import('ava').ExecutionContext} t @param {number} kills  of the thread, while a vat is made there */
const makeWithKills = async (t, kills) => {
  const baseDir = temporaryDirectory(t, 'workers-unready');
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(baseDir, name), text);
  const simulation = await makeSimulation(loadConfig({ baseDir }), {
    ...{ store: makeMemoryStore(), workers: 1 },
  });
  t.teardown(() => simulation.close());
  await simulation.run();
  t.is(await simulation.call('counter', 'count'), 1);
  if (kills > 0) await simulation.killWorker(1);
  // Its successors end before they are ready, which takes longer.
  const kill = async () => {
    for (let i = 1; i < kills; i += 1) {
      await sleep(20);
      await simulation.killWorker(1);
    }
  };
  const killing = kill();
  const made = await simulation.call('bootstrap', 'make').catch(error => error.message);
  await killing;
  t.is(await simulation.call('counter', 'count'), 2);
  return { made, hash: simulation.activityHash() };
};

test.serial('a vat is made although its thread ends before it was ready', async t => {
  const plain = await makeWithKills(t, 0);
  t.is(plain.made, 1);
  t.deepEqual(await makeWithKills(t, 4), plain);
});

test.serial('a thread that ends too often ends the run, not the start of a vat', async t => {
  await t.throwsAsync(makeWithKills(t, 40), {
    message: /^the run has failed: worker thread 1 ends again and again: /,
  });
});
