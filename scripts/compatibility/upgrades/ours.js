// Random programs with upgrades under this kernel.

import { defaultCacheDir, initialiseState, makeMemoryStore, makeSimulation } from '#host';
import { reapAll } from '../../../packages/swingset/kernel-options.js';
import { serialiseMessage } from '../../../packages/swingset/kmarshal.js';
import { makeKvView } from '../../../packages/swingset/kv-view.js';
import { adoptConfig } from '../../../packages/swingset/swingset-config.js';
import { followKernel } from '../deliveries/follow-kernel.js';
import { prepare, runRounds } from './drive.js';
import { configOf } from './program.js';

const source = (/** @type {string} */ name) => ({
  sourceSpec: new URL(`../../../test/fixtures/deliveries/upgrades/${name}.js`, import.meta.url)
    .pathname,
});

/**
 * @param {number} seed
 * @param {number} rounds
 * @returns {Promise<string[][]>} lines of each round
 */
export const runHere = async (seed, rounds) => {
  const [store, cacheDir] = [makeMemoryStore(), defaultCacheDir()];
  const config = configOf({ bootstrap: source('bootstrap'), actor: source('actor') });
  const adopted = adoptConfig(config, undefined, { omitted: ['comms', 'vattp', 'timer'] });
  await initialiseState(/** @type {any} */ ({ ...adopted, firstRoot: 'vatAdmin' }), {
    ...{ store, cacheDir },
  });
  const { trace, options } = followKernel();
  const simulation = await makeSimulation(undefined, { store, cacheDir, resume: true, ...options });
  const { kernel } = simulation;
  const { vats, owners } = kernel.state;
  const names = new Map(
    kernel.vats().flatMap(({ vatId, name, isStatic }) => (isStatic ? [[vatId, name]] : [])),
  );
  const root = vats.clist(/** @type {string} */ (kernel.findVat('bootstrap'))).findKref('o+0');
  const followed = {
    trace,
    findStatic: (/** @type {string} */ vatId) => names.get(vatId),
    findExport: (/** @type {string} */ kref) => {
      const vatId = owners.get(kref);
      const vref = vatId && vats.clist(vatId).findVref(kref);
      return vatId && vref ? { vatId, vref } : undefined;
    },
    kvStore: makeKvView(() => kernel),
    send: (/** @type {string} */ method, /** @type {unknown[]} */ args) =>
      kernel.release(
        kernel.queueToTarget(/** @type {string} */ (root), serialiseMessage(method, args)),
      ),
    reap: () => void reapAll(kernel, {}),
    run: () => simulation.run(),
  };
  const results = await runRounds(seed, rounds, followed, prepare(followed));
  await simulation.close();
  return results;
};
