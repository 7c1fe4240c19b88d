// Takes the host's inputs between cranks: messages, bundles, and inputs of devices and reactors. Each is recorded as an
// input of the run.

import { describeGiven, quote, suggestName, UserError } from '#model';
import { readDeviceRecord, writeDeviceRecord } from '../state/device-records.js';
import { makeHostMarshal } from '../state/new-state.js';

/** @import { CapData } from '#model' */
/** @import { Kernel } from '#kernel' */
/** @import { BundleShelf } from '../vats/bundle-shelf.js' */
/** @import { makeCaller } from '../calls/index.js' */

/**
 * @param {object} parts
 * @param {Kernel} parts.kernel
 * @param {BundleShelf} parts.shelf
 * @param {ReturnType<typeof makeCaller>} parts.caller
 * @param {(vatName: string) => string} parts.requireVat
 */
export const makeInputs = ({ kernel, shelf, caller, requireVat }) => {
  const marshal = makeHostMarshal(kernel.profile);
  const { values } = caller.calls;

  /** @param {string} deviceName */
  const requireDevice = deviceName => {
    if (typeof deviceName !== 'string')
      throw new UserError(`a device's name is a string, got ${describeGiven(deviceName)}`);
    const deviceId = kernel.findDevice(deviceName);
    if (deviceId === undefined) {
      const names = kernel.devices().map(({ name }) => name);
      throw new UserError(
        `there is no device ${quote(deviceName)}; ${suggestName(deviceName, names)}`,
      );
    }
    return deviceId;
  };

  /**
   * Prepare a message to a vat's root object; it may be queued repeatedly.
   *
   * @param {string} vatName
   * @param {string} method
   * @param {unknown[]} [args]  data and handles
   * @returns {() => string}  queues the message, and returns a name for its result
   * @throws {UserError} if there is no such vat, the method's name is not valid, or an argument cannot be passed
   */
  const prepareMessage = (vatName, method, args = []) => {
    caller.insistOpen();
    const vatId = requireVat(vatName);
    const { data } = values.encodeCall(vatName, method, args);
    return () => kernel.queueToVatRoot(vatId, data);
  };

  return {
    /**
     * Queue a message to the root object of a vat; it runs with the next cranks. Read the result with `status`, and
     * give it up with `release`.
     *
     * @param {string} vatName
     * @param {string} method
     * @param {unknown[]} [args]  data and handles
     * @returns {string} a name for the result
     * @throws {UserError} if there is no such vat, the method's name is not valid, an argument cannot be passed, or a
     *   crank is under way
     */
    queueToVatRoot(vatName, method, args) {
      const result = prepareMessage(vatName, method, args)();
      caller.driver.poke();
      return result;
    },

    prepareMessage,

    /**
     * Install a bundle from which vats can be made, between cranks. It is recorded as an input of the run.
     *
     * @param {object} bundle  made by a bundler
     * @returns {{ id: string, isNew: boolean }} its id, and whether it was not yet installed
     * @throws {UserError} if it is not a bundle, or a crank is under way
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
     * Give a device a function that it can call during a vat's call (`callKernelHook` of raw devices). Such a run
     * cannot be replayed from its recording, nor can one whose devices have endowments.
     *
     * @param {string} deviceName
     * @param {string} name  of the function
     * @param {(args: CapData) => CapData} hook  takes and returns capdata with krefs
     * @throws {UserError} if there is no such device, or a crank is under way
     */
    addDeviceHook(deviceName, name, hook) {
      kernel.insistIdle();
      const deviceId = requireDevice(deviceName);
      if (typeof hook !== 'function')
        throw new UserError(
          `addDeviceHook() takes the device, the hook's name and a function, got ${describeGiven(hook)}`,
        );
      const record = readDeviceRecord(kernel, deviceName);
      if (!record.isEndowed) writeDeviceRecord(kernel, deviceName, { ...record, isEndowed: true });
      kernel.addDeviceHook(deviceId, name, hook);
    },

    /**
     * Give a device data, between cranks. It is recorded as an input of the run.
     *
     * @param {string} deviceName
     * @param {string} data  in the device's format
     * @throws {UserError} if there is no such device, or a crank is under way
     */
    deviceInput(deviceName, data) {
      const deviceId = requireDevice(deviceName);
      if (typeof data !== 'string')
        throw new UserError(
          `the data of deviceInput() is a string, got ${describeGiven(data)}; JSON.stringify(…) makes one`,
        );
      kernel.deviceInput(deviceId, data);
      caller.driver.poke();
    },

    /**
     * Schedule a physical action of a vat's root reactor, between cranks. It is recorded as an input of the run, with
     * its tag from the clock.
     *
     * @param {string} vatName
     * @param {string} action  its name
     * @param {unknown} [value]  data
     * @throws {UserError} if there is no such vat or action, the value is not data, or a crank is under way
     */
    physicalInput(vatName, action, value) {
      const vatId = requireVat(vatName);
      const { body } = marshal.hardenToCapData(value);
      kernel.physicalInput(vatId, action, { body, slots: [] });
      caller.driver.poke();
    },

    /**
     * Stop the programs of reactors that still run: they end at the next microstep, where their reactions to `shutdown`
     * run with the next cranks. It is recorded as an input of the run.
     */
    stopPrograms() {
      kernel.stopPrograms();
    },
  };
};
