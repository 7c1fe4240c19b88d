// The kernel's state: all tables, the journal that keeps or drops a crank, and the one place that writes a block. Every
// part of the kernel gets this object and nothing else that lasts.

import { Fail, isAllocatedByVat, isDeviceKref, isPromiseKref } from '#model';
import { routeSent } from '../crank/acceptance.js';
import { makeStoppedError } from '../crank/gate.js';
import { Appends } from './appends.js';
import { BlockMarks, markStream } from '../record/block-marks.js';
import { Counters } from './counters.js';
import { Figures, figure, NumberBank } from './figures.js';
import { insistStoredBudget } from '../lifecycle/cleanup-budget.js';
import { Holders } from './holders.js';
import { HostValues } from './host-values.js';
import { ActivityHash } from '../record/hash.js';
import { Journal, Table } from './journal.js';
import { Outbox } from '../record/outbox.js';
import { PhysicalTime } from './physical-time.js';
import { PromiseKeeper } from './promises.js';
import { parseCount, readRow } from './row-fields.js';
import { ReapThresholds } from './reap-thresholds.js';
import { VrefPlanner } from './vref-planner.js';
import { RunQueue } from './queue.js';
import { findNext, ReactorKeeper } from '../reactors/reactors.js';
import { PutList } from './put-list.js';
import { SwingsetOrder } from './swingset-order.js';
import { VatKeeper } from './vats.js';
import { VatStoreKeeper } from './vatstore.js';
import { Remains } from '../collection/remains.js';

/** @import { CapData } from '#model' */
/** @import { Sha256 } from '../record/hash.js' */
/** @import { Profile } from '../profiles/profile.js' */
/** @import { KrefSet } from '../collection/collection.js' */
/** @import { ReactorEntry } from '../reactors/reactor-rows.js' */
/** @import { PhysicalClock } from './physical-time.js' */
/** @import { KernelStore } from '../store-interface.js' */
/** @import { VatParts } from './vats.js' */

/**
 * The stream of one span of a vat's transcript. Each incarnation of a vat has a span; only the last one is kept.
 *
 * @type {(vatId: string, incarnation: number) => string}
 */
const transcriptStream = (vatId, incarnation) => `t.${vatId}.${incarnation}`;

/** The stream of the run's inputs. */
export const inputStream = 'inputs';

const profileKey = 'kernel.profile';
const bootstrapVatKey = 'kernel.bootstrapVat';

// eslint-disable-next-line house/max-class-lines -- all tables together; keep, drop, commit and load name each of them once
export class KernelState {
  /** The entries that this block appends to streams. */
  #appends = new Appends();

  #marks = new BlockMarks();

  #markWriter = () => this.#appends.writer(markStream);

  /** @type {string[]} streams deleted in this block */
  #deletedStreams = [];

  /** @type {string[]} streams deleted in this crank */
  #deletingTranscripts = [];

  #initialised = false;

  /** Whether the vat that gets `bootstrap` is still to be stored. */
  #isBootstrapNew = false;

  /** Whether figures and counters have changed for good since the last copy. */
  #lags = false;

  /** Figures and counters. */
  #numbers;

  /**
   * @param {KernelStore} store
   * @param {Profile} profile
   * @param {Sha256} sha256
   * @param {PhysicalClock} clock
   * @param {boolean} isRead  whether the host takes what devices hand out
   */
  constructor(store, profile, sha256, clock, isRead) {
    this.physicalTime = new PhysicalTime(clock);
    this.hostValues = new HostValues(store);
    this.store = store;
    this.profile = profile;
    this.journal = new Journal();
    this.figures = new Figures();
    this.counters = new Counters(profile.counters);
    this.#numbers = new NumberBank(this.figures, this.counters);
    this.outbox = new Outbox(this.figures, isRead);
    this.promises = new PromiseKeeper(this.journal, this.figures, this.counters, profile);
    /**
     * Kref → the vat or device that exports the object. Not stored, since it follows from the c-lists.
     *
     * @type {Table<string>}
     */
    this.owners = new Table(this.journal, undefined, 'kref');
    /** @type {Table<number>} promise or object → how often the host holds it */
    this.held = new Table(this.journal, { prefix: 'held.', format: String, parse: parseCount });
    /** Null where objects are not collected. */
    this.holders = profile.collectsObjects ? new Holders() : null;
    this.vats = new VatKeeper(
      this.journal,
      this.figures,
      this.promises,
      this.counters,
      this.holders,
    );
    this.swingsetOrder = new SwingsetOrder(this.vats);
    this.reactors = new ReactorKeeper(this.journal);
    this.queue = new RunQueue(this.figures, this.promises, this.counters, profile.routesWhenSent);
    this.planner = new VrefPlanner();
    this.vatstore = new VatStoreKeeper(this.journal, store);
    this.hash = new ActivityHash(this.figures, sha256);
    this.remains = new Remains(this.journal);
    this.reapThresholds = new ReapThresholds();
    /** @type {string[]} vats that this crank has ended */
    this.endedVats = [];
    /** @type {{ name: string, info: CapData } | undefined} a critical vat that ended in this crank */
    this.criticalEnd = undefined;
    /**
     * @type {{ vatId: string, result: string } | undefined} the vat that gets `bootstrap`, until its result is
     *   fulfilled
     */
    this.bootstrap = undefined;
    /**
     * The objects that anything other than c-lists reaches, as found for an item of object collection; undefined when
     * that may have changed. It stays correct through a series of such items if vats only report what they dropped.
     *
     * @type {KrefSet | undefined}
     */
    this.heldNow = undefined;
    /** The error that stopped the run: tables may be half written, nothing runs or is committed. @type {string | undefined} */
    this.brokenBy = undefined;
    this.count = (/** @type {string} */ name) => this.counters.inc(this.counters.find(name));
  }

  /** Makes the crank's changes part of the block, and deletes what nothing refers to any more. */
  keep() {
    routeSent(this);
    this.promises.deleteUnreferenced();
    this.keepBetweenCranks();
  }

  /** Like `keep`, for a crank after which `heldNow` is still correct. */
  keepTold() {
    // A promise that is deleted now may have been the last to name an object.
    const held = this.promises.mayDelete ? undefined : this.heldNow;
    this.keep();
    this.heldNow = held;
  }

  /**
   * Checks that no change can still be undone, and that nothing was left half written.
   *
   * @throws {import('#model').KernelBug}
   */
  insistWhole() {
    this.insistUnbroken();
    const { notes, isCertain } = this.journal;
    !isCertain || Fail`an error has left a crank half written`;
    notes.length === 0 || Fail`${notes.length} changes are neither kept nor dropped`;
  }

  /** Whether nothing runs any more, because `bootstrap` has failed. */
  get isStopped() {
    if (this.bootstrap === undefined || !this.profile.stopsAtFailedBootstrap) return false;
    const state = this.promises.find(this.bootstrap.result)?.state;
    if (state === 'rejected') return true;
    if (state !== 'unresolved' && this.journal.notes.length === 0) this.bootstrap = undefined;
    return false;
  }

  /** @throws {import('#model').UserError} */
  insistUnbroken() {
    if (this.brokenBy !== undefined) throw makeStoppedError(this.brokenBy);
  }

  /** Begins changes that will not be undone and need no notes, up to `keepCertain`. */
  beginCertain() {
    this.insistWhole();
    this.journal.isCertain = true;
  }

  /**
   * Makes the changes since `beginCertain` permanent. Figures and counters are copied only when they may have to be
   * restored (`catchUp`).
   */
  keepCertain() {
    routeSent(this);
    this.#keepRouted();
  }

  #keepRouted() {
    this.journal.isCertain = false;
    this.heldNow = undefined;
    this.#lags = true;
    this.queue.keep();
    this.#moveReactions();
  }

  /** Makes the changes of a crank permanent; rows that nothing refers to any more are deleted. */
  keepCertainCrank() {
    routeSent(this);
    this.promises.deleteUnreferenced();
    this.#keepRouted();
  }

  /** Copies figures and counters if necessary. Call this before a change that may be undone. */
  catchUp() {
    if (!this.#lags) return;
    this.#lags = false;
    this.#numbers.keep();
  }

  /** Makes the host's changes between cranks permanent. Promises that it released are deleted with the next crank. */
  keepBetweenCranks() {
    routeSent(this);
    this.heldNow = undefined;
    this.#lags = false;
    this.journal.keep();
    this.#numbers.keep();
    this.queue.keep();
    this.#moveReactions();
    if (this.#deletingTranscripts.length > 0) this.#deleteTranscripts();
    this.outbox.keep();
  }

  #moveReactions() {
    const moved = this.reactors.takeMoved();
    for (let i = 0; i < moved.length; i += 1) this.#moveReaction(moved[i]);
  }

  /** Queues the vat's next reaction as its tables say. @param {ReactorEntry} entry */
  #moveReaction({ vatId, agenda, item, isThere }) {
    if (!isThere) this.reactors.forget(vatId);
    const isNext = isThere && findNext(agenda, this.#next);
    this.queue.moveReaction(item, isNext ? this.#next : undefined);
  }

  #next = { timeNs: 0, microstep: 0, stage: 0 };

  /** Undoes the crank. Its item stays in hand. */
  drop() {
    // If figures and counters were not copied since `keepCertain`, the crank has not changed them.
    this.catchUp();
    this.reactors.takeMoved();
    this.journal.drop();
    this.reactors.regroup();
    this.#numbers.drop();
    this.queue.drop();
    this.promises.clearMarks();
    this.#deletingTranscripts = [];
    this.outbox.drop();
    this.endedVats = [];
    this.criticalEnd = undefined;
  }

  /**
   * The writer for this block's entries of a stream.
   *
   * @param {string} name
   */
  stream(name) {
    return this.#appends.writer(name);
  }

  /**
   * The writer for this block's entries of a vat's transcript.
   *
   * @param {string} vatId
   */
  transcript(vatId) {
    return this.transcriptOf(this.vats.parts(vatId));
  }

  /**
   * The writer of a vat's transcript. Ask for it in each block, since the stream may lose its writer.
   *
   * @param {VatParts} parts  of the vat
   */
  transcriptOf(parts) {
    parts.transcript ??= this.#appends.writer(this.#streamOf(parts), parts);
    return parts.transcript;
  }

  /** @param {VatParts} parts */
  #streamOf({ id, row }) {
    return transcriptStream(id, row?.incarnation ?? Fail`${id} has no transcript`);
  }

  /**
   * The stream of a vat's transcript, since its incarnation began.
   *
   * @param {string} vatId
   * @param {number} [incarnation]  default: the present one. In the crank of an upgrade that is the new one, although the old
   *   one goes on if the new one does not start
   */
  transcriptStreamOf(vatId, incarnation) {
    return incarnation === undefined
      ? this.#streamOf(this.vats.parts(vatId))
      : transcriptStream(vatId, incarnation);
  }

  /**
   * Begin a new incarnation of a vat, if the crank is kept: its transcript begins anew, and the former span is deleted.
   * Later entries of the transcript belong to the new incarnation.
   *
   * @param {string} vatId  running
   * @returns {number} the incarnation's number, from 1; the vat's first life has 0
   */
  beginIncarnation(vatId) {
    const parts = this.vats.parts(vatId);
    const row = this.vats.require(vatId);
    this.deleteTranscript(vatId);
    const reactors = this.reactors.find(vatId);
    if (reactors !== undefined) this.reactors.change(reactors).quiet = null;
    this.vats.vats.touch(row);
    row.incarnation += 1;
    parts.transcript = undefined;
    this.journal.note({ undo: () => void (parts.transcript = undefined) });
    return row.incarnation;
  }

  /**
   * Delete a vat's transcript, if the crank is kept.
   *
   * @param {string} vatId
   */
  deleteTranscript(vatId) {
    this.#deletingTranscripts.push(this.transcriptStreamOf(vatId));
  }

  #deleteTranscripts() {
    for (const name of this.#deletingTranscripts) {
      this.#appends.delete(name);
      this.#deletedStreams.push(name);
    }
    this.#deletingTranscripts = [];
  }

  /**
   * The entries that this block has appended to a stream so far.
   *
   * @param {string} name
   */
  streamAdded(name) {
    return this.#appends.view(name) ?? new Uint8Array();
  }

  /**
   * The bytes of a stream, including those of this block.
   *
   * @param {string} name
   */
  readStream(name) {
    const isDeleted = this.#deletedStreams.includes(name);
    const stored = isDeleted ? new Uint8Array() : this.store.readStream(name);
    const added = this.streamAdded(name);
    const all = new Uint8Array(stored.length + added.length);
    all.set(stored);
    all.set(added, stored.length);
    return all;
  }

  /** Streams with at least one byte, including this block's changes. @returns {string[]} */
  streamNames() {
    const names = new Set(this.store.streamNames());
    for (const name of this.#deletedStreams) names.delete(name);
    this.#appends.forEach((_, name) => names.add(name));
    return [...names];
  }

  /**
   * Sets the vat that gets `bootstrap`, in a new state: it comes first in the order of notifying subscribers.
   *
   * @param {string} vatId
   */
  setBootstrapVat(vatId) {
    this.swingsetOrder.setBootstrapVat(vatId);
    this.#isBootstrapNew = true;
  }

  /** Write everything that changed since the last commit, as one block. */
  commit() {
    this.insistWhole();
    const puts = new PutList();
    if (!this.#initialised) {
      puts.set(profileKey, this.profile.name);
      this.#initialised = true;
    }
    this.reapThresholds.collect(puts);
    if (this.#isBootstrapNew) puts.set(bootstrapVatKey, this.swingsetOrder.bootstrapVat);
    this.#isBootstrapNew = false;
    this.figures.collect(puts);
    this.counters.collect(puts);
    this.promises.collect(puts);
    this.owners.collect(puts);
    this.held.collect(puts);
    this.vats.collect(puts);
    this.reactors.collect(puts);
    this.queue.collect(puts);
    this.vatstore.collect(puts);
    this.hash.collect(puts);
    this.#marks.write(this.figures.numbers[figure.crankNumber], this.hash, this.#markWriter);
    this.outbox.collect(puts);
    this.hostValues.collect(puts);
    const done = this.store.commit({
      puts,
      appends: this.#appends,
      deleteStreams: this.#deletedStreams,
    });
    // A store copies the bytes before `commit` returns, so the writers are free again.
    this.#appends.clear();
    if (this.#deletedStreams.length > 0) this.#deletedStreams = [];
    return done;
  }

  /**
   * Write that the host has taken handed-out values, before the store is closed. It is a block of its own, without the
   * other changes since the last block.
   *
   * @returns {void | Promise<void>} a promise if the store's commit is asynchronous
   */
  commitTaken() {
    if (!this.outbox.hasTaken) return undefined;
    const puts = new PutList();
    this.outbox.collectTaken(puts);
    return this.store.commit({ puts, appends: new Map(), deleteStreams: [] });
  }

  #loadOwners() {
    const { vats } = this;
    /** Rows of what vats and devices have of other devices. @type {Map<string, string>} */
    const nodes = new Map();
    for (const id of [...vats.vatIds(), ...vats.deviceIds()]) {
      for (const { kref, vref } of vats.clist(id).pairs())
        if (isAllocatedByVat(vref) && !isPromiseKref(kref)) this.owners.set(kref, id);
        else if (isDeviceKref(kref)) nodes.set(kref, `c.${id}.${vref}`);
    }
    // Objects stay when their vat has ended, but a device never ends.
    for (const [kref, key] of nodes)
      if (!this.owners.has(kref)) throw Error(`row "${key}": no device has ${kref}`);
  }

  /** Fill the tables from the store. */
  load() {
    const { store } = this;
    this.figures.load(store);
    this.counters.load(store);
    this.promises.load(store);
    this.held.load(store);
    for (const kref of this.held.keys())
      if (isPromiseKref(kref)) readRow(`held.${kref}`, () => this.promises.require(kref));
    this.vats.load(store);
    this.#loadOwners();
    this.reactors.load(store);
    this.queue.load(store, deviceId => this.vats.requireDevice(deviceId));
    this.#moveReactions();
    this.hash.load(store);
    this.outbox.load(store);
    this.#marks.load(this.figures.numbers[figure.crankNumber], this.hash);
    const bootstrapVat = store.get(bootstrapVatKey);
    if (bootstrapVat !== undefined) this.swingsetOrder.setBootstrapVat(bootstrapVat);
    this.reapThresholds.load(store);
    insistStoredBudget(this);
    this.#initialised = true;
    this.journal.keep();
  }

  /** The tag of the last item taken. */
  get now() {
    const { numbers } = this.figures;
    return { timeNs: numbers[figure.nowTimeNs], microstep: numbers[figure.nowMicrostep] };
  }
}

/**
 * The profile that a store's state was made with; `undefined` for a store without one. (The store itself writes and
 * checks the version of the schema.)
 *
 * @param {KernelStore} store
 */
export const findStoredProfile = store => store.get(profileKey);
