// The vatAdmin vat: whoever has its service makes vats and watches them. It turns ids of vats, which only the device
// takes, into objects that can be handed on.

import { quote } from '#model';
import { Far } from '#vat';
import { makePromiseKit } from '../promise-kit.js';
import { convertOptions } from './vat-options.js';

/** @import { BuiltInPowers } from '#vat' */
/** @import { PromiseKit } from '../promise-kit.js' */

/** What is known of a vat that was made here. */
class ManagedVat {
  /** @type {PromiseKit} the vat's root, or why there is none */
  created = makePromiseKit();

  /** @type {PromiseKit} with what it ended */
  done = makePromiseKit();

  /** Whether its end was asked for. */
  isEnding = false;

  hasEnded = false;
}

/** @param {BuiltInPowers & { profile: string }} powers */
export const buildRoot = ({ D, profile }) => {
  const isOf2020 = profile === '2020-09';

  /** @type {Map<string, ManagedVat>} by id */
  const vats = new Map();

  /** Nobody else has it, so it proves that its owner may make vats that the run cannot do without. */
  const criticalVatKey = Far('criticalVatKey', {});

  /** @param {object} device */
  const makeService = device => {
    /**
     * @param {Record<string, any>} [options]
     * @returns {Record<string, any> | undefined}
     */
    const checkOptions = options => {
      if (!isOf2020) return convertOptions(options, criticalVatKey);
      if (!options?.critical) return options;
      if (options.critical !== criticalVatKey)
        throw Error('the option "critical" of a vat takes the key that getCriticalVatKey() gives');
      return { ...options, critical: true };
    };

    /**
     * A vat is about to start.
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
        if (!isOf2020) insistRunning(operation);
        else if (vat.hasEnded) throw Error(`vat ${vatId} has ended already`);
        vat.isEnding = true;
        D(device)[operation](vatId, reason);
      };
      const adminNode = Far('adminNode', {
        terminateWithFailure: makeTerminate('terminateWithFailure'),
        terminate: makeTerminate('terminate'),
        done() {
          // Today's keeps nothing of a vat that has ended: nobody can say any more whether it ended well.
          if (vat.hasEnded && !isOf2020) insistRunning('done');
          return vat.done.promise;
        },
        adminData: () => D(device).adminStats(vatId),
        upgrade() {
          if (!isOf2020) insistRunning('upgrade');
          throw Error(
            `vat ${vatId} cannot be upgraded: that needs durable data, which comes with a later version`,
          );
        },
        changeOptions() {
          if (!isOf2020) insistRunning('changeOptions');
          throw Error(
            `the options of vat ${vatId} cannot be changed: reaping comes with a later version`,
          );
        },
      });
      return vat.created.promise.then(root => harden({ adminNode, root }));
    };

    return Far('vatAdminService', {
      /** @param {any} bundle @param {Record<string, any>} [options] */
      createVat(bundle, options) {
        const create = (/** @type {any} */ resolved) =>
          manage(D(device).create(resolved, checkOptions(options)));
        // A device takes no promises, but whoever asks for a bundle cap has one at first.
        return bundle instanceof Promise ? bundle.then(create) : create(bundle);
      },
      /** @param {string} name @param {Record<string, any>} [options] */
      createVatByName: (name, options) =>
        manage(D(device).createByName(name, checkOptions(options))),
      /** @param {string} id */
      getBundleCap(id) {
        if (isOf2020) return D(device).getBundleCap(id);
        const cap = D(device).findBundleCap(id);
        if (cap === undefined) throw Error(`bundleID not yet installed: ${id}`);
        return cap;
      },
      /** @param {string} id */
      waitForBundleCap: id => D(device).getBundleCap(id),
      /** @param {string} name */
      getNamedBundleCap: name => D(device).getNamedBundleCap(name),
      /** @param {string} name */
      getBundleIDByName: name => D(device).getBundleIDByName(name),
      createMeter: refuseMeters,
      createUnlimitedMeter: refuseMeters,
    });
  };

  return Far('vatAdmin', {
    createVatAdminService: makeService,
    getCriticalVatKey: () => criticalVatKey,

    /**
     * The kernel says that a new vat has started, or why it has not.
     *
     * @param {string} vatId
     * @param {{ rootObject?: object, error?: string }} result
     */
    newVatCallback(vatId, { rootObject, error }) {
      const vat = vats.get(vatId);
      if (rootObject !== undefined) vat?.created.resolve(rootObject);
      else vat?.created.reject(Error(`Vat Creation Error: ${error}`));
    },

    /**
     * The kernel says that a vat has ended; also of those that it did not make here.
     *
     * @param {string} vatId
     * @param {boolean} isFailure
     * @param {unknown} info
     */
    vatTerminated(vatId, isFailure, info) {
      const vat = vats.get(vatId);
      if (vat === undefined) {
        // It got at the vat's promise without looking whether there was one, and failed.
        return isOf2020 ? Promise.reject(`vat ${vatId} was not made here`) : undefined;
      }
      vats.delete(vatId);
      vat.hasEnded = true;
      vat.created.reject(Error(`vat ${vatId} ended before it had started`));
      if (isFailure) vat.done.reject(info);
      else vat.done.resolve(info);
    },
  });
};

const refuseMeters = () => {
  throw Error('vats are not metered here, so there are no meters');
};
