// Virtual and durable data of one vat: the global `VatData`, the `baggage`, and the hooks for the supervisor in each
// delivery. Formats in the store, vrefs and order of syscalls are those of today's liveslots, so that an upgrade can
// read what an earlier version has written.

import { Fail, q } from '@endo/errors';
import { makeCollections } from './collections.js';
import { letGo } from './dead-objects.js';
import { makeKindDefiner } from './durable-kinds.js';
import { KindTable } from './kind-table.js';
import { makePromiseWatchers } from './promise-watchers.js';
import { StoredRecognizers } from './recognizers.js';
import { ReferenceCounts } from './reference-counts.js';
import { baseRefOf, isVirtualVref } from './vrefs.js';

/** @import { CapData } from '#model' */
/** @import { Dead, References } from '../supervisor/references.js' */
/** @import { SyscallBuffer } from '../supervisor/syscall-buffer.js' */
/** @import { CrankCache } from './crank-cache.js' */
/** @import { VirtualLibraries } from './libraries.js' */

/**
 * The powers that virtual data needs from the supervisor.
 *
 * @typedef {object} VirtualPowers
 * @property {SyscallBuffer} syscalls
 * @property {References} references
 * @property {(value: unknown) => CapData} serialize  for values that are stored; the kernel does not learn their
 *   references
 * @property {(data: CapData) => any} unserialize
 * @property {(value: any) => string} slotOf  the vref of a remotable or promise that is stored
 * @property {(value: any) => string} kernelSlotOf  the vref of one that the kernel will learn of
 * @property {(vref: string) => any} valueOf
 * @property {(vref: string, promise: Promise<unknown>) => void} followPromise  tells the kernel when the promise
 *   settles
 * @property {(vref: string) => Promise<unknown>} revivePromise  makes a promise that an earlier incarnation knew
 * @property {VirtualLibraries} libraries
 * @property {boolean} isRelaxed  whether durable data may name objects that are not durable
 */

/**
 * The parts that the files of virtual data share.
 *
 * @typedef {VirtualPowers & {
 *   kinds: KindTable,
 *   counts: ReferenceCounts,
 *   recognizers: StoredRecognizers,
 *   caches: CrankCache<any>[],
 *   schemas: CrankCache<any> | undefined,
 *   insistDurable: (data: CapData, what: string, isValue: boolean) => void,
 * }} VirtualParts
 */

/** @typedef {ReturnType<typeof makeVirtualData>} VirtualData */

/** @param {VirtualPowers} powers */
export const makeVirtualData = powers => {
  const { syscalls, references, libraries, isRelaxed } = powers;
  const { M } = libraries.patterns;
  const kinds = new KindTable();

  /** @param {string} vref @returns {object} */
  const requireKept = vref => references.findValue(vref) ?? Fail`no value for ${vref}`;

  const counts = new ReferenceCounts(syscalls, kinds, requireKept);
  counts.isRelaxed = isRelaxed;

  /** @param {CapData} data @param {string} what @param {boolean} isValue */
  const insistDurable = (data, what, isValue) => {
    for (const [i, vref] of data.slots.entries()) {
      if (counts.isDurable(vref)) continue;
      if (isValue) throw Fail`value for ${what} is not durable: slot ${q(i)} of ${data}`;
      throw Fail`${what} is not durable: slot ${q(i)} of ${data}`;
    }
  };

  /** @type {VirtualParts} */
  const parts = {
    ...powers,
    kinds,
    counts,
    recognizers: new StoredRecognizers(syscalls, (collectionId, vref) =>
      collections.deleteWeakEntry(collectionId, vref),
    ),
    caches: [],
    schemas: undefined,
    insistDurable,
  };
  const collections = makeCollections(parts);
  const definer = makeKindDefiner(parts);
  const watchers = makePromiseWatchers(parts, {
    provideTables: () => ({
      watchers: collections.provideRoot('watcherTableID', 'promiseWatcherByKind', M.scalar()),
      watched: collections.provideRoot(
        'watchedPromiseTableID',
        'watchedPromises',
        M.and(M.scalar(), M.string()),
      ),
    }),
    defineDurableKind: definer.functions.defineDurableKind,
  });

  /** @type {any} */
  let baggage;

  return Object.freeze({
    /** The members of the global `VatData`. */
    functions: {
      ...definer.functions,
      ...collections.functions,
      ...watchers.functions,
      canBeDurable: (/** @type {unknown} */ value) =>
        powers.serialize(value).slots.every(vref => counts.isDurable(vref)),
    },

    /** Reads the vat's store, or prepares it in the first incarnation. */
    start() {
      references.numbers.continueFrom(syscalls.vatstoreGet('idCounters'));
      definer.start();
      collections.start();
    },

    provideBaggage() {
      if (baggage !== undefined) return baggage;
      baggage = collections.provideRoot('baggageID', 'baggage', M.string());
      watchers.start();
      return baggage;
    },

    /** Waits for promises that earlier incarnations watched, after the root object was built. */
    finishStart() {
      watchers.revive();
    },

    /** @throws {Error} when a durable kind of an earlier incarnation was not defined */
    insistAllDefined: () => definer.insistAllDefined(),

    /** @param {string} vref  virtual @returns {any} */
    summon(vref) {
      const baseRef = baseRefOf(vref);
      let whole = references.findValue(baseRef);
      if (whole === undefined) {
        whole = kinds.reanimate(baseRef);
        references.registerRepresentative(baseRef, whole);
      }
      return kinds.pick(vref, whole);
    },

    /** The object that virtual data holds in memory under a vref. @param {string} vref */
    findHeld: vref => counts.findHeld(vref),

    /** @param {object} promise */
    findPromiseVref: promise => counts.findPromiseVref(promise),

    /** Notes that the kernel learns of these. @param {readonly string[]} slots */
    exportAll(slots) {
      for (let i = 0; i < slots.length; i += 1)
        if (isVirtualVref(slots[i])) counts.setExportStatus(slots[i], 'reachable');
    },

    /** Notes that no other vat reaches it. @param {string} vref  virtual */
    drop: vref => counts.setExportStatus(vref, 'recognizable'),

    /** Notes that no other vat recognises it. @param {string} vref  virtual */
    retire: vref => counts.setExportStatus(vref, 'none'),

    /** Forgets an import that is gone everywhere. @param {string} vref */
    retireImport: vref => void parts.recognizers.forget(vref),

    /** Drops an import that the vat's code may still hold. @param {string} vref */
    disavow(vref) {
      parts.counts.get(vref) === 0 || Fail`attempt to disavow ${q(vref)}, which virtual data names`;
      parts.recognizers.suspects.add(vref);
    },

    /** @param {Dead} dead */
    letGo: dead => letGo(parts, dead),

    /** Writes the changes of a crank at its end. */
    flush() {
      const { numbers } = references;
      if (numbers.hasChanged) syscalls.vatstoreSet('idCounters', numbers.format());
      numbers.hasChanged = false;
      parts.schemas?.flush();
      for (let i = 0; i < parts.caches.length; i += 1) parts.caches[i].flush();
    },

    /** Whether changes of the crank are still to be written. */
    get isChanged() {
      return (
        references.numbers.hasChanged ||
        parts.schemas?.isChanged === true ||
        parts.caches.some(cache => cache.isChanged)
      );
    },
  });
};
