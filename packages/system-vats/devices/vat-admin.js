// The device behind the vatAdmin vat: it makes vats, ends them and gives out bundles.

import {
  isRecord,
  isVatLimits,
  isVatName,
  quote,
  vatLimitsExpected,
  vatNameExpected,
} from '#model';
import { managerTypes } from '#config';
import { Far } from '#vat';
import { checkVatOptions, isReapInterval } from '../vat-admin/vat-options.js';
import { keepMeters } from './meters.js';

/** @import { CapData } from '#model' */
/** @import { DeviceTools } from '#vat' */

/**
 * The host functions of this device.
 *
 * @typedef {object} AdminEndowments
 * @property {(name: string) => string | undefined} findBundle  the id of a bundle that the config names
 * @property {(id: string) => boolean} hasBundle
 * @property {(id: string) => Record<string, string> | undefined} getBundle  in its tool's form, or an archive;
 *   undefined for a bundle of this package's format without one
 * @property {(bundle: object) => string} installBundle  installs a bundler's output, and returns its id
 * @property {(vat: { name: string, source: string, parameters: CapData, pipelining: boolean,
 *   options: Record<string, unknown> }) => string} createVat
 * @property {(vatId: string, upgrade: { id: string, source: string, message: string }, parameters: CapData) => boolean} upgradeVat
 * @property {(vatId: string, isFailure: boolean, info: CapData) => boolean} endVat
 * @property {(vatId: string) => { objectCount: number, promiseCount: number, deviceCount: number, transcriptCount: number }
 *   | undefined} vatFigures  the references that the kernel has allocated in a vat and the deliveries that it got, if it runs
 * @property {(vatId: string, options: Record<string, unknown>) => boolean} changeOptions  false if no vat of that id runs
 * @property {(value: any, serialize: DeviceTools['serialize']) => CapData} formatParameters
 */

/** @typedef {{ expects: string, check: (value: unknown) => boolean }} OptionType */

/** @type {OptionType} */
const text = { expects: 'a string', check: value => typeof value === 'string' };

/** @type {OptionType} */
const flag = { expects: 'a boolean', check: value => typeof value === 'boolean' };

/** @type {OptionType} */
const countOrNever = {
  expects: 'a whole number from 1, or "never"',
  check: value =>
    value === 'never' ||
    ((typeof value === 'bigint' || Number.isSafeInteger(value)) && Number(value) >= 1),
};

/** The types of a new vat's options. `description` and `metered` are of 2020. */
const optionTypes = /** @type {Readonly<Record<string, OptionType>>} */ ({
  name: { expects: vatNameExpected, check: isVatName },
  description: text,
  // Its values are checked when they are serialised.
  vatParameters: { expects: 'any value', check: () => true },
  enableSetup: flag,
  enablePipelining: flag,
  managerType: {
    expects: `one of ${managerTypes.map(quote).join(', ')}`,
    check: value => managerTypes.includes(/** @type {string} */ (value)),
  },
  critical: flag,
  metered: flag,
  useTranscript: flag,
  reapInterval: { expects: 'a whole number, or "never"', check: isReapInterval },
  reapGCKrefs: countOrNever,
  neverReap: flag,
  enableDisavow: flag,
  limits: { expects: vatLimitsExpected, check: isVatLimits },
});

/**
 * @param {unknown} options
 * @returns {Record<string, unknown>}
 */
const checkOptions = options => {
  if (!isRecord(options))
    throw TypeError(`options of a vat must be an object, got ${quote(options)}`);
  const given = /** @type {Record<string, unknown>} */ (options);
  for (const [option, value] of Object.entries(given)) {
    // Only the vatAdmin vat has ids of meters, so this one is not among those that are known.
    if (option === 'meterID' && typeof value === 'string') continue;
    if (!Object.hasOwn(optionTypes, option)) {
      throw TypeError(
        `a vat has no option ${quote(option)}; known are ${Object.keys(optionTypes).map(quote).join(', ')}`,
      );
    }
    const { expects, check } = optionTypes[option];
    if (value !== undefined && !check(value))
      throw TypeError(`option ${quote(option)} of a vat must be ${expects}, got ${quote(value)}`);
  }
  return given;
};

/**
 * Options are stored as JSON, which has no bigints.
 *
 * @param {[option: string, value: unknown]} entry
 * @returns {[option: string, value: unknown]}
 */
const storable = ([option, value]) => [option, typeof value === 'bigint' ? Number(value) : value];

const bundlePrefix = 'bundle.';

/** A hash of the content: SHA-256 of ours, SHA-512 of SwingSet's. SwingSet's `b0-` cannot be asked for. */
const bundleIdPattern = /^b1-(?:[0-9a-f]{64}|[0-9a-f]{128})$/;

/** @param {DeviceTools} tools */
export const buildRootDeviceNode = ({ endowments, serialize, store, node, onNode }) => {
  const admin = /** @type {AdminEndowments} */ (endowments);

  /** Bundle cap (a node that stands for a bundle) → the bundle's id. @type {WeakMap<object, string>} */
  const caps = new WeakMap();
  onNode(name => {
    const id = name.slice(bundlePrefix.length);
    const cap = Far('device node', {
      getBundleID: () => id,
      /** For vats that import bundles into compartments of their own. */
      getBundle() {
        const bundle = admin.getBundle(id);
        if (bundle !== undefined) return harden(bundle);
        throw Error(
          `bundle ${quote(id)} was made of a "sourceSpec" for vats alone; install the packages that it imports, or name a bundle of @endo/bundle-source`,
        );
      },
    });
    caps.set(cap, id);
    return cap;
  });
  const bundleCap = (/** @type {string} */ id) => node(bundlePrefix + id);

  /**
   * @param {string} source  id of a bundle
   * @param {string} usualName
   * @param {unknown} [options]
   */
  const create = (source, usualName, options = {}) => {
    const given = checkOptions(options);
    const { vatParameters, enablePipelining = false, name, description, ...others } = given;
    const shown = name ?? description ?? usualName;
    return admin.createVat({
      name: /** @type {string} */ (shown),
      source,
      parameters: admin.formatParameters(vatParameters, serialize),
      pipelining: /** @type {boolean} */ (enablePipelining),
      options: Object.fromEntries(Object.entries(others).map(storable)),
    });
  };

  /** @param {unknown} id */
  const requireBundle = id => {
    if (typeof id !== 'string' || !admin.hasBundle(id))
      throw Error(`there is no bundle with the id ${quote(id)}`);
    return id;
  };

  /** @param {unknown} name */
  const requireNamed = name => {
    const id = typeof name === 'string' ? admin.findBundle(name) : undefined;
    if (id === undefined)
      throw Error(`the config has no bundle ${quote(name)}; "bundles" names what can be made`);
    return id;
  };

  // The name that SwingSet gives every device; parameters of vats may hold this one.
  return Far('device', {
    ...keepMeters(store),
    /**
     * @param {any} bundle  a bundle cap, or a bundler's output
     * @param {Record<string, unknown>} [options]
     */
    create(bundle, options) {
      const id = caps.get(bundle) ?? admin.installBundle(bundle);
      return create(id, 'vat', options);
    },
    /**
     * @param {string} name  of the config's `bundles`
     * @param {Record<string, unknown>} [options]
     */
    createByName: (name, options) => create(requireNamed(name), name, options),
    /**
     * @param {string} vatId
     * @param {string} id  vatAdmin's id of the upgrade
     * @param {string} bundleId
     * @param {{ vatParameters?: unknown, upgradeMessage: string }} options
     * @returns {boolean} false if no vat of that id runs
     */
    upgrade(vatId, id, bundleId, options) {
      // Null has no fields, and the engine's error about that would be told to the vat.
      const { vatParameters, upgradeMessage } = Object(options);
      // The kernel keeps both, and writes the message into a notation.
      if (typeof id !== 'string' || typeof upgradeMessage !== 'string')
        throw TypeError('id and upgradeMessage of an upgrade must be strings');
      const source = requireBundle(bundleId);
      const parameters = admin.formatParameters(vatParameters, serialize);
      return admin.upgradeVat(vatId, { id, source, message: upgradeMessage }, parameters);
    },
    /** @param {string} vatId @param {unknown} reason */
    terminateWithFailure: (vatId, reason) => admin.endVat(vatId, true, serialize(reason)),
    /** The name of 2020. @param {string} vatId @param {unknown} reason */
    terminate: (vatId, reason) => void admin.endVat(vatId, true, serialize(reason)),
    /** As in 2020. @param {string} vatId */
    adminStats: vatId => admin.vatFigures(vatId),
    /** @param {string} vatId @param {Record<string, unknown>} options */
    changeOptions(vatId, options) {
      // The vatAdmin vat has checked them, but whoever holds the device can call it, too.
      checkVatOptions(options);
      admin.changeOptions(vatId, Object.fromEntries(Object.entries(options).map(storable)));
    },
    /** @param {string} id */
    hasBundle: id => admin.hasBundle(id),
    /** @param {unknown} id @returns {object | undefined} undefined if the bundle is not installed */
    getBundleCap(id) {
      if (typeof id !== 'string' || !bundleIdPattern.test(id))
        throw TypeError(`${quote(id)} is no id of a bundle, like "b1-…"`);
      return admin.hasBundle(id) ? bundleCap(id) : undefined;
    },
    /** For the methods of 2020. @param {string} id */
    requireBundleCap: id => bundleCap(requireBundle(id)),
    /** @param {string} name */
    getNamedBundleCap: name => bundleCap(requireNamed(name)),
    /** @param {string} name */
    getBundleIDByName: name => requireNamed(name),
  });
};
