// The devices that come with the system. A config names one by an entry without code, or by its path in SwingSet's own
// package. Only the devices of the run are loaded.

/** @import { DeviceTools } from '#vat' */

/** The tools that build a device of the system. @typedef {DeviceTools & { profile: string }} BuiltInTools */

/** @typedef {{ buildRootDeviceNode: (tools: BuiltInTools) => object }} BuiltInDevice */

/** @type {Readonly<Record<string, () => Promise<BuiltInDevice>>>} */
export const builtInDevices = Object.freeze({
  vatAdmin: () => import('./vat-admin.js'),
  timer: () => import('./timer.js'),
  bridge: () => import('./bridge.js'),
  command: () => import('./command.js'),
  loopbox: () => import('./loopbox.js'),
  mailbox: () => import('./mailbox.js'),
});

/** The device that every run has, named in its config or not. */
export const usualDevice = 'vatAdmin';
