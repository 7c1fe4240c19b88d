// The one vat of the config in an indirect run: it makes all vats of the original config while the run is on, and
// stands for the bootstrap vat then. It runs in a compartment, as they do.

import { E, Far } from '@endo/far';
import { toVatName } from '#model';

/** @import { Launch } from './indirect.js' */

/**
 * @param {unknown} _vatPowers
 * @param {{ launch: Launch }} parameters
 * @returns {object}
 */
export const buildRootObject = (_vatPowers, { launch }) => {
  /** @type {any} */
  let bootstrapRoot;

  /** @param {any} vats @param {any} devices */
  const launchAll = async (vats, devices) => {
    const service = E(vats.vatAdmin).createVatAdminService(devices.vatAdmin);
    /** @type {Record<string, any>} */
    const roots = {};
    for (const { name, bundleName, parameters, isCritical, options } of launch.vats) {
      const { root } = await E(service).createVatByName(
        bundleName,
        harden({
          ...options,
          name: toVatName(name),
          vatParameters: parameters,
          ...(isCritical && { critical: await E(vats.vatAdmin).getCriticalVatKey() }),
        }),
      );
      roots[name] = root;
    }
    return roots;
  };

  return Far('launcher', {
    /** @param {any} vats @param {any} devices */
    async bootstrap({ launcher: _self, ...vats }, devices) {
      const all = harden({ ...vats, ...(await launchAll(vats, devices)) });
      bootstrapRoot = all[launch.bootstrap];
      return E(bootstrapRoot).bootstrap(all, devices);
    },

    runBenchmarkRound: () => E(bootstrapRoot).runBenchmarkRound(),
  });
};
