// The devices that come with the system. A config asks for one by an entry of its name without code, or by the path
// that SwingSet's own package had for it.

import { buildRootDeviceNode as bridge } from './bridge.js';
import { buildRootDeviceNode as command } from './command.js';
import { buildRootDeviceNode as loopbox } from './loopbox.js';
import { buildRootDeviceNode as mailbox } from './mailbox.js';
import { buildRootDeviceNode as timer } from './timer.js';
import { buildRootDeviceNode as vatAdmin } from './vat-admin.js';

/** @import { DeviceTools } from '#vat' */

/** What a device of the system is built with. @typedef {DeviceTools & { profile: string }} BuiltInTools */

/** @type {Readonly<Record<string, (tools: BuiltInTools) => object>>} */
export const builtInDevices = Object.freeze({
  vatAdmin,
  timer,
  bridge,
  command,
  loopbox,
  mailbox,
});

/** Every run has it, whether its config says so or not. */
export const usualDevice = 'vatAdmin';
