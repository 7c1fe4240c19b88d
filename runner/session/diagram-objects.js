// Collects the vats of a swingset, their references to each other, and their messages, for a
// diagram. It runs the swingset in memory: bootstrap and the requested number of rounds.

import { makeMemoryStore } from '#host';
import { findRetention } from '#host/reports/retention.js';
import { runRounds } from '#host/session.js';
import { makeTraffic } from '#observe';
import { tell } from '../print.js';
import { startVats } from './diagram-vats.js';

/** @import { ObjectsOutline } from '#diagram' */

/** A run that does not end by itself, one with a repeating timer for instance, is drawn after this number of cranks. */
const mostCranks = 100_000;

/**
 * @param {string} baseDir  a directory, a config, or the name of a demo
 * @param {{ rounds?: number }} options
 * @returns {Promise<ObjectsOutline>}
 * @throws {UserError} if the config is wrong, a vat does not start, or rounds are requested of a
 *   program without rounds
 */
export const outlineOfObjects = async (baseDir, { rounds }) => {
  const store = makeMemoryStore();
  const { crankObserver, onKernel, messages } = makeTraffic();
  const simulation = await startVats(baseDir, {
    ...{ store, crankObserver, onKernel },
    observer: {
      onVatError: (vat, { name, message }) =>
        tell(`${vat}: ${name === undefined ? message : `${name}: ${message}`}`),
    },
  });
  try {
    const { kernel } = simulation;
    const isEnough = () => kernel.cranks.all >= mostCranks;
    if (rounds === undefined) await simulation.run({ maxCranks: mostCranks });
    else await runRounds(simulation, { rounds, shouldStop: isEnough });
    const { vats, groups } = findRetention(kernel, store);
    const builtIn = new Set(
      kernel
        .vats()
        .filter(({ isBuiltIn }) => isBuiltIn)
        .map(({ vatId }) => vatId),
    );
    const names = new Set(vats.map(({ name }) => name));
    return {
      objects: vats
        .filter(({ state }) => state === 'running')
        .map(({ vatId, name, deliveries }) => ({
          ...{ name, deliveries, isBuiltIn: builtIn.has(vatId) },
        })),
      held: groups
        .filter(({ holder, owner }) => names.has(holder) && names.has(owner))
        .map(({ holder, owner, iface, count }) => ({
          ...{ holder, owner, count },
          // Roots of vats that were made in the run are passed on by the kernel, which does not know their interfaces.
          iface: iface === 'undefined' ? 'root' : iface,
        })),
      messages: messages(),
      cranks: kernel.cranks.all,
      isOver: kernel.isQuiet,
    };
  } finally {
    await simulation.close();
  }
};
