// The programs measured in vats: the demos with larger parameters.

import { fileURLToPath } from 'node:url';
import { loadConfig } from '#host';

/** @param {string} path  under demos/reactors */
const load = path =>
  loadConfig({
    configFile: fileURLToPath(new URL(`../../demos/reactors/${path}`, import.meta.url)),
  });

/** @typedef {ReturnType<typeof load>} LoadedConfig */

/**
 * `cranksPer`: of each of its `size`
 *
 * @type {Record<string, { makeConfig: (size: number) => LoadedConfig, cranksPer?: number }>}
 */
export const vatPrograms = {
  pingpong: {
    makeConfig: pings => {
      const config = load('pingpong/swingset.json');
      config.vats.pingpong.parameters.pings = pings;
      return config;
    },
  },
  timelimit: {
    makeConfig: events => {
      const config = load('timelimit/swingset.json');
      config.vats.timelimit.parameters.period = 1;
      return { ...config, wiring: { connections: [], timeoutNs: events } };
    },
  },
  sum: {
    makeConfig: high => {
      const config = load('sum/swingset.json');
      config.vats.sum.parameters.high = high;
      return config;
    },
  },
  // Lingua Franca's ping has an action, and so three cranks per ping here; this one answers
  // directly, an instant later.
  pingpongBetween: {
    cranksPer: 2,
    makeConfig: pings => {
      const config = load('pingpong/vats.json');
      const sourceFile = fileURLToPath(new URL('vat-ping.js', import.meta.url));
      config.vats.ping = { sourceFile, parameters: { pings }, creationOptions: {} };
      const [there, back] = config.wiring?.connections ?? [];
      return {
        ...config,
        wiring: { timeoutNs: -1, connections: [there, { ...back, afterNs: 0 }] },
      };
    },
  },
};
