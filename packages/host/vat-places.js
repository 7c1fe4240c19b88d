// Where the vats of a simulation run: each gets its supervisor and a transport on this thread, those of the config when
// the simulation is made, the system's and those that the run makes when they are first needed.

import { types } from 'node:util';
import { Fail, tellThrown } from '#model';
import { builtInVats } from '#system-vats';
import { makeEarlyTransport } from './early-transport.js';
import { makeElsewhere, readProgramOptions } from './elsewhere.js';
import { makeLocalTransport } from './local-transport.js';
import { hasMethod } from './find-method.js';
import { readProgram } from './new-state.js';
import { makeSupervisor } from './vats.js';

/** @import { Kernel, Transport } from '#kernel' */
/** @import { Observer } from '#reactor' */
/** @import { Supervisor } from '#vat' */
/** @import { BuiltInVat } from '#system-vats/index.js' */
/** @import { VatRow } from './elsewhere.js' */
/** @import { BundleShelf } from './bundle-shelf.js' */
/** @import { Settle } from './settle.js' */
/** @import { makeCollector } from './collection.js' */
/** @import { SimulationOptions } from './simulation/options.js' */
/** @import { VatWatch } from './vat-watch.js' */
/** @import { PreparedVat, VatParts } from './vats.js' */
/** @import { VatPool } from './simulation/options.js' */
/** @import { LimitedThreads } from './simulation/limited-threads.js' */
/** @import { LoadMeter } from './workers/index.js' */

/**
 * @typedef {object} PlaceParts
 * @property {Kernel} kernel
 * @property {BundleShelf} shelf
 * @property {Settle} settle
 * @property {ReturnType<typeof makeCollector>} collector
 * @property {VatWatch} watch
 * @property {(vatId: string) => Observer} [observeReactions]  watches the reactions of a vat
 * @property {Pick<SimulationOptions, 'vatPowers' | 'wrapTransport' | 'observeReactions' | 'clock'>} options
 * @property {Threads | undefined} [threads]  for vats that may run there
 * @property {VatPool | undefined} [pool]  those threads, or other places
 * @property {LimitedThreads} limited  threads for vats with limits
 * @property {boolean} isRepeated  whether a recorded run is repeated, which says where a limit was broken
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

/** A vat as it was on this thread. @typedef {{ transport: Transport, supervisor: Supervisor, root: unknown, rejoin: () => void }} Local */

/** @param {PlaceParts} parts */
export const makeVatPlaces = parts => {
  const { kernel, shelf, settle, collector, watch, observeReactions, options } = parts;
  const { threads, pool, limited } = parts;
  const { findFirmTie, insistLimitable, attach, describeMovable } = makeElsewhere(parts);
  const { vatPowers, wrapTransport = transport => transport } = options;
  const { hooks: observer, running } = watch;

  /** Whether what the clock shows to a vat does not depend on who asked before. */
  const isClockOfVats = options.clock === undefined || parts.isRepeated;

  /** @type {Map<string, unknown>} */
  const roots = new Map();

  /** @type {Map<string, Supervisor>} */
  const supervisors = new Map();

  /** Vats that may move, as they are on this thread. @type {Map<string, Local>} */
  const locals = new Map();

  /** Vats that run elsewhere, as they were when they left, and the bytes of their transcripts then. @type {Map<string, Local & { bytes: number }>} */
  const kept = new Map();

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
   * @param {VatRow} vat
   * @param {PreparedVat | undefined} prepared  undefined for a vat of the system
   */
  const supervisorOptions = (vat, prepared) => {
    const { vatId, name, isStatic, firstPromise, options: vatOptions } = vat;
    return {
      ...{ vatId, name, profile: kernel.profile, prepared, observer, isStatic },
      sourceUrls: prepared === undefined ? {} : shelf.sourceUrls(prepared.bundle.bundle.id),
      enableSetup: vatOptions.enableSetup === true,
      enableDisavow: vatOptions.enableDisavow === true,
      ...readProgramOptions(kernel),
      ...(vatPowers && { morePowers: vatPowers }),
      ...(firstPromise !== undefined && { firstPromise }),
    };
  };

  /**
   * @param {VatRow} vat
   * @param {PreparedVat | undefined} prepared
   * @param {BuiltInVat | undefined} builtIn
   * @param {boolean} isUpgrade
   */
  const makeTransport = (vat, prepared, builtIn, isUpgrade) => {
    const { vatId, name, isStatic } = vat;
    /** @type {Upgraded} */
    const upgraded = { name, isStatic, root: undefined };
    const own = collector.ofVat(vatId);
    const supervisor = makeSupervisor({
      ...supervisorOptions(vat, prepared),
      ...(builtIn !== undefined && { builtIn }),
      collector: own,
      ...(observeReactions && { reactionObserver: observeReactions(vatId) }),
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
      onClose: () => {
        own.forget();
        locals.delete(vatId);
      },
    });
    if (threads === undefined) return wrapTransport(transport, vatId);
    const metered = threads.meterTransport(transport, vatId, threads.meter);
    // Reactors ask the clock in their cranks; and observers see reactions in their order.
    const mayBeEarly =
      prepared?.reactors === undefined || (isClockOfVats && observeReactions === undefined);
    const early = mayBeEarly ? makeEarlyTransport(metered, watch) : metered;
    const here = wrapTransport(early, vatId);
    if (!isUpgrade && findFirmTie(vat) === undefined)
      locals.set(vatId, { transport: here, supervisor, root: undefined, rejoin: own.rejoin });
    return here;
  };

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
        : (pool?.rootHasMethod(vatName, method) ?? limited.find()?.rootHasMethod(vatName, method)),

    /**
     * A place where a vat's cranks are done once more, beside where it runs, to learn where its sends are written.
     *
     * @param {VatRow} vat
     * @param {Pick<VatParts, 'onSent' | 'onUnsent'>} listeners
     * @returns {Promise<Transport | undefined>} undefined for a vat of the system
     */
    async probe(vat, listeners) {
      const { name, isBuiltIn, source } = vat;
      if (isBuiltIn) return undefined;
      const known = supervisorOptions(vat, await shelf.prepare(source));
      const supervisor = makeSupervisor({ ...known, ...listeners, onRoot: () => {} });
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
     * @param {VatRow} vat
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
        if (isUpgrade && vat.options.limits !== undefined) insistLimitable(vat);
        // During an upgrade a vat has two incarnations, so the new one is made here.
        elsewhere = isUpgrade ? undefined : attach(vat);
      } catch (error) {
        if (vat.isStatic && !isUpgrade) throw error;
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

    describeMovable,

    /**
     * A new place on this thread for a vat that ran elsewhere.
     *
     * @param {string} vatId
     */
    async makeHere(vatId) {
      const vat = kernel.vat(vatId);
      return makeTransport(vat, await shelf.prepare(vat.source), undefined, false);
    },

    /**
     * A vat runs on a thread from now on. As it was here it is kept.
     *
     * @param {string} vatId
     * @param {Transport} transport
     */
    leaveHere(vatId, transport) {
      const { name } = kernel.vat(vatId);
      const local = locals.get(vatId);
      if (local !== undefined) {
        const root = kernel.findVat(name) === vatId ? roots.get(name) : undefined;
        const bytes = kernel.state.readStream(kernel.transcriptStream(vatId)).length;
        kept.set(vatId, { ...local, root, bytes });
      }
      locals.delete(vatId);
      supervisors.delete(vatId);
      if (kernel.findVat(name) === vatId) roots.delete(name);
      return wrapTransport(transport, vatId);
    },

    /**
     * A vat as it was when it left this thread: it may run here again when the rest of its transcript has been delivered to it.
     *
     * @param {string} vatId
     * @returns {{ transport: Transport, bytes: number } | undefined} `bytes` of its transcript it has; undefined if it was not kept
     */
    takeKept(vatId) {
      const found = kept.get(vatId);
      if (found === undefined) return undefined;
      kept.delete(vatId);
      const { bytes, ...local } = found;
      const { name, isStatic } = kernel.vat(vatId);
      if (isStatic) supervisors.set(vatId, local.supervisor);
      if (local.root !== undefined) roots.set(name, local.root);
      local.rejoin();
      locals.set(vatId, local);
      return { transport: local.transport, bytes };
    },

    /** Vats that left this thread are not kept any longer. */
    dropKept: () => kept.clear(),

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
