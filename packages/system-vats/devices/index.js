// The devices that come with the system. A config asks for one by an entry of its name without code, or by the path
// that SwingSet's own package had for it. Those that a run does not have are not loaded.

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

/** Every run has it, whether its config says so or not. */
export const usualDevice = 'vatAdmin';
