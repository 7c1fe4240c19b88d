// Random programs under this kernel.

import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultCacheDir, initialiseState, makeMemoryStore, makeSimulation } from '#host';
import { adoptConfig } from '../../../packages/swingset/swingset-config.js';
import { configOf } from './config.js';
import { followKernel } from './follow-kernel.js';
import { numberNames } from './names.js';

/** @import { Sources } from './config.js' */
/** @import { Program } from './program.js' */

const folder = join(dirname(fileURLToPath(import.meta.url)), '../../../test/fixtures/deliveries');

const methargs = { body: '#["round",[]]', slots: [] };

const ownSources = {
  actor: { sourceSpec: join(folder, 'actor.js') },
  device: { sourceSpec: join(folder, 'device-echo.js') },
  comms: { sourceSpec: '@agoric/swingset-vat/src/vats/comms/index.js' },
  vattp: { sourceSpec: '@agoric/swingset-vat/src/vats/vattp/vat-vattp.js' },
  loopbox: { sourceSpec: '@agoric/swingset-vat/src/devices/loopbox/device-loopbox.js' },
};

/**
 * @param {Program} program
 * @param {number} rounds
 * @param {Partial<Sources>} [sources]  in the place of our own vats
 * @returns {Promise<string[][]>} lines of its trace: of what comes first, and of each round
 */
export const runHere = async (program, rounds, sources = {}) => {
  const config = configOf(program, { ...ownSources, ...sources });
  const store = makeMemoryStore();
  const cacheDir = defaultCacheDir();
  const adopted = {
    ...adoptConfig(config, undefined, { omitted: ['comms', 'vattp', 'timer'] }),
    firstRoot: 'vatAdmin',
  };
  await initialiseState(/** @type {any} */ (adopted), { store, cacheDir });
  const { trace, options } = followKernel();
  const simulation = await makeSimulation(undefined, {
    ...{ store, cacheDir, resume: true },
    ...options,
  });
  await simulation.run();
  const { kernel } = simulation;
  const root = kernel.state.vats
    .clist(/** @type {string} */ (kernel.findVat('bootstrap')))
    .findKref('o+0');
  for (let round = 0; round < rounds; round += 1) {
    trace.begin();
    kernel.release(kernel.queueToTarget(/** @type {string} */ (root), methargs));
    await simulation.run();
  }
  await simulation.close();
  return trace.rounds.map(lines => numberNames(lines));
};
