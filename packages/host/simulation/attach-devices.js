// Attaches the devices of a run to the kernel.

import { didYouMean, quote, UserError } from '#model';
import { attachDevice, loadDevice } from '../vats/make-device.js';
import { readDeviceRecord, writeDeviceRecord } from '../state/device-records.js';

/** @import { Kernel } from '#kernel' */
/** @import { BundleShelf } from '../vats/bundle-shelf.js' */
/** @import { watchVats } from '../vats/vat-watch.js' */

/**
 * @param {object} parts
 * @param {Kernel} parts.kernel
 * @param {BundleShelf} parts.shelf
 * @param {ReturnType<typeof watchVats>} parts.watch
 * @param {() => void} parts.onWake  called at each wake-up of a device
 * @param {Record<string, Record<string, any>>} [deviceEndowments]  by the devices' names
 * @throws {UserError} if endowments are given to a device that the run does not have, or a device does not evaluate
 */
export const attachDevices = async ({ kernel, shelf, watch, onWake }, deviceEndowments = {}) => {
  for (const name of Object.keys(deviceEndowments)) {
    if (kernel.findDevice(name) !== undefined) continue;
    const names = kernel.devices().map(each => each.name);
    const known = names.length === 0 ? 'none' : names.map(quote).join(', ');
    throw new UserError(
      `endowments are given to device ${quote(name)}, which the run does not have; it has ${known}${didYouMean(name, names)}`,
    );
  }
  for (const { deviceId, name } of kernel.devices()) {
    const record = readDeviceRecord(kernel, name);
    if (deviceEndowments[name] !== undefined && !record.isEndowed) {
      // Noted, since such a run cannot be replayed: effects of endowments are not recorded.
      record.isEndowed = true;
      writeDeviceRecord(kernel, name, record);
    }
    const code = await loadDevice(name, record, shelf);
    const endowments = deviceEndowments[name] ?? {};
    const { hooks: observer } = watch;
    attachDevice({ deviceId, name, record, code, kernel, shelf, endowments, observer, onWake });
  }
  kernel.keepBuilt();
};
