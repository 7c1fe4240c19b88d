// A vat that ends while its thread is restored leaves the thread's other vats as they were.

import { writeFileSync } from 'node:fs';
import path from 'node:path';

import test from 'ava';
import { loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

const files = {
  'bootstrap.js': `
    import { E, Far } from '@endo/far';
    export const buildRootObject = () => {
      let made;
      return Far('bootstrap', {
        async bootstrap(vats, devices) {
          const service = E(vats.vatAdmin).createVatAdminService(devices.vatAdmin);
          made = await E(service).createVatByName('counter', { managerType: 'worker' });
          await E(made.root).count();
        },
        async end() {
          E(made.adminNode).terminateWithFailure('enough');
          await E(made.adminNode).done().catch(() => {});
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

/** @param {import('ava').ExecutionContext} t @param {boolean} isKilled */
const runToEnd = async (t, isKilled) => {
  const baseDir = temporaryDirectory(t, 'workers-ends');
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(baseDir, name), text);
  const simulation = await makeSimulation(loadConfig({ baseDir }), {
    ...{ store: makeMemoryStore(), workers: 1 },
  });
  t.teardown(() => simulation.close());
  await simulation.run();
  t.is(await simulation.call('counter', 'count'), 1);
  // The next thread takes longer to start than the call takes on this one.
  if (isKilled) await simulation.killWorker(1);
  await simulation.call('bootstrap', 'end');
  t.is(await simulation.call('counter', 'count'), 2);
  const [{ vats }] = simulation.workers();
  return { hash: simulation.activityHash(), vats };
};

test.serial('a vat that ends while its thread is restored is not restored', async t => {
  const { hash } = await runToEnd(t, false);
  const killed = await runToEnd(t, true);
  t.is(killed.hash, hash);
  t.is(killed.vats, 1);
});
