// A vat may leave a thread that is being restored, and return to it before that is done.

import { writeFileSync } from 'node:fs';
import path from 'node:path';

import test from 'ava';
import { loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

const files = {
  'bootstrap.js': `
    import { Far } from '@endo/far';
    export const buildRootObject = () => Far('bootstrap', { bootstrap() {} });
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
    vats: {
      bootstrap: { sourceSpec: './bootstrap.js', creationOptions: { managerType: 'local' } },
      ann: { sourceSpec: './counter.js' },
      ben: { sourceSpec: './counter.js' },
      cat: { sourceSpec: './counter.js', creationOptions: { managerType: 'local' } },
    },
  }),
};

test('a vat that returns to a thread before that is restored is there once', async t => {
  const baseDir = temporaryDirectory(t, 'returning-vats');
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(baseDir, name), text);
  const simulation = await makeSimulation(loadConfig({ baseDir }), {
    ...{ store: makeMemoryStore(), workers: 2 },
  });
  t.teardown(() => simulation.close());
  await simulation.run();
  /** Move a vat, unless it is there already. @param {string} vat @param {number} thread */
  const move = async (vat, thread) => {
    const moves = () => simulation.placement()?.moves ?? 0;
    const before = moves();
    for (const from = performance.now(); moves() === before && performance.now() < from + 2_000;) {
      simulation.moveVat(vat, thread);
      simulation.release(simulation.queueToVatRoot('cat', 'count'));
      await simulation.runCranks(1);
      await simulation.commit();
    }
  };
  for (const vat of ['ann', 'ben']) await move(vat, 0);
  for (let turn = 1; turn < 5; turn += 1) {
    await move('ann', 2);
    await move('ben', 2);
    for (const vat of ['ann', 'ben'])
      t.is(await simulation.call(vat, 'count'), 2 * turn - 1, `${vat} in turn ${turn}`);
    await simulation.killWorker(2);
    // It takes longer until thread 2 is there again.
    await move('ann', 1);
    await move('ann', 2);
    for (const vat of ['ben', 'ann'])
      t.is(await simulation.call(vat, 'count'), 2 * turn, `${vat} in turn ${turn}`);
    await move('ann', 0);
    await move('ben', 0);
  }
});
