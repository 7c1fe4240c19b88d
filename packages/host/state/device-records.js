// The records of a run's devices: code and parameters.

/** @import { Kernel } from '#kernel' */
/** @import { DeviceRecord } from '../vats/make-device.js' */

const deviceKey = (/** @type {string} */ name) => /** @type {const} */ (`host.device.${name}`);

/**
 * @param {Pick<Kernel, 'getHostValue'>} kernel
 * @param {string} name
 * @returns {DeviceRecord}
 */
export const readDeviceRecord = (kernel, name) =>
  JSON.parse(kernel.getHostValue(deviceKey(name)) ?? 'null');

/**
 * @param {Pick<Kernel, 'setHostValue'>} kernel
 * @param {string} name
 * @param {DeviceRecord} record
 */
export const writeDeviceRecord = (kernel, name, record) =>
  kernel.setHostValue(deviceKey(name), JSON.stringify(record));
