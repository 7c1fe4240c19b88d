// Makes running devices from a config's devices, with their endowments.

import { types } from 'node:util';
import { isRecord, quote, tellThrown, UserError } from '#model';
import { HandledPromise, makeDevice, makeRawDevice, VatProxy } from '#vat';
import { joinParts } from '#loader/compartment';
import { builtInDevices } from '#system-vats/devices';

import { boundPowers } from './device-bounds.js';
import { tellTestLog } from './test-log.js';

/** @import { Kernel } from '#kernel' */
/** @import { DeviceTools, RawDeviceTools } from '#vat' */
/** @import { BundleShelf } from './bundle-shelf.js' */
/** @import { BuiltInDevice } from '#system-vats/devices/index.js' */
/** @import { PreparedVat } from './vats.js' */
/** @import { VatWatch } from './vat-watch.js' */

/**
 * The record of a device in the state.
 *
 * @typedef {object} DeviceRecord
 * @property {string} [builtIn]  its name, if it comes with the system
 * @property {string} [source]  id of its bundle otherwise
 * @property {Record<string, any>} parameters
 * @property {boolean} [isEndowed]  whether a host program has given it endowments
 */

/**
 * @param {string} name
 * @param {DeviceRecord} record
 * @param {BundleShelf} shelf
 * @returns {Promise<PreparedVat | BuiltInDevice>}
 * @throws {UserError} if the state has an unknown device of the system
 */
export const loadDevice = async (name, { builtIn = '', source }, shelf) => {
  if (source !== undefined) return shelf.prepare(source);
  const load = Object.hasOwn(builtInDevices, builtIn) ? builtInDevices[builtIn] : undefined;
  if (load === undefined)
    throw new UserError(`device ${quote(name)}: there is no ${quote(builtIn)} device here`);
  return load();
};

/** @typedef {{ buildRootDeviceNode: (tools: DeviceTools) => any } | { buildDevice: (tools: RawDeviceTools, endowments: Record<string, any>) => any }} DeviceBuilder */

/**
 * Import a device of the config: its module is evaluated in a compartment of its own.
 *
 * @param {string} name
 * @param {PreparedVat} prepared
 * @param {Record<string, string>} sourceUrls
 * @param {VatWatch['hooks']} observer
 * @returns {DeviceBuilder}
 */
const importDevice = (name, prepared, sourceUrls, observer) => {
  const { namespace } = prepared.bundle.importNow({
    name,
    endowments: {},
    inherited: { HandledPromise, Proxy: VatProxy },
    shims: prepared.shims,
    write: (level, text) => observer.onConsole(name, level, text),
    sourceUrls,
  });
  const { buildRootDeviceNode, buildDevice } = namespace;
  // As in SwingSet, a module that has both is a raw device.
  if (typeof buildDevice === 'function') return { buildDevice };
  if (typeof buildRootDeviceNode === 'function') return { buildRootDeviceNode };
  throw new UserError(
    `device ${quote(name)}: its module must export buildRootDeviceNode(tools), or buildDevice(tools, endowments) for a raw device`,
    { exitCode: 1 },
  );
};

/**
 * The powers that only the vatAdmin device gets.
 *
 * @param {Kernel} kernel
 * @param {ReturnType<Kernel['devicePowers']>} powers
 * @param {BundleShelf} shelf
 * @returns {import('#system-vats/devices/vat-admin.js').AdminEndowments}
 */
const makeAdminEndowments = (kernel, powers, shelf) => ({
  findBundle: name => shelf.findByName(name),
  hasBundle: id => shelf.has(id),
  getBundle: id => shelf.findAsMade(id),
  installBundle(bundle) {
    try {
      return shelf.installForeign(bundle).id;
    } catch (error) {
      // The mistake is a vat's, not a person's, so the error goes to the vat.
      throw error instanceof UserError ? TypeError(error.message) : error;
    }
  },
  createVat: powers.createVat,
  upgradeVat: powers.upgradeVat,
  endVat: powers.endVat,
  vatFigures(vatId) {
    const given = powers.vatFigures(vatId);
    if (given === undefined) return undefined;
    let deliveries = 0;
    for (const entry of kernel.transcript(vatId))
      if (entry.kind === 'deliver' && entry.delivery[0] !== 'startVat') deliveries += 1;
    return {
      objectCount: given.objects,
      promiseCount: given.promises,
      deviceCount: given.devices,
      transcriptCount: deliveries,
    };
  },
  changeOptions: powers.changeOptions,
  formatParameters(value, serialize) {
    if (kernel.profile.wire.name !== 'qclass') return serialize(value);
    // Vats of 2020 take their parameters as JSON, by default an empty object, which is allowed although it is not data
    // in that notation.
    if (value === undefined) return { body: '{}', slots: [] };
    if (!isRecord(value))
      throw TypeError(`option "vatParameters" of a vat must be an object, got ${quote(value)}`);
    const isEmpty = Object.keys(value).length === 0;
    if (!isEmpty && serialize(value).slots.length > 0)
      throw Error('in profile 2020-09, vatParameters can only be data');
    return { body: JSON.stringify(value), slots: [] };
  },
});

/**
 * Turn an error in building a device into a UserError: the mistake is the device's, or of the program that endows it.
 *
 * @template T
 * @param {string} name
 * @param {Record<string, any>} endowments
 * @param {() => T} make
 */
const blameDevice = (name, endowments, make) => {
  try {
    return make();
  } catch (error) {
    if (UserError.is(error)) throw error;
    const names = Object.keys(endowments);
    const given =
      names.length === 0 ? 'no endowments' : `the endowments ${names.map(quote).join(', ')}`;
    throw new UserError(
      `device ${quote(name)} cannot be built: ${tellThrown(error, types.isProxy)}; the host program gave it ${given}`,
      { exitCode: 1, cause: error },
    );
  }
};

/**
 * @param {object} options
 * @param {string} options.deviceId
 * @param {string} options.name
 * @param {DeviceRecord} options.record
 * @param {PreparedVat | BuiltInDevice} options.code
 * @param {Kernel} options.kernel
 * @param {BundleShelf} options.shelf
 * @param {Record<string, any>} options.endowments
 * @param {VatWatch['hooks']} options.observer
 * @param {() => void} options.onWake  called at each wake-up
 */
export const attachDevice = options => {
  const { deviceId, name, record, code, kernel, shelf, endowments, observer, onWake } = options;
  const powers = boundPowers(kernel.devicePowers(deviceId));
  const isAdmin = record.builtIn === 'vatAdmin';
  const builder =
    'buildRootDeviceNode' in code
      ? {
          buildRootDeviceNode: (/** @type {DeviceTools} */ tools) =>
            code.buildRootDeviceNode({ ...tools, profile: kernel.profile.name }),
        }
      : importDevice(name, code, shelf.sourceUrls(record.source ?? ''), observer);
  const onError = (/** @type {unknown} */ error) => observer.onVatError(name, error);
  const notation = /** @type {'smallcaps' | 'qclass'} */ (kernel.profile.wire.name);
  const device = blameDevice(name, endowments, () =>
    'buildDevice' in builder
      ? makeRawDevice({ name, notation, powers, build: builder.buildDevice, endowments, onError })
      : makeDevice({
          name,
          notation,
          powers,
          build: builder.buildRootDeviceNode,
          testLog: (...parts) => tellTestLog(observer, name, joinParts(parts)),
          endowments: isAdmin ? makeAdminEndowments(kernel, powers, shelf) : endowments,
          parameters: harden(record.parameters),
          onError,
          // The parameters of a new vat may hold devices.
          takesDevices: isAdmin,
        }),
  );
  const wake = (/** @type {Parameters<typeof device.wake>} */ ...args) => {
    onWake();
    return device.wake(...args);
  };
  // A reset would build the device anew, but endowments of a host program may not be usable twice.
  const kept = record.isEndowed && { reset: () => {} };
  kernel.attachDevice(deviceId, { ...device, wake, ...kept });
};
