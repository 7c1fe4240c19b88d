// The devices that come with the system. A config asks for one by an entry of its name without code, or by the path
// that SwingSet's own package had for it.

import { buildRootDeviceNode as vatAdmin } from './vat-admin.js';

/** @import { DeviceTools } from '#vat' */

/** @type {Readonly<Record<string, (tools: DeviceTools) => object>>} */
export const builtInDevices = Object.freeze({ vatAdmin });

/** Every run has it, whether its config says so or not. */
export const usualDevice = 'vatAdmin';
