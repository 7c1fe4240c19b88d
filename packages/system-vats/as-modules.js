// The system's vats as modules, under their paths in SwingSet's own package, for vats that re-export one: `export {
// buildRootObject } from '@agoric/swingset-vat/src/vats/vattp/vat-vattp.js'`.

import { profiles } from '#kernel';
import { vatModules } from '#config';

/** @import { Delivery } from '#model' */
/** @import { Syscalls } from './comms/switchboard.js' */

/**
 * A delivery in the form of today's raw vats.
 *
 * @typedef {['message', target: string, { methargs: import('#model').CapData, result?: string | null }]
 *   | Exclude<Delivery, ['message', ...any]>} RawDelivery
 */

/** @type {Record<string, () => Promise<Record<string, unknown>>>} */
const makers = {
  comms: async () => {
    const { buildDispatch } = await import('./comms/index.js');
    /**
     * For a raw vat of today's form: `export default syscall => buildCommsDispatch(syscall)`.
     *
     * @param {Syscalls} syscall
     * @returns {(delivery: RawDelivery) => void}
     */
    const buildCommsDispatch = syscall => {
      const dispatch = buildDispatch(syscall, { profile: profiles.current });
      return delivery => {
        if (delivery[0] !== 'message') {
          dispatch(delivery);
          return;
        }
        const [kind, target, { methargs, result }] = delivery;
        dispatch([kind, target, methargs, result ?? null]);
      };
    };
    return { default: buildCommsDispatch, buildCommsDispatch };
  },
  vattp: async () => {
    const { buildRoot } = await import('./vattp/index.js');
    return {
      buildRootObject: (/** @type {{ D: (device: any) => any }} */ { D }) => buildRoot({ D }),
    };
  },
};

/**
 * @param {Iterable<string>} specifiers  what a vat imports
 * @returns {Promise<Record<string, Record<string, unknown>>>} hardened exports of the system's vats among them, by
 *   specifier
 */
export const loadVatModules = async specifiers => {
  /** @type {Record<string, Record<string, unknown>>} */
  const loaded = {};
  for (const specifier of specifiers) {
    const name = vatModules.get(specifier);
    if (name !== undefined) loaded[specifier] = await makers[name]();
  }
  return harden(loaded);
};
