// The bootstrap vat of a test: it gives the test the roots of all vats and the timer.

import { E, Far } from '@endo/far';

export const buildRootObject = () => {
  /** @type {unknown} */
  let timer;
  /** @type {Record<string, unknown>} */
  let roots;
  return Far('bootstrap', {
    async bootstrap(/** @type {any} */ vats, /** @type {any} */ devices) {
      roots = vats;
      timer = await E(vats.timer).createTimerService(devices.timer);
    },
    getTimer: () => timer,
    getRoots: (/** @type {string[]} */ names) => names.map(name => roots[name]),
  });
};
