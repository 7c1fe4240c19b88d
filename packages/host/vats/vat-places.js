// Gives the vats of a simulation their places: a supervisor and a transport on this thread, or a place elsewhere. Vats
// of the config get theirs when the simulation is made, vats of the system and dynamic vats when they are first needed.

import { types } from 'node:util';
import { quote, tellThrown } from '#model';
import { builtInVats } from '#system-vats';
import { makeElsewhere, readProgramOptions } from './elsewhere.js';
import { makeLocalTransport } from './local-transport.js';
import { hasMethod } from './find-method.js';
import { readProgram } from '../state/new-state.js';
import { readWhole } from '../state/read-whole.js';
import { makeSupervisor } from './vats.js';
import { Turns } from '../workers/turns.js';

/** @import { Kernel, TranscriptPlace, Transport } from '#kernel' */
/** @import { Observer } from '#reactor' */
/** @import { Supervisor } from '#vat' */
/** @import { BuiltInVat } from '#system-vats/index.js' */
/** @import { VatRow } from './elsewhere.js' */
/** @import { BundleShelf } from './bundle-shelf.js' */
/** @import { Drain } from '../engine/drain-jobs.js' */
/** @import { makeCollector } from '../engine/collection.js' */
/** @import { SimulationOptions } from '../simulation/options.js' */
/** @import { VatWatch } from './vat-watch.js' */
/** @import { PreparedVat, VatParts } from './vats.js' */
/** @import { LimitedThreads } from '../simulation/limited-threads.js' */
/** @import { Threads } from '../simulation/open-threads.js' */

/**
 * @typedef {object} PlaceParts
 * @property {Kernel} kernel
 * @property {BundleShelf} shelf
 * @property {Drain} drain
 * @property {ReturnType<typeof makeCollector>} collector
 * @property {VatWatch} watch
 * @property {(vatId: string) => Observer} [observeReactions]  watches the reactions of a vat
 * @property {Pick<SimulationOptions, 'vatPowers' | 'wrapTransport' | 'observeReactions' | 'observeWorkers' | 'clock'>} options
 * @property {Threads | undefined} [threads]  for vats that may run on other threads
 * @property {import('../simulation/options.js').VatPool | undefined} [pool]  other places; undefined if there are none
 * @property {LimitedThreads} limited  threads for vats with limits
 * @property {boolean} isRepeated  whether a recorded run is repeated; its recording has the places where limits were
 *   exceeded
 */

/**
 * Make the transport of a vat that cannot be made: its start fails.
 *
 * @param {string} problem
 * @returns {Transport}
 */
const failingTransport = problem => ({
  begin() {},
  finish: () => ({ fault: problem, syscalls: [], answers: [] }),
  close() {},
});

/**
 * @param {string} source  of a vat of the system, as the state says
 * @throws {UserError} there is none
 */
const findBuiltIn = source =>
  readWhole('the state is', () => {
    if (Object.hasOwn(builtInVats, source)) return builtInVats[source];
    throw Error(`there is no vat ${quote(String(source).slice(0, 100))} in the system`);
  });

/** @typedef {{ name: string, isStatic: boolean, root: unknown, supervisor?: Supervisor }} Upgraded */

/**
 * A vat on this thread. @typedef {{ transport: Transport, supervisor: Supervisor, root: unknown, rejoin: () => void }}
 * Local
 */

/** @param {PlaceParts} parts */
export const makeVatPlaces = parts => {
  const { kernel, shelf, drain, collector, watch, observeReactions, options } = parts;
  const { threads, pool, limited } = parts;
  const { areReactorsApart, mayMove, insistLimitable, attach, offer, describeMovable } =
    makeElsewhere(parts);
  const { vatPowers, wrapTransport = transport => transport } = options;
  const { hooks: observer, running } = watch;

  const roots = /** @type {Map<string, unknown>} */ (new Map());
  const supervisors = /** @type {Map<string, Supervisor>} */ (new Map());

  /** Vats on this thread that may move. @type {Map<string, Local>} */
  const locals = new Map();

  /**
   * Copies of vats that moved elsewhere, with their incarnations and the ends of their transcripts at the move.
   *
   * @type {Map<string, Local & { incarnation: number, end: TranscriptPlace }>}
   */
  const kept = new Map();

  const turns = new Turns(threads !== undefined && !threads.isAuto, watch, wrapTransport);

  /** New incarnations before their start, by vat. @type {Map<string, Upgraded>} */
  const upgrades = new Map();

  /**
   * Tell whether a vat's root object is kept: of dynamic vats, only that of the first vat with the name for which a
   * launcher stands.
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
      drain,
      running,
      onError: error => observer.onVatError(name, error),
      onClose: () => {
        own.forget();
        locals.delete(vatId);
        turns.forget(vatId, transport);
      },
      ...(threads && { timed: { meter: threads.meter, vatId } }),
    });
    if (threads === undefined) return wrapTransport(transport, vatId);
    const mayBeEarly = prepared?.reactors === undefined || areReactorsApart;
    const here = turns.place(vatId, transport, mayBeEarly, isUpgrade);
    if (!isUpgrade && mayMove(vat))
      locals.set(vatId, { transport: here, supervisor, root: undefined, rejoin: own.rejoin });
    return here;
  };

  /**
   * Move a vat to a thread. Its copy here is kept.
   *
   * @param {string} vatId
   * @param {Transport} transport
   */
  const leaveHere = (vatId, transport) => {
    const { name, incarnation } = kernel.vat(vatId);
    const local = locals.get(vatId);
    if (local !== undefined) {
      const root = kernel.findVat(name) === vatId ? roots.get(name) : undefined;
      kept.set(vatId, { ...local, root, incarnation, end: kernel.transcriptEnd(vatId) });
    }
    locals.delete(vatId);
    supervisors.delete(vatId);
    if (kernel.findVat(name) === vatId) roots.delete(name);
    return wrapTransport(transport, vatId);
  };

  return Object.freeze({
    /**
     * Tell whether the root object of a vat has a method; undefined if there is no such object.
     *
     * @param {string} vatName
     * @param {string} method
     */
    rootHasMethod: (vatName, method) =>
      roots.has(vatName)
        ? hasMethod(roots.get(vatName), method)
        : ((pool ?? threads?.find())?.rootHasMethod(vatName, method) ??
          limited.find()?.rootHasMethod(vatName, method)),

    /**
     * Make a second place for a vat, where its cranks are repeated to find the source lines of its sends.
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
        ...{ vatName: name, supervisor, drain, running },
        onError: () => {},
      });
    },

    /** The root objects of vats on this thread, by name. @type {ReadonlyMap<string, unknown>} */
    roots,

    /** Supervisors of the config's vats, by id. @type {ReadonlyMap<string, Supervisor>} */
    supervisors,

    /**
     * Make a vat's place; at once, if its bundle is already prepared.
     *
     * @param {VatRow} vat
     * @param {boolean} [isUpgrade]  for a new incarnation, which replaces the old one only if it starts
     * @returns {Transport | Promise<Transport>}
     */
    attach(vat, isUpgrade = false) {
      if (vat.isBuiltIn) {
        return findBuiltIn(vat.source)().then(code =>
          makeTransport(vat, undefined, code, isUpgrade),
        );
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
      // If a vat of the config cannot be made, the run stops; if a dynamic one cannot, its start fails.
      return vat.isStatic && !isUpgrade
        ? made
        : made.catch(error => failingTransport(tellThrown(error, types.isProxy)));
    },

    describeMovable,

    /** From now on let vats on this thread begin early while the kernel waits for another one. Between blocks. */
    beginEarly: () => turns.beginEarly(kernel, locals),

    /**
     * Make a new place on this thread for a vat that ran elsewhere.
     *
     * @param {string} vatId
     */
    async makeHere(vatId) {
      const vat = kernel.vat(vatId);
      return makeTransport(vat, await shelf.prepare(vat.source), undefined, false);
    },

    leaveHere,

    /**
     * Take the copy of a vat that left this thread: it may run here again after a replay of the rest of its transcript.
     *
     * @param {string} vatId
     * @returns {{ transport: Transport, end: TranscriptPlace } | undefined} `end` is the end of its transcript at the
     *   move; undefined if no copy was kept, or the vat was upgraded since
     */
    takeKept(vatId) {
      const found = kept.get(vatId);
      if (found === undefined) return undefined;
      kept.delete(vatId);
      const { end, incarnation, ...local } = found;
      const { name, isStatic, incarnation: present } = kernel.vat(vatId);
      if (incarnation !== present) return undefined;
      if (isStatic) supervisors.set(vatId, local.supervisor);
      if (local.root !== undefined) roots.set(name, local.root);
      local.rejoin();
      locals.set(vatId, local);
      return { transport: local.transport, end };
    },

    /** Forget the copies of vats that left this thread. */
    forgetKept: () => kept.clear(),

    /**
     * Take note that a new incarnation has started, or not.
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
      offer(kernel.vat(vatId), transport => kernel.moveVat(vatId, leaveHere(vatId, transport)));
    },
  });
};
