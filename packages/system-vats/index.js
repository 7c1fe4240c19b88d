// The vats that every run has beside those of its config. `bootstrap` gets them as `vats`. An unused one costs nothing,
// since its code is loaded at first use.

/** @import { Delivery } from '#model' */
/** @import { Kernel } from '#kernel' */
/** @import { BuiltInPowers } from '#vat' */
/** @import { Syscalls } from './comms/switchboard.js' */

/**
 * The exports of such a vat's module: `buildRoot` makes the root object from the vat's powers, the profile's name and
 * `print`, which prints a line, `buildDispatch` a handler of raw deliveries.
 *
 * @typedef {{ buildRoot: (powers: BuiltInPowers & { profile: string, print: (text: string) => void }) => object }
 *   | { buildDispatch: (syscalls: Syscalls, options: { profile: Kernel['profile'] }) => (delivery: Delivery) => void }} BuiltInVat
 */

/** @type {Readonly<Record<string, () => Promise<BuiltInVat>>>} */
export const builtInVats = Object.freeze({
  vatAdmin: () => import('./vat-admin/index.js'),
  comms: () => import('./comms/index.js'),
  vattp: () => import('./vattp/index.js'),
  timer: () => import('./timer/index.js'),
});

/** The vats that every run has, in the order of their ids, after the config's vats. */
export const usualVats = Object.freeze(['vatAdmin', 'comms', 'vattp', 'timer']);
