// The vatAdmin vat: its service makes vats and reports their ends. It wraps ids of vats, which only the device takes,
// in objects that can be passed on.

import { quote } from '#model';
import { Far, HandledPromise, passStyleOf } from '#vat';
import { makeKindObject } from '../kind-objects.js';
import { makePromiseKit } from '../promise-kit.js';
import { makeMeters } from './meters.js';
import { checkVatOptions, convertOptions } from './vat-options.js';

/** @import { BuiltInPowers } from '#vat' */
/** @import { PromiseKit } from '../promise-kit.js' */

/** @param {unknown} reason  of any kind: a vat may end itself with what cannot become a text */
const makeCreationError = reason => {
  let text;
  try {
    text = String(reason);
  } catch {
    text = `(an ${typeof reason})`;
  }
  return Error(`Vat Creation Error: ${text}`);
};

/** The record of a vat that was made here. */
class ManagedVat {
  /** @type {PromiseKit} the vat's root object, or the reason why there is none */
  created = makePromiseKit();

  /** Whether the kernel has reported that the vat has started, or that it did not. */
  isCreated = false;

  /** @type {PromiseKit} the reason or value of its end */
  done = makePromiseKit();

  /** Whether its end was requested. */
  isEnding = false;

  hasEnded = false;
}

/** @param {BuiltInPowers & { profile: string, print: (text: string) => void }} powers */
// eslint-disable-next-line max-lines-per-function -- a source of a vat: it is bundled as one root object, whose methods close over its tables
export const buildRoot = ({ D, profile, print }) => {
  const isOf2020 = profile === '2020-09';
  /** @type {typeof makeKindObject} */
  const makeObject = isOf2020 ? /** @type {any} */ (Far) : makeKindObject;

  /** @type {Map<string, ManagedVat>} by id */
  const vats = new Map();

  /** Only this service gives it out, so it proves that its holder may make critical vats. */
  const criticalVatKey = makeObject('criticalVatKey', {});

  /** Pending upgrades, by id. @type {Map<string, PromiseKit>} */
  const upgrades = new Map();

  let lastUpgrade = 0;

  /** Promises for bundles that are not installed yet, by id. @type {Map<string, PromiseKit>} */
  const awaitedBundles = new Map();

  /**
   * @param {object} device
   * @param {string} vatId
   * @param {string} bundleId
   * @param {Record<string, any>} [options]
   * @returns {Promise<{ incarnationNumber: number }>}
   */
  const upgrade = (device, vatId, bundleId, options = {}) => {
    const { vatParameters, upgradeMessage = 'vat upgraded', ...rest } = options;
    const unknown = Object.keys(rest).join(',');
    if (unknown !== '')
      throw Error(`upgrade() received unknown options: ${JSON.stringify(unknown)}`);
    if (typeof upgradeMessage !== 'string') throw TypeError('upgradeMessage not a string');
    if (!D(device).hasBundle(bundleId)) throw Error(`bundleID not yet installed: ${bundleId}`);
    lastUpgrade += 1;
    const id = `up${lastUpgrade}`;
    if (!D(device).upgrade(vatId, id, bundleId, harden({ vatParameters, upgradeMessage })))
      throw Error(`vat ${vatId} does not run, and cannot be upgraded`);
    const kit = makePromiseKit();
    upgrades.set(id, kit);
    return kit.promise;
  };

  /** @param {any} bundleCap @returns {string} */
  const bundleIdOf = bundleCap => {
    try {
      return D(bundleCap).getBundleID();
    } catch (error) {
      // SwingSet quotes no error in another one's text.
      throw Error('vatAdmin.upgrade() requires a bundlecap: (an Error)', { cause: error });
    }
  };

  /**
   * A bundle is data, or a device node that stands for one. D() tells a node from an object without a syscall.
   *
   * @param {any} bundle
   * @throws {Error} if it is anything else
   */
  const insistBundle = bundle => {
    if (passStyleOf(harden(bundle)) !== 'remotable') {
      // A bundle of this package's own format has "format".
      if (bundle?.moduleFormat || bundle?.format) return;
      throw Error('createVat(bundle) does not look like a bundle');
    }
    try {
      D(bundle);
    } catch (error) {
      throw Error('Vat Creation Error: createVat() requires a bundlecap', { cause: error });
    }
  };

  /** The device, after the service was made. @type {object | undefined} */
  let adminDevice;

  /** Ids of meters. @type {WeakMap<object, string>} */
  const meterIds = new WeakMap();

  /** @param {object} device */
  const makeService = device => {
    adminDevice = device;
    const meters = makeMeters(() => D(device), meterIds);
    /**
     * @param {Record<string, any>} [options]
     * @returns {Record<string, any> | undefined}
     */
    const checkOptions = options => {
      if (!isOf2020) return convertOptions(options, criticalVatKey, meter => meterIds.get(meter));
      if (!options?.critical) return options;
      if (options.critical !== criticalVatKey)
        throw Error('the option "critical" of a vat takes the key that getCriticalVatKey() gives');
      return { ...options, critical: true };
    };

    /**
     * Begin to manage a new vat.
     *
     * @param {string} vatId
     * @returns {Promise<{ root: object, adminNode: object }>}
     */
    const manage = vatId => {
      const vat = new ManagedVat();
      vats.set(vatId, vat);
      /** @param {string} operation */
      const insistRunning = operation => {
        if (vat.hasEnded || vat.isEnding)
          throw Error(
            `vatAdminService rejecting attempt to perform ${quote(operation)}() on non-running vat ${quote(vatId)}`,
          );
      };
      /** @param {'terminate' | 'terminateWithFailure'} operation */
      const makeTerminate = operation => (/** @type {unknown} */ reason) => {
        // In 2020 the end of a vat that has ended changed nothing.
        if (!isOf2020) insistRunning(operation);
        vat.isEnding = true;
        D(device)[operation](vatId, reason);
      };
      const methodsOf2020 = {
        terminate: makeTerminate('terminate'),
        adminData: () => D(device).adminStats(vatId),
      };
      const adminNode = makeObject('adminNode', {
        ...(isOf2020 && methodsOf2020),
        terminateWithFailure: makeTerminate('terminateWithFailure'),
        done() {
          // Today's vatAdmin forgets an ended vat and so cannot say how it ended.
          if (vat.hasEnded && !isOf2020) insistRunning('done');
          return vat.done.promise;
        },
        /** @param {any} bundleCap @param {Record<string, any>} [options] */
        upgrade(bundleCap, options) {
          if (isOf2020) throw Error('vats of the profile 2020-09 cannot be upgraded');
          insistRunning('upgrade');
          return upgrade(device, vatId, bundleIdOf(bundleCap), options);
        },
        /** @param {Record<string, unknown>} options */
        changeOptions(options) {
          if (isOf2020) throw Error('options of vats of the profile 2020-09 cannot be changed');
          insistRunning('changeOptions');
          checkVatOptions(options);
          D(device).changeOptions(vatId, options);
        },
      });
      return vat.created.promise.then(root => harden({ adminNode, root }));
    };

    return makeObject('vatAdminService', {
      /** @param {any} bundle @param {Record<string, any>} [options] */
      createVat(bundle, options) {
        const create = (/** @type {any} */ resolved) => {
          if (!isOf2020) insistBundle(resolved);
          return manage(D(device).create(resolved, checkOptions(options)));
        };
        // A device takes no promises, but whoever asks for a bundle cap has one at first.
        return bundle instanceof Promise ? bundle.then(create) : create(bundle);
      },
      /** @param {string} name @param {Record<string, any>} [options] */
      createVatByName(name, options) {
        if (!isOf2020 && typeof name !== 'string')
          throw Error('createVatByName() requires bundleName to be a string');
        return manage(D(device).createByName(name, checkOptions(options)));
      },
      /** @param {string} id */
      getBundleCap(id) {
        if (isOf2020) return D(device).requireBundleCap(id);
        const cap = D(device).getBundleCap(id);
        if (cap === undefined) throw Error(`bundleID not yet installed: ${id}`);
        return cap;
      },
      /** @param {string} id */
      waitForBundleCap(id) {
        if (isOf2020) return D(device).requireBundleCap(id);
        const cap = D(device).getBundleCap(id);
        if (cap !== undefined) return cap;
        const kit = awaitedBundles.get(id) ?? makePromiseKit();
        awaitedBundles.set(id, kit);
        return kit.promise;
      },
      /** @param {string} name */
      getNamedBundleCap: name => D(device).getNamedBundleCap(name),
      /** @param {string} name */
      getBundleIDByName: name => D(device).getBundleIDByName(name),
      createMeter: isOf2020 ? refuseMeters : meters.createMeter,
      createUnlimitedMeter: isOf2020 ? refuseMeters : meters.createUnlimitedMeter,
    });
  };

  return Far('root', {
    createVatAdminService: makeService,
    getCriticalVatKey: () => criticalVatKey,

    /**
     * The host upgrades a vat of the config.
     *
     * @param {string} vatId
     * @param {any} pauseTarget  an object that is told to pause first, and to resume if the upgrade fails; or null
     * @param {string} bundleId
     * @param {Record<string, any>} [options]
     */
    async upgradeStaticVat(vatId, pauseTarget, bundleId, options) {
      if (adminDevice === undefined) throw Error('vatAdmin device not configured');
      const device = adminDevice;
      const tell = (/** @type {string} */ method) =>
        pauseTarget && HandledPromise.applyMethod(pauseTarget, method, []).catch(() => true);
      await tell('pauseService');
      try {
        return await upgrade(device, vatId, bundleId, options);
      } catch (error) {
        await tell('resumeService');
        throw error;
      }
    },

    /**
     * Called when the host has installed a bundle.
     *
     * @param {string} id
     */
    bundleInstalled(id) {
      const kit = awaitedBundles.get(id);
      awaitedBundles.delete(id);
      if (kit !== undefined && adminDevice !== undefined)
        kit.resolve(D(adminDevice).getBundleCap(id));
    },

    /**
     * The kernel reports the outcome of an upgrade.
     *
     * @param {string} id
     * @param {boolean} isDone
     * @param {Error} [error]
     * @param {number} [incarnationNumber]
     */
    vatUpgradeCallback(id, isDone, error, incarnationNumber) {
      const kit = upgrades.get(id);
      upgrades.delete(id);
      if (isDone) kit?.resolve(harden({ incarnationNumber }));
      else kit?.reject(error);
    },

    /**
     * The kernel reports that a new vat has started, or, under `2020-09`, why it failed.
     *
     * @param {string} vatId
     * @param {{ rootObject?: object, error?: string }} result
     */
    newVatCallback(vatId, { rootObject, error }) {
      const vat = vats.get(vatId);
      if (vat === undefined) return;
      vat.isCreated = true;
      if (rootObject !== undefined) vat.created.resolve(rootObject);
      else vat.created.reject(makeCreationError(error));
    },

    /**
     * The kernel reports the end of a vat, also of one that was not made here.
     *
     * @param {string} vatId
     * @param {boolean} isFailure
     * @param {unknown} info
     */
    vatTerminated(vatId, isFailure, info) {
      const vat = vats.get(vatId);
      if (vat === undefined) {
        // Nobody was given a promise for its end.
        if (!isOf2020) print(`DANGER: static or non-running vat ${vatId} terminated`);
        // The vatAdmin of 2020 failed here, since it did not check that it had made the vat.
        return isOf2020 ? Promise.reject(`vat ${vatId} was not made here`) : undefined;
      }
      // A vat that ended before the kernel could report its start did not start.
      if (!vat.isCreated) vat.created.reject(makeCreationError(info));
      vats.delete(vatId);
      vat.hasEnded = true;
      if (isFailure) vat.done.reject(info);
      else vat.done.resolve(info);
    },
  });
};

const refuseMeters = () => {
  throw Error('vats are not metered here, so there are no meters with a limit');
};
