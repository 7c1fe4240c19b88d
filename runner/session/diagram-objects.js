// The vats of a swingset, what each holds of whom, and the messages between them, for a diagram: the swingset is run in
// memory, its bootstrap and as many rounds as are asked for.

import { makeMemoryStore } from '#host';
import { findRetention } from '#host/retention.js';
import { runRounds } from '#host/session.js';
import { makeTraffic } from '#observe';
import { tell } from '../print.js';
import { startVats } from './diagram-vats.js';

/** @import { ObjectsOutline } from '#diagram' */

/** A run that does not end by itself, one with a repeating timer for instance, is drawn as it is after so many cranks. */
const mostCranks = 100_000;

/**
 * @param {string} baseDir  a directory, a config, or the name of a demo
 * @param {{ rounds?: number }} options
 * @returns {Promise<ObjectsOutline>}
 * @throws {UserError} for a config that is wrong, a vat that does not start, and rounds of a program that has none
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
