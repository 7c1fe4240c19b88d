// Decides when vats are asked for their dead references. Each vat counts the messages and notifies since it was last asked;
// when the count reaches the vat's interval, `bringOutYourDead` is queued at the next microstep.
//
// A full collection of the engine takes as long as some thousand cranks. So where the config sets no interval, a vat
// that has imported next to nothing since it was last asked is asked ten times less often: what it holds cannot have
// grown by more. And when one vat is due, vats that are half way are asked too, since vats asked at one tag share one
// collection.
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

/**
 * The reaper's record of one vat; `own` is the interval that its config asks for.
 *
 * @typedef {{ count: number, isAsked: boolean, own: number | undefined, clist: CList }} Reaped
 */

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
    const { clist } = parts;
    const made = { count: 0, isAsked: false, own: this.#ownIntervalOf(vatId), clist };
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
      vat.count = 0;
      // An upgrade also asks the vat first, and that item may come before the one queued here.
      if (item.class === classes.control) vat.isAsked = false;
      vat.clist.noteImports();
      recordInput(this.#state, 'dead', vatId, result.dead ?? formatDead(result.syscalls));
      this.#queueCollection();
    } else if (found.step === 'deliver' || found.step === 'notify' || found.step === 'react') {
      this.count(vat);
    }
    if (result.wantsAsking === true) this.#askOne(vatId, vat);
  }

  /**
   * Asks a vat that has much virtual data in memory, or has dropped something that another collection can find.
   *
   * @param {string} vatId
   * @param {Reaped} vat
   */
  #askOne(vatId, vat) {
    if (vat.isAsked || vat.own === Infinity) return;
    this.#ask(vatId, vat);
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
    if (!vat.isAsked && this.#isDue(vat, vat.count)) this.#askAll();
  }

  /** Asks all vats that are half way, because one is due. */
  #askAll() {
    const { vats } = this.#state;
    const due = [];
    for (const [vatId, vat] of this.#vats)
      if (!vat.isAsked && this.#isDue(vat, vat.count * 2) && vats.isRunning(vatId)) due.push(vatId);
    for (const vatId of due.sort(compareIds)) this.#ask(vatId, this.#provide(vatId));
  }

  /**
   * Queues `bringOutYourDead`. No reaction announces it, nor the collection that follows.
   *
   * @param {string} vatId
   * @param {Reaped} vat
   */
  #ask(vatId, vat) {
    vat.isAsked = true;
    this.#state.reactors.unforeseen += 1;
    this.#state.queue.addControl('bringOutYourDead', vatId);
  }

  /**
   * @param {Reaped} vat
   * @param {number} count
   */
  #isDue({ own, clist }, count) {
    if (own !== undefined) return count >= own;
    if (count < usualInterval) return false;
    if (count >= usualInterval * idleFactor) return true;
    return clist.newImports >= fewImports;
  }

  /** Queues one collection behind all vats that are asked at one tag. */
  #queueCollection() {
    const { queue } = this.#state;
    if (!queue.hasCollection) queue.addControl('collect', '');
  }

  /**
   * @param {string} vatId
   * @returns {number | undefined} the interval that the config sets for this vat
   */
  #ownIntervalOf(vatId) {
    const { vats, reapInterval: common } = this.#state;
    const { neverReap, reapInterval = common } = vats.require(vatId).options;
    if (neverReap === true || reapInterval === 'never' || reapInterval === 0) return Infinity;
    return typeof reapInterval === 'number' ? reapInterval : undefined;
  }

  /**
   * Restarts the count of a vat whose new incarnation begins: its transcript, from which the count is loaded, is empty.
   *
   * @param {string} vatId
   */
  restart(vatId) {
    if (this.#state.profile.collectsObjects) this.#provide(vatId).count = 0;
  }

  /**
   * Whether the host may ask a vat now. A vat that is never due may be asked, but not a vat that has nothing to report,
   * nor one created in the run that has not started.
   *
   * @param {string} vatId
   */
  mayAsk(vatId) {
    const { profile, vats, queue } = this.#state;
    const { options, isBuiltIn, isStatic } = vats.require(vatId);
    // The config's vats start before anything else, so their starts need no check.
    if (!isStatic)
      for (const item of queue.inOrder())
        if (item.kind === 'start' && item.vatId === vatId) return false;
    const isNever = options.neverReap === true || (isBuiltIn && options.reapInterval === 'never');
    return profile.collectsObjects && !isNever && !this.#provide(vatId).isAsked;
  }

  /**
   * Asks a vat for the host, between cranks.
   *
   * @param {string} vatId
   */
  ask(vatId) {
    this.#ask(vatId, this.#provide(vatId));
  }

  /** Called when the config's intervals have changed. */
  forgetIntervals() {
    for (const [vatId, vat] of this.#vats)
      if (this.#state.vats.isRunning(vatId)) vat.own = this.#ownIntervalOf(vatId);
  }

  /** @param {string} vatId  of a vat whose new incarnation has begun */
  beginAnew(vatId) {
    if (this.#state.profile.collectsObjects) this.#provide(vatId).count = 0;
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
    for (const entry of transcript) {
      if (entry.kind !== 'deliver') continue;
      const [kind] = entry.delivery;
      if (kind === 'bringOutYourDead') vat.count = 0;
      else if (kind === 'message' || kind === 'notify' || kind === 'react') vat.count += 1;
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
