// Decides which vats run on other threads or hosts, and gives the reason why others stay on the kernel's thread.

import { quote, UserError } from '#model';
import { readProgram } from '../state/new-state.js';
import { usesReactors } from './vats.js';

/** @import { Kernel, Transport } from '#kernel' */
/** @import { VatLimits } from '#model' */
/** @import { Threads } from '../simulation/open-threads.js' */
/** @import { PlaceParts } from './vat-places.js' */

/** @typedef {ReturnType<Kernel['vat']>} VatRow */

/** The program's options for all its vats. @param {Kernel} kernel */
export const readProgramOptions = kernel => {
  const { relaxDurabilityRules = false, strict = false } = readProgram(kernel);
  return { relaxDurabilityRules, lenient: !strict };
};

/**
 * @param {Pick<PlaceParts, 'kernel' | 'shelf' | 'options' | 'threads' | 'pool' | 'limited' | 'isRepeated'>} parts
 */
export const makeElsewhere = ({ kernel, shelf, options, threads, pool, limited, isRepeated }) => {
  const {
    vatPowers,
    observeReactions,
    observeWorkers,
    clock,
    wrapTransport = transport => transport,
  } = options;

  /** Number of vats on this thread that could run elsewhere. */
  let localVats = 0;

  /** Whether a vat may have reactors. @param {VatRow} vat */
  const hasReactors = ({ isBuiltIn, source }) => {
    const found = isBuiltIn ? undefined : shelf.find(source);
    return found !== undefined && usesReactors(found.bundle);
  };

  /**
   * The reason why a vat must run on the kernel's thread; undefined if it need not.
   *
   * @param {VatRow} vat
   */
  const findTie = ({ isBuiltIn }) => {
    if (isBuiltIn) return 'it comes with the system';
    if (vatPowers !== undefined) return 'it is given vatPowers of the host program';
    return undefined;
  };

  /** Whether reactors may run early: a host's clock is read in the order of cranks, and observers see it. */
  const areReactorsApart = observeReactions === undefined && (clock === undefined || isRepeated);

  /** Whether a vat may be moved automatically. @param {VatRow} vat */
  const mayMove = vat => findTie(vat) === undefined && (areReactorsApart || !hasReactors(vat));

  /**
   * @param {VatRow} vat  with limits
   * @throws {UserError} if it cannot have any
   */
  const insistLimitable = vat => {
    const isLocal = vat.options.managerType === 'local';
    // A granted run of reactors is many cranks.
    const ownTie = hasReactors(vat) ? 'it has reactors' : findTie(vat);
    const tie = isLocal ? 'its managerType is "local"' : ownTie;
    if (tie === undefined && vat.incarnation === 0) return;
    const what = `vat ${quote(vat.name)} has limits, and needs the kernel's thread: ${tie ?? 'it was upgraded'}`;
    throw new UserError(
      `${what}; leave limits out: only a vat on a thread or in a process of its own can have them`,
    );
  };

  /** The description of a vat that a thread needs. @param {VatRow} vat */
  const describe = vat => {
    const { name, source, isStatic, incarnation, firstPromise, options: vatOptions } = vat;
    return {
      ...{ name, source, isStatic, incarnation, hasReactors: hasReactors(vat) },
      ...(firstPromise !== undefined && { firstPromise }),
      enableSetup: vatOptions.enableSetup === true,
      enableDisavow: vatOptions.enableDisavow === true,
      ...readProgramOptions(kernel),
      ...(observeReactions && hasReactors(vat) && { isWatched: true }),
      ...(observeWorkers && { isTimed: true }),
    };
  };

  /** The reason why a vat without limits must run on the kernel's thread; undefined if it need not. @param {VatRow} vat */
  const findTieOrChoice = vat =>
    vat.options.managerType === 'local' ? 'its managerType is "local"' : findTie(vat);

  /** @param {VatRow} vat  with limits @returns {Promise<Transport>} */
  const attachLimited = async vat => {
    const limits = /** @type {VatLimits} */ (vat.options.limits);
    const { attach } = await limited.open();
    return wrapTransport(await attach(vat.vatId, describe(vat), limits), vat.vatId);
  };

  /** @param {VatRow} vat @returns {Promise<Transport>} */
  const attachElsewhere = async vat => {
    const places = pool ?? (await /** @type {Threads} */ (threads).open());
    return wrapTransport(await places.attach(vat.vatId, describe(vat)), vat.vatId);
  };

  return {
    areReactorsApart,
    mayMove,
    insistLimitable,

    /**
     * Place a vat on another thread.
     *
     * @param {VatRow} vat
     * @returns {Promise<Transport> | undefined} undefined for a vat that runs on this thread
     * @throws {UserError} if the config wants it on another thread, or gives it limits, and it cannot run there
     */
    attach(vat) {
      const { name, options: vatOptions } = vat;
      const { managerType, limits } = vatOptions;
      if (limits !== undefined) {
        insistLimitable(vat);
        pool?.stays?.(vat, 'it has limits');
        // In a repeated run the recording has the cranks in which limits were exceeded.
        return isRepeated ? undefined : attachLimited(vat);
      }
      if (pool === undefined && threads === undefined) return undefined;
      // Hosts of a cluster do not report reactions.
      const isObserved = observeReactions !== undefined && hasReactors(vat);
      if (isObserved && threads === undefined) return undefined;
      const tie = findTieOrChoice(vat);
      if (tie !== undefined) {
        if (managerType !== 'worker') {
          pool?.stays?.(vat, tie);
          return undefined;
        }
        const what = `vat ${quote(name)} has managerType "worker", and needs the kernel's thread: ${tie}`;
        throw new UserError(`${what}; leave managerType out, or set it to "local"`);
      }
      if (managerType !== 'worker') {
        if (threads?.isAuto) return undefined;
        if ((pool ?? threads?.find())?.isFuller(localVats)) {
          localVats += 1;
          return undefined;
        }
      }
      return attachElsewhere(vat);
    },

    /**
     * Offer a vat whose new incarnation has started on this thread to the pool.
     *
     * @param {VatRow} vat
     * @param {(transport: Transport) => void} move  moves it to a place of the pool, between cranks
     */
    offer(vat, move) {
      if (pool?.adopt === undefined || observeReactions !== undefined) return;
      const tie = findTieOrChoice(vat);
      if (tie === undefined) pool.adopt(vat.vatId, describe(vat), move);
      else pool.stays?.(vat, tie);
    },

    /**
     * The description of a vat that may move from one thread to another; undefined for others.
     *
     * @param {string} vatId
     */
    describeMovable(vatId) {
      if (!kernel.state.vats.isRunning(vatId)) return undefined;
      const vat = kernel.vat(vatId);
      const { managerType, limits } = vat.options;
      const isFree = managerType === undefined && limits === undefined && mayMove(vat);
      return isFree ? describe(vat) : undefined;
    },
  };
};
