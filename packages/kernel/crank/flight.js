// An item under way, from the queue to the tables, and the interfaces of transports, devices and observers.

import { BaseError, freezeErrorClass } from '#model';

/** @import { Answer, CapData, Delivery, ReactorReport, Syscall, Tag, TagLog, When } from '#model' */
/** @import { CrankRecord } from '../record/hash.js' */
/** @import { Item } from '../tables/queue-item.js' */
/** @import { Route } from './routing.js' */
/** @import { Plan } from './translate.js' */
/** @import { ClockRead } from '../tables/physical-time.js' */
/** @import { VatParts } from '../tables/vats.js' */

/**
 * The result of a vat's crank, plain data only.
 * - `fault`: why the vat must end (it broke a rule of its transport, or could not be run to the end), or null.
 * - `reactors`: the report of a vat that has any; its next crank reuses the object.
 * - `isRefusal`: the machine had no memory for the vat. This takes precedence over any other fault, and `fault` is not
 *   null.
 * - `limit`: the limit of its options that the vat exceeded, if that is why it was refused.
 * - `wantsAsking`: the vat has much virtual data in memory and asks for a `bringOutYourDead`.
 * - `dead`: what a collection found, for a replay.
 *
 * @typedef {{ fault: string | null, syscalls: Syscall[], answers: Answer[], reactors?: ReactorReport | null, isRefusal?: boolean, limit?: Limit, wantsAsking?: boolean, dead?: string }} CrankResult
 */

/**
 * Answers a syscall while the crank runs; `earlier` are the crank's syscalls before it. `bringOutYourDead` asks for the
 * vat's dead references according to a transcript or a recorded run; without one the value is `undefined`. `clock` asks
 * for physical time; `deadline` asks whether physical time is ahead of a logical time by more than a deadline.
 *
 * @typedef {(syscall: Syscall | ['bringOutYourDead'] | ['clock', timeNs: number, microstep: number] | ['deadline', timeNs: number, deadlineNs: number],
 *   earlier: readonly Syscall[]) => Answer} Answerer
 */

/**
 * Where a vat runs. `begin` hands over a delivery; `finish` gives its result, at once or later. Between the two
 * the transport may call the answerer.
 *
 * @typedef {object} Transport
 * @property {(delivery: Delivery, answer: Answerer, when: When) => void} begin
 * @property {() => CrankResult | Promise<CrankResult>} finish
 * @property {boolean} [isRestored]  whether its vat has been brought back already, if it has run before
 * @property {() => Promise<void>} [restore]  brings back a vat that has run before; without it, its transcript's deliveries
 *   are begun and finished
 * @property {boolean} [overlaps]  false if its vat keeps the kernel's thread busy: nothing is begun there ahead of its
 *   turn, unless the transport can `work`. Default true
 * @property {boolean} [waitsForTurn]  true if it calls the answerer for devices and the clock only after `isDone` or
 *   `finish` was called: then its vat may begin ahead of its turn even if it holds a device
 * @property {() => boolean} [mayOvertake]  of a transport that waits for the turn: whether its vat may now begin behind
 *   items that have not begun. If the vat then has to wait for its turn (`When.mustNotWait`), the transport takes the
 *   delivery back by itself, and hands it over again in its turn
 * @property {() => boolean} [isDone]  whether `finish` can return the result at once. Called only in the turn of the
 *   item, and only where present
 * @property {() => void | Promise<void>} [work]  of a transport that does not overlap: carries out what was begun, so
 *   that `finish` can return the result at once. The kernel calls it ahead of the item's turn, while it waits for a vat
 *   that runs elsewhere; console output and the like appear only in `finish`
 * @property {() => void} [rewind]  takes the vat back to its last result, as if the delivery that was begun since had
 *   never been; its result may not have been asked for. Only vats of transports with this method begin reactions ahead
 *   of earlier tags
 * @property {() => void} close  called when the vat has ended; later results of it are ignored
 */

/**
 * A device: the kernel calls it when a vat uses `D(device)`. Slots are the device's own references. State that lasts is
 * in its store (`DevicePowers`).
 *
 * @typedef {object} Device
 * @property {(node: string, method: string, args: CapData) => Answer | { kind: 'refuse', message: string }} invoke
 *   `node` is `d+0` for the root; a refusal's message goes to the vat
 * @property {() => void} wake  called at a time that it waited for
 * @property {(data: string) => void} input  called with an input of the host
 * @property {() => void} reset  called when a crank was dropped: forget everything that is not in the store
 */

/**
 * Observes cranks, in the order in which they are applied, even if some executed early. It must neither change nor keep
 * what it sees. An error that it throws ends the run; the host passes on only errors that are meant to.
 *
 * @typedef {object} CrankObserver
 * @property {(flight: Flight, crankNumber: number) => void} [begins]  called when an item's turn has come and its route
 *   is known; a vat that was not begun ahead gets its delivery next. The number is 0 for a vat that is started outside
 *   of cranks
 * @property {(flight: Flight, quiet: TagLog) => void} [ran]  called when the flight's vat ran some quiet cranks by
 *   itself: in place of all other calls for them, and before those for the crank that ends the run
 * @property {(flight: Flight) => void} [delivered]  called when the vat has come to rest and `flight.result` is set.
 *   Not called for an item that reaches no vat
 * @property {(flight: Flight) => void} [applied]  called when the changes are in the tables, or the crank was dropped,
 *   as `flight.outcome` says: by a fault if `flight.fault` has one, by the vat's own exit if not. The item of a vat's
 *   reactors has their next tag by then; read the crank's tag in `begins`
 * @property {() => void} [commits]  called before a block is written
 * @property {() => void} [committed]  called after it was written
 */

/**
 * Whether a result is still pending. `instanceof Promise` is slow in a locked-down realm
 * (docs/v8-in-a-locked-down-realm.md).
 *
 * @param {CrankResult | Promise<CrankResult>} result
 * @returns {result is Promise<CrankResult>}
 */
export const isLater = result => /** @type {CrankResult} */ (result).syscalls === undefined;

/**
 * Whether a vat's transport is still pending.
 *
 * @template {{ begin: unknown }} T
 * @param {T | Promise<T>} value
 * @returns {value is Promise<T>}
 */
export const isPromise = value => /** @type {T} */ (value).begin === undefined;

/** The reason for the end of a vat that asks for more memory than it may have, or than the machine has. */
export const memoryRefused = 'it asked for more memory than there is';

/** A limit that a vat's options set to its cranks. @typedef {'crankMs' | 'heap'} Limit */

/** The reason for the end of a vat that exceeds a limit. @type {Readonly<Record<Limit, string>>} */
const limitFaults = Object.freeze({
  crankMs: 'its crank took longer than limits.crankMs allows',
  heap: 'its memory went beyond limits.heap',
});

/** @param {unknown} limit @returns {limit is Limit} */
export const isLimit = limit => typeof limit === 'string' && Object.hasOwn(limitFaults, limit);

/** The reason for the end of a vat that was stopped in its crank. @param {Pick<CrankResult, 'limit'>} result */
export const refusalFault = ({ limit }) =>
  limit === undefined ? memoryRefused : limitFaults[limit];

/**
 * Stands for the result of a vat that was stopped in its crank because the machine had no memory for it or it exceeded
 * a limit. A replay uses it instead of calling the vat.
 *
 * @param {Limit} [limit]
 * @returns {CrankResult}
 */
export const makeRefusal = limit => ({
  fault: refusalFault(limit === undefined ? {} : { limit }),
  ...{ syscalls: [], answers: [], isRefusal: true },
  ...(limit !== undefined && { limit }),
});

/**
 * Adds a fault that was found while the vat ran. A refusal by the machine takes precedence.
 *
 * @param {CrankResult} result
 * @param {string | null} fault
 * @returns {CrankResult}
 */
export const withFault = (result, fault) =>
  fault === null || result.isRefusal ? result : { ...result, fault };

/** @type {readonly never[]} */
const none = Object.freeze([]);

/** Fields of a crank that calls devices or asks for physical time. */
class Rare {
  /** @type {string[]} */
  devices = [];

  /** @type {string[]} */
  births = [];

  /** @type {{ isFailure: boolean, info: CapData } | undefined} */
  ownEnd = undefined;

  /** @type {CrankResult[]} */
  starts = [];

  /** @type {number[]} */
  deviceSends = [];

  /** @type {ClockRead[]} */
  clockReads = [];
}

/** Shared by all cranks without such fields. */
const nothingRare = new Rare();
for (const list of Object.values(nothingRare)) Object.freeze(list);
Object.freeze(nothingRare);

export class Flight {
  /** @type {CrankResult | null} the vat's result, once it is known */
  result = null;

  /** @type {Syscall[]} in krefs, as far as they have been applied */
  applied = /** @type {any} */ (none);

  /** How many of the vat's syscalls have been applied. */
  appliedCount = 0;

  /** @type {string | null} why the vat must end, if that was found while it ran */
  fault = null;

  /** Shared and empty in most cranks. */
  #rare = nothingRare;

  /** @type {CrankRecord['outcome']} */
  outcome = 'kept';

  /** Whether the crank is reported on its own; quiet reactions are reported as one run. */
  isLoud = true;

  /** The tag of the delivery, and how far its vat may go on by itself. @type {When | null} */
  when = null;

  /** Whether its vat has the delivery. */
  isBegun = false;

  /** @type {Transport | undefined} the transport that has the delivery */
  transport = undefined;

  /** Whether its item has been consumed and its changes go to the undo log. */
  isConsumed = false;

  /** Whether the delivery's own changes have been written. */
  isPrepared = false;

  /**
   * @param {Item} item
   * @param {Route} found
   * @param {Plan | null} plan  null when no vat is reached
   * @param {VatParts | null} parts  of the vat, if one is reached
   */
  constructor(item, found, plan, parts) {
    this.item = item;
    this.found = found;
    this.plan = plan;
    this.parts = parts;
    /** Empty when no vat is reached. */
    this.vatId = parts === null ? '' : parts.id;
  }

  /** @param {Syscall} syscall  in krefs, just applied */
  addApplied(syscall) {
    if (this.applied.length === 0) this.applied = [syscall];
    else this.applied.push(syscall);
  }

  /** Devices that it called. */
  get devices() {
    return this.#rare.devices;
  }

  /** Vats that it made, by their ids. */
  get births() {
    return this.#rare.births;
  }

  /** Set if a device that its vat called ends the vat. */
  get ownEnd() {
    return this.#rare.ownEnd;
  }

  set ownEnd(end) {
    this.#provideRare().ownEnd = end;
  }

  /** Results of the start deliveries of its births, where they start in this crank. */
  get starts() {
    return this.#rare.starts;
  }

  /** Places in `applied` of what devices sent. */
  get deviceSends() {
    return this.#rare.deviceSends;
  }

  /** The physical times that the vat has read. */
  get clockReads() {
    return this.#rare.clockReads;
  }

  #provideRare() {
    if (this.#rare === nothingRare) this.#rare = new Rare();
    return this.#rare;
  }

  /** @param {Syscall} syscall  in krefs, of a device that it called */
  addDeviceSend(syscall) {
    this.#provideRare().deviceSends.push(this.applied.length);
    this.addApplied(syscall);
  }

  /** The list for physical times that the vat reads. */
  provideClockReads() {
    return this.#provideRare().clockReads;
  }

  /** Drops the clock reads: a replay does not call the vat. */
  forgetClockReads() {
    if (this.#rare !== nothingRare) this.#rare.clockReads = [];
  }

  /** @param {string} deviceId */
  addDevice(deviceId) {
    const { devices } = this.#provideRare();
    if (!devices.includes(deviceId)) devices.push(deviceId);
  }

  /** @param {string} vatId */
  addBirth(vatId) {
    this.#provideRare().births.push(vatId);
  }

  /** @param {CrankResult} result  of the start of the next of the vats that it made */
  addStart(result) {
    this.#provideRare().starts.push(result);
  }

  /** Called when none of its changes is in the tables any more. */
  forgetApplied() {
    this.applied = /** @type {any} */ (none);
    if (this.#rare === nothingRare) return;
    const rare = this.#rare;
    rare.deviceSends = [];
    rare.births = [];
    rare.devices = [];
    rare.ownEnd = undefined;
  }
}

/** A critical vat has ended: the run stops, and nothing of the block is kept. */
export class CriticalVatError extends BaseError {
  /**
   * @param {string} vatName
   * @param {CapData} info  the reason of its end
   */
  constructor(vatName, info) {
    super(`the critical vat ${vatName} ended`);
    this.name = 'CriticalVatError';
    this.vatName = vatName;
    this.info = info;
  }
}
freezeErrorClass(CriticalVatError);

/** A vat of the config that did not start: the run cannot begin. */
export class VatStartError extends BaseError {
  /**
   * @param {string} vatName
   * @param {string} problem
   */
  constructor(vatName, problem) {
    super(`vat ${vatName} did not start: ${problem}`);
    this.name = 'VatStartError';
    this.vatName = vatName;
    this.problem = problem;
  }
}
freezeErrorClass(VatStartError);

/** Whether an item is later than a bound of `pump`. @param {Item} item @param {Tag} until */
export const isBeyond = ({ timeNs, microstep }, until) =>
  timeNs > until.timeNs || (timeNs === until.timeNs && microstep > until.microstep);
