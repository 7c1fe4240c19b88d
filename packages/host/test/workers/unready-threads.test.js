// A thread that ends before it was ready costs only time, also a vat that is being made there, on it or on its successor.

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
    export const buildRootObject = (_powers, _parameters, baggage) => {
      baggage.init('a', 1);
      let count = 0;
      return Far('counter', {
        count: () => (count += 1),
        work() { for (let i = 0; i < 3e8; i += 1) count = (count * 31 + i) % 65537; },
      });
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

/** @param {import('ava').ExecutionContext} t */
const start = async t => {
  const baseDir = temporaryDirectory(t, 'workers-unready');
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(baseDir, name), text);
  const simulation = await makeSimulation(loadConfig({ baseDir }), {
    ...{ store: makeMemoryStore(), workers: 1 },
  });
  t.teardown(() => simulation.close());
  await simulation.run();
  t.is(await simulation.call('counter', 'count'), 1);
  return simulation;
};

/** @param {import('ava').ExecutionContext} t @param {number} kills  of the thread, while a vat is made there */
const makeWithKills = async (t, kills) => {
  const simulation = await start(t);
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

test.serial('a vat that is made while its thread is restored is delivered to once', async t => {
  /** @param {boolean} isKilled */
  const make = async isKilled => {
    const simulation = await start(t);
    // The restored vat repeats this, and the new one gets its first delivery meanwhile.
    await simulation.call('counter', 'work');
    if (isKilled) await simulation.killWorker(1);
    const made = await simulation.call('bootstrap', 'make');
    return {
      made,
      count: await simulation.call('counter', 'count'),
      hash: simulation.activityHash(),
    };
  };
  t.deepEqual(await make(true), await make(false));
});
