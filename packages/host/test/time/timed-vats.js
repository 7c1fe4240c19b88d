// Makes simulations of vats that a test writes, with a timer device.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

/** @import { ExecutionContext } from 'ava' */
/** @import { SimulationOptions } from '#host/simulation/options.js' */

/**
 * The source of a bootstrap vat whose root has these methods, and in whose scope are `timer` (the service, once
 * `bootstrap` has been sent), `device`, `D` and `say`.
 *
 * @param {string} body  of `bootstrap`
 * @param {string} [methods]
 */
export const timedVat = (body, methods = '') => `
  import { E, Far } from '@endo/far';
  const seconds = time => Number(time?.absValue ?? time);
  const say = (...what) => console.log(...what);
  export const buildRootObject = ({ D }) => {
    let timer;
    let device;
    const handler = (name, answer = () => {}) =>
      Far(name, { wake(time) { say(name, seconds(time)); return answer(time); } });
    return Far('root', {
      async bootstrap(vats, devices) {
        device = devices.timer;
        timer = await E(vats.timer).createTimerService(device);
        ${body}
      },
      ${methods}
    });
  };
`;

/**
 * @param {ExecutionContext} t
 * @param {string} source  of the bootstrap vat
 * @param {Record<string, unknown>} [parameters]  of the device
 * @param {string} [bob]  source of a second vat
 * @returns {string} the folder
 */
export const writeTimedVats = (t, source, parameters = {}, bob = undefined) => {
  const outer = temporaryDirectory(t, 'swingset-runner-timer');
  const folder = join(outer, 'vats');
  mkdirSync(folder);
  writeFileSync(join(folder, 'bootstrap.js'), source);
  if (bob !== undefined) writeFileSync(join(folder, 'vat-bob.js'), bob);
  const config = {
    bootstrap: 'bootstrap',
    vats: {
      bootstrap: { sourceSpec: 'bootstrap.js' },
      ...(bob !== undefined && { bob: { sourceSpec: 'vat-bob.js' } }),
    },
    devices: { timer: { parameters } },
  };
  writeFileSync(join(folder, 'swingset.json'), JSON.stringify(config));
  return folder;
};

/** A memory store that outlives the simulation which closes it. */
export const makeLastingStore = () => ({ ...makeMemoryStore(), close: async () => {} });

/**
 * @param {string} folder
 * @param {Partial<SimulationOptions>} [options]
 */
export const startTimedVats = async (folder, options = {}) => {
  /** @type {string[]} */
  const printed = [];
  const simulation = await makeSimulation(loadConfig({ baseDir: folder }), {
    store: makeMemoryStore(),
    observer: { onConsole: (_name, _level, text) => printed.push(text) },
    ...options,
  });
  return { simulation, printed };
};

/**
 * Run to the end.
 *
 * @param {ExecutionContext} t
 * @param {string} source
 * @param {{ parameters?: Record<string, unknown> } & Partial<SimulationOptions>} [options]
 */
export const runTimedVats = async (t, source, { parameters, ...options } = {}) => {
  const folder = writeTimedVats(t, source, parameters);
  const { simulation, printed } = await startTimedVats(folder, options);
  await simulation.run();
  const { state, data } = simulation.status(simulation.bootstrapResult);
  const outcome = {
    printed,
    result: `${state} ${data?.body}`,
    nowNs: simulation.kernel.now.timeNs,
  };
  await simulation.close();
  return outcome;
};
