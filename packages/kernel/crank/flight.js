// An item under way, from the queue to the tables, and what the kernel asks of those that execute it.

import { BaseError, freezeErrorClass } from '#model';

/** @import { Answer, CapData, Delivery, ReactorReport, Syscall, Tag, TagLog, When } from '#model' */
/** @import { CrankRecord } from '../record/hash.js' */
/** @import { Item } from '../tables/queue-item.js' */
/** @import { Route } from './routing.js' */
/** @import { Plan } from './translate.js' */
/** @import { ClockRead } from '../tables/physical-time.js' */
/** @import { VatParts } from '../tables/vats.js' */

/**
 * The result of a vat's crank. `fault` is why the vat must end (it broke a rule of its transport, or could not be run to
 * the end), or null.
 *
 * @typedef {{ fault: string | null, syscalls: Syscall[], answers: Answer[], reactors?: ReactorReport | null, isRefusal?: boolean, limit?: Limit, wantsAsking?: boolean, dead?: string }} CrankResult
 *   All of it is plain data. `reactors` of a vat that has any; the object is used again for its next crank. `isRefusal` where the machine had no memory for the vat: that goes before any other fault, and `fault` is not null then.
 *   `limit` where that was because the vat went beyond a limit of its options.
 *   `wantsAsking`: the vat wants to be asked for its dead references, for it has much virtual data in memory. `dead`: what a
 *   collection found, for a run that is repeated
 */

/**
 * Answers a syscall while the crank runs: `earlier` are the crank's syscalls before it. `bringOutYourDead` asks what a
 * transcript or a recorded run says of the vat's dead references; without one the value is `undefined`. `clock` asks for
 * physical time, `deadline` whether that is ahead of a logical time by more than so much.
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
 * @property {boolean} [overlaps]  false for one that keeps the kernel's thread busy while its vat runs: nothing is begun there
 *   ahead of its turn, unless it can `work`. Default true
 * @property {boolean} [waitsForTurn]  true for one that calls the answerer for devices and the clock only once `isDone` or
 *   `finish` has been called: its vat may be begun ahead of its turn though it holds a device
 * @property {() => boolean} [isDone]  whether `finish` has the result at once. Called only in the turn of the item. A transport
 *   without it is not asked
 * @property {() => void | Promise<void>} [work]  of one that does not overlap: carry out what was begun, so that `finish` has
 *   the result at once. The kernel calls it ahead of the item's turn, while it waits for a vat that runs elsewhere; what the vat
 *   shows is shown by `finish`
 * @property {() => void} close  the vat has ended; whatever it still does is ignored
 */

/**
 * A device: what the kernel calls when a vat uses `D(device)`. Slots are the device's own. Whatever lasts is in its
 * store (`DevicePowers`).
 *
 * @typedef {object} Device
 * @property {(node: string, method: string, args: CapData) => Answer | { kind: 'refuse', message: string }} invoke
 *   `node` is `d+0` for the root; of a refusal the vat gets the message
 * @property {() => void} wake  a time has come that it waited for
 * @property {(data: string) => void} input  the host hands it something
 * @property {() => void} reset  forget everything that is not in the store: a crank was dropped
 */

/**
 * Observes cranks: called for each in the order in which they are applied, whatever ran ahead. It must neither change nor
 * keep what it sees. What it throws ends the run; the host lets through only what is meant to.
 *
 * @typedef {object} CrankObserver
 * @property {(flight: Flight, crankNumber: number) => void} [begins]  an item's turn has come, and where it goes is
 *   known; if its vat was not begun ahead, it is handed its delivery next. The number is 0 for a vat that is started
 *   outside of cranks
 * @property {(flight: Flight, quiet: TagLog) => void} [ran]  the flight's vat ran its reactors by itself for some cranks,
 *   which said nothing: in place of all other calls for them, and before those for the crank that ends the run
 * @property {(flight: Flight) => void} [delivered]  its vat has come to rest: `flight.result` is what it did. Not called
 *   of an item that reaches no vat
 * @property {(flight: Flight) => void} [applied]  its changes are in the tables, or it was dropped, as `flight.outcome`
 *   says: by a fault if `flight.fault` has one, by the vat's own exit if not. The item of a vat's reactors stands at their
 *   next tag by then; that of the crank is to be read in `begins`
 * @property {() => void} [commits]  a block is about to be written
 * @property {() => void} [committed]  it is
 */

/**
 * Whether a result is still to come. `instanceof Promise` is slow in a locked-down realm
 * (docs/v8-in-a-locked-down-realm.md).
 *
 * @param {CrankResult | Promise<CrankResult>} result
 * @returns {result is Promise<CrankResult>}
 */
export const isLater = result => /** @type {CrankResult} */ (result).syscalls === undefined;

/**
 * Whether a vat's transport is still to come.
 *
 * @template {{ begin: unknown }} T
 * @param {T | Promise<T>} value
 * @returns {value is Promise<T>}
 */
export const isPromise = value => /** @type {T} */ (value).begin === undefined;

/** Why a vat ends that asks for more memory than it may have, or than the machine has. */
export const memoryRefused = 'it asked for more memory than there is';

/** A limit that a vat's options set to its cranks. @typedef {'crankMs' | 'heap'} Limit */

/** Why a vat ends that goes beyond a limit. @type {Readonly<Record<Limit, string>>} */
const limitFaults = Object.freeze({
  crankMs: 'its crank took longer than limits.crankMs allows',
  heap: 'its memory went beyond limits.heap',
});

/** @param {unknown} limit @returns {limit is Limit} */
export const isLimit = limit => typeof limit === 'string' && Object.hasOwn(limitFaults, limit);

/** Why a vat ends that the machine refused to carry on. @param {Pick<CrankResult, 'limit'>} result */
export const refusalFault = ({ limit }) =>
  limit === undefined ? memoryRefused : limitFaults[limit];

/**
 * Stands for the result of a vat that was stopped in its crank: the machine had no memory for it, or it went beyond a limit.
 * In a replay the vat is not called.
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
 * The result of a vat with a fault that came out while it ran. That the machine refused to carry it on goes before.
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

/** Shared by all cranks that have nothing of it. */
const nothingRare = new Rare();
for (const list of Object.values(nothingRare)) Object.freeze(list);
Object.freeze(nothingRare);

export class Flight {
  /** @type {CrankResult | null} what the vat did, once it is known */
  result = null;

  /** @type {Syscall[]} in krefs, as far as they have been applied */
  applied = /** @type {any} */ (none);

  /** How many of the vat's syscalls have been applied. */
  appliedCount = 0;

  /** @type {string | null} why the vat must end, if that came out while it ran */
  fault = null;

  /** Empty in most cranks. */
  #rare = nothingRare;

  /** @type {CrankRecord['outcome']} */
  outcome = 'kept';

  /** Whether it is a crank that is told by itself; reactions may all be told as a run. */
  isLoud = true;

  /** When its vat was told that the delivery happens, and how far it may go on by itself. @type {When | null} */
  when = null;

  /** Whether its vat has been given the delivery. */
  isBegun = false;

  /** @type {Transport | undefined} to which it was given */
  transport = undefined;

  /** Whether its item has been consumed, and notes are made of what it changes. */
  isConsumed = false;

  /** Whether what the delivery itself changes has been written. */
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

  /** The physical times that the vat was told. */
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

  /** Where to note what the vat is told of physical time. */
  provideClockReads() {
    return this.#provideRare().clockReads;
  }

  /** When the run is repeated, the vat is not told of physical time. */
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

  /** Nothing of it is in the tables any more. */
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

/** A vat has ended without which the run makes no sense: nothing of the block is kept. */
export class CriticalVatError extends BaseError {
  /**
   * @param {string} vatName
   * @param {CapData} info  with what it ended
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
