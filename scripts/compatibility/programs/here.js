// Programs under this kernel.

import { defaultCacheDir, initialiseState, makeMemoryStore, makeSimulation } from '#host';
import { reapAll } from '../../../packages/swingset/kernel-options.js';
import { serialiseMessage } from '../../../packages/swingset/kmarshal.js';
import { adoptConfig } from '../../../packages/swingset/swingset-config.js';
import { followKernel } from '../deliveries/follow-kernel.js';
import { numberNames } from '../deliveries/names.js';
import { configOf, readCalls } from './program.js';

/**
 * @param {string} folder  of the program
 * @returns {Promise<string[][]>} lines of its trace: of the bootstrap, and of each call
 */
export const runHere = async folder => {
  const [store, cacheDir] = [makeMemoryStore(), defaultCacheDir()];
  const adopted = adoptConfig(configOf(folder), undefined, {
    omitted: ['comms', 'vattp', 'timer'],
  });
  await initialiseState(/** @type {any} */ ({ ...adopted, firstRoot: 'vatAdmin' }), {
    ...{ store, cacheDir },
  });
  const { trace, options } = followKernel();
  const open = () => makeSimulation(undefined, { store, cacheDir, resume: true, ...options });
  let simulation = await open();
  await simulation.run();
  /** @type {Record<string, number>} */
  let reaped = {};
  for (const call of await readCalls(folder)) {
    trace.begin();
    const { kernel } = simulation;
    if (call === 'restart') {
      await simulation.leave();
      simulation = await open();
    } else if (call === 'reap') reaped = reapAll(kernel, reaped);
    else {
      const [method, ...args] = call;
      const vat = kernel.state.vats.clist(/** @type {string} */ (kernel.findVat('bootstrap')));
      const root = /** @type {string} */ (vat.findKref('o+0'));
      kernel.release(kernel.queueToTarget(root, serialiseMessage(method, args)));
    }
    await simulation.run();
  }
  await simulation.close();
  return trace.rounds.map(lines => numberNames(lines));
};
