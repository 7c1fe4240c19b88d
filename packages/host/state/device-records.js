// The records of a run's devices: code and parameters.

import { readObjectRow } from './read-whole.js';

/** @import { Kernel } from '#kernel' */
/** @import { DeviceRecord } from '../vats/make-device.js' */

const deviceKey = (/** @type {string} */ name) => /** @type {const} */ (`host.device.${name}`);

/**
 * @param {Pick<Kernel, 'getHostValue'>} kernel
 * @param {string} name
 * @returns {DeviceRecord}
 * @throws {UserError} if the state has no record of it
 */
export const readDeviceRecord = (kernel, name) =>
  readObjectRow(deviceKey(name), kernel.getHostValue(deviceKey(name)));

/**
 * @param {Pick<Kernel, 'setHostValue'>} kernel
 * @param {string} name
 * @param {DeviceRecord} record
 */
export const writeDeviceRecord = (kernel, name, record) =>
  kernel.setHostValue(deviceKey(name), JSON.stringify(record));
