// Decides when vats are asked for their dead references. Each vat counts the messages and notifies since it was last asked;
// when the count reaches the vat's interval, `bringOutYourDead` is queued at the next microstep. Where the config sets an
// interval, the rule is SwingSet's: the start of a vat and what it is told of objects count, too, a vat that was told of many
// objects is asked sooner, and it is asked at the present tag, before the messages that are left of it.
//
// A full collection of the engine takes as long as some thousand cranks. So where the config sets no interval, a vat
// that has imported next to nothing since it was last asked is asked ten times less often: what it holds cannot have
// grown by more. And when one such vat is due, those that are half way are asked too, since vats asked at one tag share
// one collection.
//
// A raw vat, one that may disavow, and comms let go of objects in any delivery. A collection follows each such delivery: at the
// present tag where the config sets an interval, as SwingSet's rule is, or else at the next microstep, so that deliveries of
// the present tag may run ahead.
//
// The counts are not stored: a transcript has them.

import { classes } from '#schedule';
import { compareIds } from '#model';
import { recordInput } from '../inputs/inputs.js';

/** @import { Syscall, TranscriptEntry } from '#model' */
/** @import { CList } from '../tables/clist.js' */
/** @import { KernelState } from '../tables/state.js' */
/** @import { CrankResult, Flight } from '../crank/flight.js' */

/**
 * More collections take more time, fewer leave more objects (docs/v8-in-a-locked-down-realm.md). A vat that imports an object in
 * each crank holds as many at most before it is asked.
 */
const usualInterval = 10_000;

/** A vat that has imported fewer than `fewImports` objects is asked this many times less often. */
const idleFactor = 10;

/**
 * Fewer imports than this are not worth a collection: every vat is given some objects when it starts. A vat that
 * imports objects at the start and none later would be collected for nothing (docs/v8-in-a-locked-down-realm.md).
 */
const fewImports = 100;

/**
 * The references that a vat dropped or retired, in vrefs, as the text of the input `dead`.
 *
 * @param {readonly Syscall[]} syscalls
 */
const formatDead = syscalls =>
  ['dropImports', 'retireImports', 'retireExports']
    .map(kind => {
      const told = syscalls.filter(([is]) => is === kind);
      return told.map(([, vrefs]) => /** @type {string[]} */ (vrefs).join(' ')).join(' ');
    })
    .join(';');

/** Dropped and retired objects after which a vat is asked where the config sets an interval only: SwingSet's default. */
export const usualGcKrefs = 20;

/**
 * The reaper's record of one vat. Since it was last asked: `count` messages, notifies and reactions, `others` deliveries
 * that count only where the config sets an interval, in which it was told of `gcKrefs` objects.
 *
 * @typedef {object} Reaped
 * @property {string} vatId
 * @property {number} count
 * @property {number} others
 * @property {number} gcKrefs
 * @property {boolean} isAsked
 * @property {number | undefined} own  the interval that the config asks for
 * @property {number} mostGcKrefs
 * @property {boolean} mayLetGo  whether it may drop or retire objects in any delivery
 * @property {CList} clist
 */

/** @param {Reaped} vat  that has been asked, or whose new incarnation begins */
const beginCount = vat => {
  vat.count = 0;
  vat.others = 0;
  vat.gcKrefs = 0;
};

/**
 * Whether a vat has nothing to report, as comms of the system.
 *
 * @param {{ options: Readonly<Record<string, unknown>>, isBuiltIn: boolean }} row
 */
export const isNeverAsked = ({ options, isBuiltIn }) =>
  options.neverReap === true || (isBuiltIn && options.reapInterval === 'never');

/** Kinds of syscalls by which a vat lets go of objects. */
const lettingGo = new Set(['dropImports', 'retireImports', 'retireExports', 'abandonExports']);

/**
 * Whether a vat may let go of objects when it is not asked for them.
 *
 * @param {{ name: string, options: Readonly<Record<string, unknown>>, isBuiltIn: boolean }} row
 */
const findMayLetGo = ({ name, options, isBuiltIn }) =>
  options.enableSetup === true || options.enableDisavow === true || (isBuiltIn && name === 'comms');

/**
 * @param {unknown} option  a number, or `never`; 0 is `never`, too
 * @returns {number | undefined}
 */
const asThreshold = option => {
  if (option === 'never' || option === 0) return Infinity;
  return typeof option === 'number' ? option : undefined;
};

/**
 * Thresholds of a vat, and whether it may let go by itself, by the config and its options.
 *
 * @param {KernelState} state
 * @param {string} vatId
 * @returns {Pick<Reaped, 'own' | 'mostGcKrefs' | 'mayLetGo'>}
 */
const thresholdsOf = ({ vats, reapThresholds }, vatId) => {
  const row = vats.require(vatId);
  const mayLetGo = findMayLetGo(row);
  if (isNeverAsked(row)) return { own: Infinity, mostGcKrefs: Infinity, mayLetGo };
  const { interval, gcKrefs } = reapThresholds;
  const { reapInterval = interval, reapGCKrefs = gcKrefs } = row.options;
  const own = asThreshold(reapInterval);
  const usual = own === undefined ? Infinity : usualGcKrefs;
  return { own, mostGcKrefs: asThreshold(reapGCKrefs) ?? usual, mayLetGo };
};

/**
 * Whether the interval of a vat has changed at the present tag: items behind that change may have begun already, so nothing
 * new may come before them.
 *
 * @param {KernelState} state
 * @param {string} vatId
 */
const isChangedNow = ({ vats, now }, vatId) => {
  const { reapChange } = vats.require(vatId);
  return reapChange?.timeNs === now.timeNs && reapChange.microstep === now.microstep;
};

/**
 * The record of a vat that had no delivery, without its c-list. The system's vats start without a crank, which counts all
 * the same.
 *
 * @param {KernelState} state
 * @param {string} vatId
 */
const unasked = (state, vatId) => {
  const row = state.vats.require(vatId);
  const others = row.isBuiltIn ? 1 : 0;
  return { vatId, count: 0, others, gcKrefs: 0, isAsked: false, ...thresholdsOf(state, vatId) };
};

/** Whether SwingSet's rule holds: the config sets an interval. @param {KernelState} state */
const hasSwingsetRule = ({ reapThresholds }) => reapThresholds.interval !== undefined;

/**
 * The number of deliveries after which a vat may be asked, or its objects collected, at once, before the items that are left
 * of the tag. Only what comes before this may run ahead.
 *
 * @param {KernelState} state
 * @param {string} vatId
 * @returns {number} Infinity for a vat that is not asked at once, or that has ended
 */
export const deliveriesLeft = (state, vatId) => {
  if (!state.profile.collectsObjects || !state.vats.isRunning(vatId)) return Infinity;
  const { own, count, others, isAsked, mayLetGo } =
    state.vats.parts(vatId).reaping ?? unasked(state, vatId);
  if (mayLetGo && hasSwingsetRule(state)) return 1;
  return own === undefined || isAsked ? Infinity : own - count - others;
};

/**
 * Counts what a vat has done since it was asked, as far as its thresholds count it.
 *
 * @param {KernelState} state
 * @param {string} vatId
 * @returns {{ deliveries?: number, gcKrefs?: number }} without what is 0
 */
export const readReapCounts = (state, vatId) => {
  const { count, others, gcKrefs, own, mostGcKrefs } =
    state.vats.parts(vatId).reaping ?? unasked(state, vatId);
  const deliveries = count + others;
  return {
    ...(deliveries > 0 && own !== undefined && own < Infinity && { deliveries }),
    ...(gcKrefs > 0 && mostGcKrefs < Infinity && { gcKrefs }),
  };
};

export class Reaper {
  #state;

  /** @type {Map<string, Reaped>} by vat */
  #vats = new Map();

  /** @param {KernelState} state */
  constructor(state) {
    this.#state = state;
  }

  /** @param {string} vatId */
  #provide(vatId) {
    const parts = this.#state.vats.parts(vatId);
    if (parts.reaping !== undefined) return parts.reaping;
    const made = { ...unasked(this.#state, vatId), clist: parts.clist };
    parts.reaping = made;
    this.#vats.set(vatId, made);
    return made;
  }

  /**
   * Counts a vat's crank that is about to be kept.
   *
   * @param {Flight} flight
   * @param {CrankResult} result
   */
  tell({ found, vatId, parts, item }, result) {
    if (!this.#state.profile.collectsObjects) return;
    const vat = parts?.reaping ?? this.#provide(vatId);
    if (found.step === 'bringOutYourDead') {
      beginCount(vat);
      // An upgrade also asks the vat first, and that item may come before the one queued here.
      if (item.class === classes.control) vat.isAsked = false;
      vat.clist.noteImports();
      recordInput(this.#state, 'dead', vatId, result.dead ?? formatDead(result.syscalls));
      this.#queueCollection();
      return this.#askIfWanted(vatId, vat, result);
    }
    if (vat.mayLetGo && result.syscalls.some(([kind]) => lettingGo.has(kind)))
      this.#queueCollection(!hasSwingsetRule(this.#state));
    if (found.step === 'deliver' || found.step === 'notify' || found.step === 'react') {
      vat.count += 1;
    } else if (found.step === 'tell' || found.step === 'start') {
      vat.others += 1;
      if (found.step === 'tell') vat.gcKrefs += found.krefs.length;
    } else return this.#askIfWanted(vatId, vat, result);
    this.#askIfDue(vat);
    this.#askIfWanted(vatId, vat, result);
  }

  /**
   * Asks a vat that has much virtual data in memory, or has dropped something that another collection can find.
   *
   * @param {string} vatId
   * @param {Reaped} vat
   * @param {CrankResult} result
   */
  #askIfWanted(vatId, vat, { wantsAsking }) {
    if (wantsAsking === true && !vat.isAsked && vat.own !== Infinity) this.#ask(vatId, vat);
  }

  /**
   * The record of a vat, for a caller that counts often.
   *
   * @param {string} vatId
   * @returns {Reaped | null} null if nothing is counted
   */
  find(vatId) {
    return this.#state.profile.collectsObjects ? this.#provide(vatId) : null;
  }

  /**
   * Counts a message, a notify or a value that a vat got.
   *
   * @param {Reaped} vat
   */
  count(vat) {
    vat.count += 1;
    this.#askIfDue(vat);
  }

  /** @param {Reaped} vat */
  #askIfDue(vat) {
    if (vat.isAsked) return;
    const { own, count, others, gcKrefs, mostGcKrefs } = vat;
    if (gcKrefs >= mostGcKrefs || (own !== undefined && count + others >= own))
      this.#ask(vat.vatId, vat, !isChangedNow(this.#state, vat.vatId));
    else if (own === undefined && this.#isDue(vat, count)) this.#askAll();
  }

  /** Asks all vats without an interval of their own that are half way, because one is due. */
  #askAll() {
    const { vats } = this.#state;
    const due = [];
    for (const [vatId, vat] of this.#vats)
      if (
        vat.own === undefined &&
        !vat.isAsked &&
        this.#isDue(vat, vat.count * 2) &&
        vats.isRunning(vatId)
      )
        due.push(vatId);
    for (const vatId of due.sort(compareIds)) this.#ask(vatId, this.#provide(vatId));
  }

  /**
   * Queues `bringOutYourDead`. No reaction announces it, nor the collection that follows.
   *
   * @param {string} vatId
   * @param {Reaped} vat
   * @param {boolean} [isAtOnce]
   */
  #ask(vatId, vat, isAtOnce = false) {
    const { queue, reactors } = this.#state;
    vat.isAsked = true;
    reactors.unforeseen += 1;
    if (isAtOnce) queue.addAtOnce('bringOutYourDead', vatId);
    else queue.addControl('bringOutYourDead', vatId);
  }

  /**
   * Whether a vat without an interval of its own is due.
   *
   * @param {Reaped} vat
   * @param {number} count
   */
  #isDue({ clist }, count) {
    if (count < usualInterval) return false;
    if (count >= usualInterval * idleFactor) return true;
    return clist.newImports >= fewImports;
  }

  /**
   * Queues one collection behind all vats that are asked at one tag.
   *
   * @param {boolean} [isLater]  at the next microstep
   */
  #queueCollection(isLater = false) {
    const { queue } = this.#state;
    if (!queue.hasCollection) queue.addCollection(isLater);
  }

  /**
   * Whether the host may ask a vat now. A vat that is never due may be asked, but not a vat that has nothing to report,
   * nor one created in the run that has not started.
   *
   * @param {string} vatId
   */
  mayAsk(vatId) {
    const { profile, vats, queue } = this.#state;
    const row = vats.require(vatId);
    if (queue.index.hasStart(vatId)) return false;
    return profile.collectsObjects && !isNeverAsked(row) && !this.#provide(vatId).isAsked;
  }

  /**
   * Asks a vat for the host, between cranks.
   *
   * @param {string} vatId
   */
  ask(vatId) {
    this.#ask(vatId, this.#provide(vatId));
  }

  /** Called between cranks, when the config's intervals have changed. */
  changeIntervals() {
    const { vats, now } = this.#state;
    for (const vatId of vats.vatIds()) {
      if (!vats.isRunning(vatId)) continue;
      const row = vats.require(vatId);
      vats.vats.touch(row);
      row.reapChange = now;
    }
    this.forgetIntervals();
  }

  /** Called when options of vats have changed, or were restored. */
  forgetIntervals() {
    for (const [vatId, vat] of this.#vats)
      if (this.#state.vats.isRunning(vatId)) Object.assign(vat, thresholdsOf(this.#state, vatId));
  }

  /** @param {string} vatId  of a vat whose new incarnation has begun */
  beginAnew(vatId) {
    if (this.#state.profile.collectsObjects) beginCount(this.#provide(vatId));
  }

  /** @param {string} vatId  of a vat that has ended */
  forget(vatId) {
    this.#vats.delete(vatId);
    const parts = this.#state.vats.findParts(vatId);
    if (parts !== undefined) parts.reaping = undefined;
  }

  /**
   * Loads the count of a vat.
   *
   * @param {string} vatId
   * @param {Iterable<TranscriptEntry>} transcript
   * @param {boolean} isAsked
   */
  load(vatId, transcript, isAsked) {
    if (!this.#state.profile.collectsObjects) return;
    const vat = this.#provide(vatId);
    const { incarnation } = this.#state.vats.require(vatId);
    // The start of an upgraded vat does not count.
    if (incarnation > 0) beginCount(vat);
    for (const entry of transcript) {
      if (entry.kind !== 'deliver') continue;
      const { delivery } = entry;
      switch (delivery[0]) {
        case 'bringOutYourDead':
          beginCount(vat);
          break;
        case 'message':
        case 'notify':
        case 'react':
          vat.count += 1;
          break;
        case 'startVat':
          if (incarnation === 0) vat.others += 1;
          break;
        case 'dropExports':
        case 'retireExports':
        case 'retireImports':
          vat.others += 1;
          vat.gcKrefs += delivery[1].length;
          break;
        default:
      }
    }
    vat.isAsked = isAsked;
  }
}

/**
 * Vats whose `bringOutYourDead` comes next: after the item that was taken, at its tag, before all messages.
 *
 * @param {KernelState} state
 * @returns {string[]}
 */
export const askedNext = ({ queue, now }) => {
  const asked = [];
  for (const { kind, vatId, timeNs, microstep, class: itemClass } of queue.ahead(Infinity)) {
    const isNow = timeNs === now.timeNs && microstep === now.microstep;
    if (isNow && kind === 'bringOutYourDead' && itemClass === classes.control) asked.push(vatId);
  }
  return asked;
};
