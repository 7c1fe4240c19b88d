// Takes the host's inputs between cranks: messages, bundles, and inputs of devices and reactors. Each is recorded as an
// input of the run.

import { quote, UserError } from '#model';
import { readDeviceRecord, writeDeviceRecord } from '../new-state.js';

/** @import { CapData } from '#model' */
/** @import { Kernel } from '#kernel' */
/** @import { BundleShelf } from '../bundle-shelf.js' */
/** @import { makeCaller } from '../calls/index.js' */
/** @import { makeHostMarshal } from '../new-state.js' */

/**
 * @param {object} parts
 * @param {Kernel} parts.kernel
 * @param {BundleShelf} parts.shelf
 * @param {ReturnType<typeof makeCaller>} parts.caller
 * @param {ReturnType<typeof makeHostMarshal>} parts.marshal
 * @param {(vatName: string) => string} parts.requireVat
 */
export const makeInputs = ({ kernel, shelf, caller, marshal, requireVat }) => {
  const { values } = caller.calls;

  /** @param {string} deviceName */
  const requireDevice = deviceName => {
    const deviceId = kernel.findDevice(deviceName);
    if (deviceId === undefined) throw new UserError(`there is no device ${quote(deviceName)}`);
    return deviceId;
  };

  /**
   * A message for a vat's root, ready to be queued as often as it is called.
   *
   * @param {string} vatName
   * @param {string} method
   * @param {unknown[]} [args]  data and handles
   * @returns {() => string}  queues it, and returns a name for the result
   * @throws {UserError} there is no such vat, the method is no name, or an argument cannot be passed
   */
  const prepareMessage = (vatName, method, args = []) => {
    caller.insistOpen();
    const vatId = requireVat(vatName);
    const { data } = values.encodeCall(vatName, method, args);
    return () => kernel.queueToVatRoot(vatId, data);
  };

  return {
    /**
     * Queue a message to the root object of a vat; it runs with the next cranks. Hold the result with
     * `status`, and let go of it with `release`.
     *
     * @param {string} vatName
     * @param {string} method
     * @param {unknown[]} [args]  data and handles
     * @returns {string} a name for the result
     * @throws {UserError} there is no such vat, the method is no name, an argument cannot be passed, or a crank is under way
     */
    queueToVatRoot(vatName, method, args) {
      const result = prepareMessage(vatName, method, args)();
      caller.driver.poke();
      return result;
    },

    prepareMessage,

    /**
     * Install a bundle for vats to be made from, between cranks. It is recorded as an input of the run.
     *
     * @param {object} bundle  what a bundler made
     * @returns {{ id: string, isNew: boolean }} its id; whether it was not installed before
     * @throws {UserError} it is no bundle, or a crank is under way
     */
    installBundle(bundle) {
      kernel.insistIdle();
      const { id, isNew } = shelf.installForeign(bundle);
      if (isNew) {
        kernel.noteBundle(id);
        // Vats may wait for it (waitForBundleCap).
        if (kernel.profile.startsVatsInCranks)
          kernel.release(prepareMessage('vatAdmin', 'bundleInstalled', [id])());
        caller.driver.poke();
      }
      return { id, isNew };
    },

    /**
     * Give a device a function that it calls while a vat calls it (`callKernelHook` of raw devices). Such a run cannot be
     * replayed from its recording, as one whose devices have endowments.
     *
     * @param {string} deviceName
     * @param {string} name  of the function
     * @param {(args: CapData) => CapData} hook  takes and returns capdata in krefs
     * @throws {UserError} there is no such device, or a crank is under way
     */
    addDeviceHook(deviceName, name, hook) {
      kernel.insistIdle();
      const deviceId = requireDevice(deviceName);
      const record = readDeviceRecord(kernel, deviceName);
      if (!record.isEndowed) writeDeviceRecord(kernel, deviceName, { ...record, isEndowed: true });
      kernel.addDeviceHook(deviceId, name, hook);
    },

    /**
     * Hand something to a device, between cranks. It is recorded as an input of the run.
     *
     * @param {string} deviceName
     * @param {string} data  as the device takes it
     * @throws {UserError} there is no such device, or a crank is under way
     */
    deviceInput(deviceName, data) {
      const deviceId = requireDevice(deviceName);
      kernel.deviceInput(deviceId, data);
      caller.driver.poke();
    },

    /**
     * Schedule a physical action of the root reactor of a vat, between cranks. It is recorded as an input of the run,
     * with the tag that the clock gives it.
     *
     * @param {string} vatName
     * @param {string} action  its name
     * @param {unknown} [value]  data
     * @throws {UserError} there is no such vat or action, the value is no data, or a crank is under way
     */
    physicalInput(vatName, action, value) {
      const vatId = requireVat(vatName);
      const { body } = marshal.hardenToCapData(value);
      kernel.physicalInput(vatId, action, { body, slots: [] });
      caller.driver.poke();
    },

    /**
     * Nothing comes any more: programs of reactors that still run end at the next microstep, where their reactions to
     * `shutdown` run with the next cranks. It is recorded as an input of the run.
     */
    stopPrograms() {
      kernel.stopPrograms();
    },
  };
};
