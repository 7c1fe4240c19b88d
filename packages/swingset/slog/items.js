// The item of a crank in SwingSet's form, as "crank-start" shows it.

import { asStart } from '../tables.js';

/** @import { Flight, Kernel } from '#kernel' */

/** SwingSet's names of items that are no messages. @type {Record<string, string>} */
const typeNames = { upgrade: 'upgrade-vat', cleanUp: 'cleanup-terminated-vat' };

/**
 * @param {Kernel} kernel
 * @param {Flight} flight
 * @returns {Record<string, unknown>} its item in SwingSet's form
 */
export const messageOf = (kernel, { item, found, vatId }) => {
  const { kind, target, message } = item;
  const type = typeNames[kind] ?? kind;
  switch (kind) {
    case 'send': {
      const { methargs, result } = /** @type {NonNullable<typeof message>} */ (message);
      const { body, slots } = methargs;
      const msg = { methargs: { body, slots: [...slots] }, ...(result && { result }) };
      return { type, target, msg };
    }
    case 'notify':
      return { type, vatID: item.vatId, kpid: target };
    case 'start':
      return asStart(kernel.state, vatId);
    case 'upgrade': {
      // The item has the upgrade's description in its target (kernel/lifecycle/upgrade.js).
      const [upgradeID, bundleID, upgradeMessage] = JSON.parse(target);
      const { body, slots } = /** @type {NonNullable<typeof message>} */ (message).methargs;
      const vatParameters = { body, slots: [...slots] };
      return { type, vatID: vatId, upgradeID, bundleID, vatParameters, upgradeMessage };
    }
    default: {
      const { vatId: vatID = item.vatId } = /** @type {any} */ (found);
      const krefs = found.step === 'tell' ? { krefs: [...found.krefs] } : {};
      return { type, ...(vatID && { vatID }), ...krefs };
    }
  }
};
