// The vats that every SwingSet has beside those of its config. A run hands them to bootstrap; one that nobody uses
// costs nothing, for its code is loaded when it is used.

/** @import { Delivery } from '#model' */
/** @import { Kernel } from '#kernel' */
/** @import { BuiltInPowers } from '#vat' */
/** @import { Syscalls } from './comms/switchboard.js' */

/**
 * The exports of such a vat's module: a maker of its root object, which gets the vat's powers and the profile's name, or a
 * handler of raw deliveries.
 *
 * @typedef {{ buildRoot: (powers: BuiltInPowers & { profile: string }) => object }
 *   | { buildDispatch: (syscalls: Syscalls, options: { profile: Kernel['profile'] }) => (delivery: Delivery) => void }} BuiltInVat
 */

/** @type {Readonly<Record<string, () => Promise<BuiltInVat>>>} */
export const builtInVats = Object.freeze({
  vatAdmin: () => import('./vat-admin/index.js'),
  comms: () => import('./comms/index.js'),
  vattp: () => import('./vattp/index.js'),
  timer: () => import('./timer/index.js'),
});

/** The vats that every run has, in the order of their ids, which follow those of the config. */
export const usualVats = Object.freeze(['vatAdmin', 'comms', 'vattp', 'timer']);
