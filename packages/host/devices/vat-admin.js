// The device behind vatAdmin: it makes vats, ends them, and gives out bundles. Only the vatAdmin vat has it in hand.

import { quote } from '#model';

/** @import { CapData } from '#model' */
/** @import { DeviceTools } from '#vat' */

/**
 * What the host gives this device.
 *
 * @typedef {object} AdminEndowments
 * @property {(name: string) => string | undefined} findBundle  the id of a bundle that the config names
 * @property {(id: string) => boolean} hasBundle
 * @property {(bundle: object) => string} installBundle  takes what a bundler made, and returns its id
 * @property {(vat: { name: string, source: string, parameters: CapData, pipelining: boolean,
 *   options: Record<string, unknown> }) => string} createVat
 * @property {(vatId: string, isFailure: boolean, info: CapData) => boolean} endVat
 * @property {(vatId: string) => object | undefined} vatFigures
 * @property {(value: any, serialize: DeviceTools['serialize']) => CapData} formatParameters
 */

/** The options of a new vat, and what each must be. `description` and `metered` are 2020's. */
const optionTypes = Object.freeze({
  name: 'string',
  description: 'string',
  vatParameters: undefined,
  enableSetup: 'boolean',
  enablePipelining: 'boolean',
  managerType: 'string',
  critical: 'boolean',
  metered: 'boolean',
  useTranscript: 'boolean',
  reapInterval: undefined,
  reapGCKrefs: undefined,
  neverReap: 'boolean',
  enableDisavow: 'boolean',
});

const managerTypes = [
  'local',
  'xs-worker',
  'xsnap',
  'node-subprocess',
  'nodeWorker',
  'node-worker',
];

/** @param {Record<string, unknown>} options */
const checkOptions = options => {
  for (const [option, value] of Object.entries(options)) {
    if (!Object.hasOwn(optionTypes, option)) {
      throw TypeError(
        `a vat has no option ${quote(option)}; known are ${Object.keys(optionTypes).map(quote).join(', ')}`,
      );
    }
    const type = optionTypes[/** @type {keyof typeof optionTypes} */ (option)];
    if (value === undefined || type === undefined) continue;
    if (typeof value !== type)
      throw TypeError(`option ${quote(option)} of a vat must be a ${type}, got ${quote(value)}`);
  }
  const { managerType, name } = options;
  if (managerType !== undefined && !managerTypes.includes(/** @type {string} */ (managerType))) {
    throw TypeError(
      `option "managerType" of a vat is one of ${managerTypes.map(quote).join(', ')}, got ${quote(managerType)}`,
    );
  }
  if (typeof name === 'string' && !/^[A-Za-z0-9._-]{1,200}$/.test(name)) {
    throw TypeError(
      `option "name" of a vat is at most 200 letters, digits, ".", "_" and "-", got ${quote(name)}`,
    );
  }
};

const bundlePrefix = 'bundle.';

/** @param {DeviceTools} tools */
export const buildRootDeviceNode = ({ endowments, serialize, node, onNode }) => {
  const admin = /** @type {AdminEndowments} */ (endowments);

  /** A bundle cap, a node that stands for a bundle → the bundle's id. @type {WeakMap<object, string>} */
  const caps = new WeakMap();
  onNode(name => {
    const id = name.slice(bundlePrefix.length);
    const cap = harden({ getBundleID: () => id });
    caps.set(cap, id);
    return cap;
  });
  const bundleCap = (/** @type {string} */ id) => node(bundlePrefix + id);

  /**
   * @param {string} source  id of a bundle
   * @param {string} usualName
   * @param {Record<string, unknown>} [options]
   */
  const create = (source, usualName, options = {}) => {
    checkOptions(options);
    const { vatParameters = {}, enablePipelining = false, name, description, ...others } = options;
    const shown = name ?? description ?? usualName;
    return admin.createVat({
      name: /** @type {string} */ (shown),
      source,
      parameters: admin.formatParameters(vatParameters, serialize),
      pipelining: /** @type {boolean} */ (enablePipelining),
      options: others,
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

  return harden({
    /**
     * @param {any} bundle  a bundle cap, or what a bundler made
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
    /** @param {string} vatId @param {unknown} reason */
    terminateWithFailure: (vatId, reason) => admin.endVat(vatId, true, serialize(reason)),
    /** 2020's name. @param {string} vatId @param {unknown} reason */
    terminate: (vatId, reason) => void admin.endVat(vatId, true, serialize(reason)),
    /** @param {string} vatId */
    adminStats: vatId => admin.vatFigures(vatId),
    /** @param {string} id */
    hasBundle: id => admin.hasBundle(id),
    /** @param {string} id */
    getBundleCap: id => bundleCap(requireBundle(id)),
    /** @param {string} name */
    getNamedBundleCap: name => bundleCap(requireNamed(name)),
    /** @param {string} name */
    getBundleIDByName: name => requireNamed(name),
  });
};
