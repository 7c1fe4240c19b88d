// Random programs under this kernel.

import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultCacheDir, initialiseState, makeMemoryStore, makeSimulation } from '#host';
import { adoptConfig } from '../../../packages/swingset/swingset-config.js';
import { configOf } from './config.js';
import { numberNames } from './names.js';
import { makeTrace } from './trace.js';

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
  /** @type {Map<string, string>} */
  const names = new Map();
  const trace = makeTrace(vatId => names.get(vatId));
  /** @type {string[]} lines that vats print in a crank, which come before the crank's own line */
  let printed = [];
  let current = '';
  const simulation = await makeSimulation(undefined, {
    ...{ store, cacheDir, resume: true },
    onKernel: kernel => {
      for (const { vatId, name } of kernel.vats()) names.set(vatId, name);
    },
    observer: { onConsole: (_vat, _level, text) => void printed.push(text) },
    crankObserver: {
      begins: ({ vatId, plan }) => {
        current = vatId;
        if (plan !== null) trace.deliver(vatId, plan.kernelDelivery);
      },
      applied: ({ applied, deviceSends }) => {
        const sent = new Set(deviceSends);
        applied.forEach((syscall, place) => {
          if (!sent.has(place)) trace.syscall(current, syscall);
        });
        for (const text of printed) trace.print(current, text);
        printed = [];
      },
    },
  });
  trace.begin();
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
