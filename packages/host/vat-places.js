// Where the vats of a simulation run: each gets its supervisor and a transport on this thread, those of the config when
// the simulation is made, the system's and those that the run makes when they are first needed.

import { types } from 'node:util';
import { Fail, quote, tellThrown, UserError } from '#model';
import { builtInVats } from '#system-vats';
import { makeEarlyTransport } from './early-transport.js';
import { makeLocalTransport } from './local-transport.js';
import { hasMethod } from './find-method.js';
import { readProgram } from './new-state.js';
import { usesVirtualData } from '#loader/bundle';
import { makeSupervisor, usesReactors } from './vats.js';

/** @import { Kernel, Transport } from '#kernel' */
/** @import { Observer } from '#reactor' */
/** @import { Supervisor } from '#vat' */
/** @import { BuiltInVat } from '#system-vats/index.js' */
/** @import { BundleShelf } from './bundle-shelf.js' */
/** @import { Settle } from './settle.js' */
/** @import { makeCollector } from './collection.js' */
/** @import { SimulationOptions } from './simulation/options.js' */
/** @import { VatWatch } from './vat-watch.js' */
/** @import { PreparedVat } from './vats.js' */
/** @import { VatPool } from './simulation/options.js' */
/** @import { LoadMeter } from './workers/index.js' */

/**
 * @typedef {object} PlaceParts
 * @property {Kernel} kernel
 * @property {BundleShelf} shelf
 * @property {Settle} settle
 * @property {ReturnType<typeof makeCollector>} collector
 * @property {VatWatch} watch
 * @property {(vatId: string) => Observer} [observeReactions]  watches the reactions of a vat
 * @property {Pick<SimulationOptions, 'vatPowers' | 'wrapTransport'>} options
 * @property {Threads | undefined} [threads]  for vats that may run there
 * @property {VatPool | undefined} [pool]  those threads, or other places
 */

/**
 * @typedef {object} Threads
 * @property {LoadMeter} meter
 * @property {typeof import('./workers/index.js').meterTransport} meterTransport
 * @property {boolean} isAuto  vats begin on the kernel's thread, but for those that the config wants elsewhere
 */

/**
 * Where a vat runs that cannot be made: its start fails.
 *
 * @param {string} problem
 * @returns {Transport}
 */
const failingTransport = problem => ({
  begin() {},
  finish: () => ({ fault: problem, syscalls: [], answers: [] }),
  close() {},
});

/** @typedef {{ name: string, isStatic: boolean, root: unknown, supervisor?: Supervisor }} Upgraded */

/** @param {PlaceParts} parts */
// eslint-disable-next-line max-lines-per-function -- where each vat runs is one private table, which starting, moving and ending change
export const makeVatPlaces = parts => {
  const { kernel, shelf, settle, collector, watch, observeReactions, options } = parts;
  const { threads, pool } = parts;
  const { vatPowers, wrapTransport = transport => transport } = options;
  const { hooks: observer, running } = watch;

  /** @type {Map<string, unknown>} */
  const roots = new Map();

  /** @type {Map<string, Supervisor>} */
  const supervisors = new Map();

  /** New incarnations that are about to start, by vat. @type {Map<string, Upgraded>} */
  const upgrades = new Map();

  /**
   * Whether a vat's root is kept in mind: of those that the run makes only that of the vat which a launcher stands for,
   * the first of its name.
   *
   * @param {string} name
   * @param {boolean} isStatic
   */
  const isKnownByName = (name, isStatic) =>
    isStatic || (name === readProgram(kernel).launches && !roots.has(name));

  /**
   * @param {ReturnType<Kernel['vat']>} vat
   * @param {PreparedVat | undefined} prepared
   * @param {BuiltInVat | undefined} builtIn
   * @param {boolean} isUpgrade
   */
  const makeTransport = (vat, prepared, builtIn, isUpgrade) => {
    const { vatId, name, isStatic, firstPromise, options: vatOptions } = vat;
    /** @type {Upgraded} */
    const upgraded = { name, isStatic, root: undefined };
    const own = collector.ofVat(vatId);
    const supervisor = makeSupervisor({
      vatId,
      name,
      profile: kernel.profile,
      prepared,
      ...(builtIn !== undefined && { builtIn }),
      sourceUrls: prepared === undefined ? {} : shelf.sourceUrls(prepared.bundle.bundle.id),
      observer,
      enableSetup: vatOptions.enableSetup === true,
      enableDisavow: vatOptions.enableDisavow === true,
      ...readRules(),
      collector: own,
      ...(vatPowers && { morePowers: vatPowers }),
      isStatic,
      ...(observeReactions && { reactionObserver: observeReactions(vatId) }),
      ...(firstPromise !== undefined && { firstPromise }),
      onRoot: root => {
        if (isUpgrade) upgraded.root = root;
        else if (isKnownByName(name, isStatic)) roots.set(name, root);
      },
    });
    if (isUpgrade) upgrades.set(vatId, Object.assign(upgraded, { supervisor }));
    else if (isStatic) supervisors.set(vatId, supervisor);
    const transport = makeLocalTransport({
      vatName: name,
      supervisor,
      settle,
      running,
      onError: error => observer.onVatError(name, error),
      onClose: own.forget,
    });
    if (threads === undefined) return wrapTransport(transport, vatId);
    const metered = threads.meterTransport(transport, vatId, threads.meter);
    // Reactors ask the clock in their cranks.
    const here = prepared?.reactors === undefined ? makeEarlyTransport(metered, watch) : metered;
    return wrapTransport(here, vatId);
  };

  /** What the program says of all its vats. */
  const readRules = () => {
    const { relaxDurabilityRules = false, strict = false } = readProgram(kernel);
    return { relaxDurabilityRules, lenient: !strict };
  };

  /**
   * Why a vat has to run on the kernel's thread; undefined if it need not.
   *
   * @param {ReturnType<Kernel['vat']>} vat
   */
  const findTie = ({ isBuiltIn, source, incarnation }) => {
    if (isBuiltIn) return 'it comes with the system';
    if (vatPowers !== undefined) return 'it is given vatPowers of the host program';
    const found = shelf.find(source);
    if (found !== undefined && usesReactors(found.bundle)) return 'it has reactors';
    // A worker does not tell when such a vat wants to be asked for its dead references, nor what was found of them.
    if (found !== undefined && usesVirtualData(found.bundle)) return 'it uses virtual data';
    if (incarnation > 0) return 'it was upgraded';
    return undefined;
  };

  /** Vats on this thread that might run elsewhere. */
  let localVats = 0;

  /**
   * A place on another thread.
   *
   * @param {ReturnType<Kernel['vat']>} vat
   * @returns {Promise<Transport> | undefined} undefined for a vat that is to run on this one
   * @throws {UserError} the config wants it on another thread, and it cannot run there
   */
  const attachElsewhere = vat => {
    const { vatId, name, options: vatOptions } = vat;
    const { managerType } = vatOptions;
    if (pool === undefined || managerType === 'local') return undefined;
    const tie = findTie(vat);
    if (tie !== undefined) {
      if (managerType !== 'worker') return undefined;
      const what = `vat ${quote(name)} has managerType "worker", and needs the kernel's thread: ${tie}`;
      throw new UserError(`${what}; leave managerType out, or set it to "local"`);
    }
    if (managerType !== 'worker') {
      if (threads?.isAuto) return undefined;
      if (pool.isFuller(localVats)) {
        localVats += 1;
        return undefined;
      }
    }
    return pool.attach(vatId, describe(vat)).then(transport => wrapTransport(transport, vatId));
  };

  /** What a thread has to know of a vat. @param {ReturnType<Kernel['vat']>} vat */
  const describe = ({ name, source, isStatic, options: vatOptions }) => ({
    ...{ name, source, isStatic },
    enableSetup: vatOptions.enableSetup === true,
    enableDisavow: vatOptions.enableDisavow === true,
    ...readRules(),
  });

  return Object.freeze({
    /**
     * Whether the root object of a vat has a method; undefined where there is no such object.
     *
     * @param {string} vatName
     * @param {string} method
     */
    rootHasMethod: (vatName, method) =>
      roots.has(vatName)
        ? hasMethod(roots.get(vatName), method)
        : pool?.rootHasMethod(vatName, method),

    /**
     * A place where a vat's cranks are done once more, beside where it runs, to learn where its sends are written.
     *
     * @param {ReturnType<Kernel['vat']>} vat
     * @param {(result: string, returned: Promise<unknown> | undefined) => void} onSent
     * @returns {Promise<Transport | undefined>} undefined for a vat of the system
     */
    async probe(vat, onSent) {
      const { vatId, name, isBuiltIn, isStatic, source, firstPromise, options: vatOptions } = vat;
      if (isBuiltIn) return undefined;
      const prepared = await shelf.prepare(source);
      const supervisor = makeSupervisor({
        ...{ vatId, name, profile: kernel.profile, prepared, observer, isStatic, onSent },
        sourceUrls: shelf.sourceUrls(prepared.bundle.bundle.id),
        enableSetup: vatOptions.enableSetup === true,
        enableDisavow: vatOptions.enableDisavow === true,
        ...readRules(),
        ...(firstPromise !== undefined && { firstPromise }),
        ...(vatPowers && { morePowers: vatPowers }),
        onRoot: () => {},
      });
      return makeLocalTransport({
        ...{ vatName: name, supervisor, settle, running },
        onError: () => {},
      });
    },

    /** The root objects of vats on this thread, by name. @type {ReadonlyMap<string, unknown>} */
    roots,

    /** Supervisors of the config's vats, by id. @type {ReadonlyMap<string, Supervisor>} */
    supervisors,

    /**
     * A place to run for a vat; at once, if its bundle was made into one before.
     *
     * @param {ReturnType<Kernel['vat']>} vat
     * @param {boolean} [isUpgrade]  of a new incarnation, which takes the place of the old one only if it starts
     * @returns {Transport | Promise<Transport>}
     */
    attach(vat, isUpgrade = false) {
      if (vat.isBuiltIn) {
        const load = builtInVats[vat.source] ?? Fail`there is no vat ${vat.source} in the system`;
        return load().then(code => makeTransport(vat, undefined, code, isUpgrade));
      }
      /** @type {Promise<Transport> | undefined} */
      let elsewhere;
      try {
        // Of an upgraded vat there are two for a while, so the new one is made here.
        elsewhere = isUpgrade ? undefined : attachElsewhere(vat);
      } catch (error) {
        if (vat.isStatic) throw error;
        return failingTransport(tellThrown(error, types.isProxy));
      }
      const prepared = elsewhere ?? shelf.prepare(vat.source);
      if (!(prepared instanceof Promise)) return makeTransport(vat, prepared, undefined, isUpgrade);
      const made =
        elsewhere ??
        /** @type {Promise<PreparedVat>} */ (prepared).then(ready =>
          makeTransport(vat, ready, undefined, isUpgrade),
        );
      // A vat of the config that cannot be made stops the run; one that the run makes is only told of.
      return vat.isStatic && !isUpgrade
        ? made
        : made.catch(error => failingTransport(tellThrown(error, types.isProxy)));
    },

    /**
     * What a thread has to know of a vat that may move from one to another; undefined for others.
     *
     * @param {string} vatId
     */
    describeMovable(vatId) {
      if (!kernel.state.vats.isRunning(vatId)) return undefined;
      const vat = kernel.vat(vatId);
      const isFree = vat.options.managerType === undefined && findTie(vat) === undefined;
      return isFree ? describe(vat) : undefined;
    },

    /**
     * A new place on this thread for a vat that ran elsewhere.
     *
     * @param {string} vatId
     */
    async makeHere(vatId) {
      const vat = kernel.vat(vatId);
      return makeTransport(vat, await shelf.prepare(vat.source), undefined, false);
    },

    /** A vat runs on a thread from now on. @param {string} vatId @param {Transport} transport */
    leaveHere(vatId, transport) {
      const { name } = kernel.vat(vatId);
      supervisors.delete(vatId);
      if (kernel.findVat(name) === vatId) roots.delete(name);
      return wrapTransport(transport, vatId);
    },

    /**
     * A new incarnation has started, or not.
     *
     * @param {string} vatId
     * @param {boolean} isKept
     */
    settleUpgrade(vatId, isKept) {
      const upgraded = upgrades.get(vatId);
      upgrades.delete(vatId);
      if (!isKept || upgraded === undefined) return;
      const { name, isStatic, root, supervisor } = upgraded;
      if (isStatic && supervisor !== undefined) supervisors.set(vatId, supervisor);
      if (isStatic || roots.has(name)) roots.set(name, root);
    },
  });
};
