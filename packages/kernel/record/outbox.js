// Keeps values that devices hand out until the host has taken them. A value waits for its block to be committed, and is
// stored with it; when the host has taken it, the next block deletes it. So each value is handed out at least once,
// whatever fails in between, and a repeated one has the same number.
//
// The time at which the host takes a value depends on the host, so these keys may differ between equal runs.

import { forms, Fail } from '#model';
import { figure } from '../tables/figures.js';
import { parseCount, parseList, readRow } from '../tables/row-fields.js';

/** @import { Figures } from '../tables/figures.js' */
/** @import { Batch, StoreReader } from '../store-interface.js' */

const { text } = forms;

/**
 * A value that a device hands to the host; `number` counts such values in the run, from 1.
 *
 * @typedef {{ number: number, deviceId: string, data: string }} HandedOut
 */

export const outboxPrefix = 'local.outbox.';

/** @type {(number: number) => `local.${string}`} */
const keyOf = number => `${outboxPrefix}${String(number).padStart(16, '0')}`;

const valueForms = /** @type {const} */ ([
  ['device', text],
  ['data', text],
]);

/** @type {readonly never[]} */
const none = Object.freeze([]);

export class Outbox {
  #figures;

  /** Whether the host takes values; otherwise they are lost. */
  #isRead;

  /** @type {HandedOut[]} handed out by this crank */
  #staged = [];

  /** @type {HandedOut[]} handed out in this block, to be written */
  #kept = [];

  /** @type {HandedOut[]} committed, to be given to the host */
  #ready = [];

  /** @type {Set<number>} numbers of values in the store, or about to be */
  #stored = new Set();

  /** @type {number[]} numbers of values that the host has taken, to be deleted */
  #taken = [];

  /**
   * @param {Figures} figures
   * @param {boolean} isRead
   */
  constructor(figures, isRead) {
    this.#figures = figures;
    this.#isRead = isRead;
  }

  /**
   * Adds a value for the host, which gets it when the block is committed, unless the crank is dropped.
   *
   * @param {string} deviceId
   * @param {string} data
   */
  add(deviceId, data) {
    const number = this.#figures.allocate(figure.nextHandOut);
    if (this.#isRead) this.#staged.push({ number, deviceId, data });
  }

  /** Keeps the values of this crank. */
  keep() {
    if (this.#staged.length === 0) return;
    for (const each of this.#staged) this.#kept.push(each);
    this.#staged = [];
  }

  drop() {
    this.#staged = [];
  }

  /** Deletes the values that the host has taken. @param {Batch['puts']} puts */
  collectTaken(puts) {
    if (this.#taken.length === 0) return;
    for (const number of this.#taken) puts.set(keyOf(number), undefined);
    this.#taken = [];
  }

  /** @param {Batch['puts']} puts */
  collect(puts) {
    this.collectTaken(puts);
    if (this.#kept.length === 0) return;
    for (const { number, deviceId, data } of this.#kept) {
      puts.set(keyOf(number), JSON.stringify([deviceId, data]));
      this.#stored.add(number);
    }
    for (const each of this.#kept) this.#ready.push(each);
    this.#kept = [];
  }

  /** Takes the committed values that are due to the host, in order. @returns {readonly HandedOut[]} */
  take() {
    if (this.#ready.length === 0) return none;
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  /** Notes that the host has taken a value. @param {number} number */
  noteTaken(number) {
    this.#stored.delete(number) || Fail`nothing of the number ${number} is in the outbox`;
    this.#taken.push(number);
  }

  /** Whether the next block deletes a value. */
  get hasTaken() {
    return this.#taken.length > 0;
  }

  /**
   * Hands out again the values that the host may not have received before the run was stopped.
   *
   * @param {StoreReader} store
   */
  load(store) {
    if (!this.#isRead) return;
    for (const [key, written] of store.entries(outboxPrefix)) {
      const number = readRow(key, () => parseCount(key.slice(outboxPrefix.length)));
      const [deviceId, data] = readRow(key, () => parseList(written, valueForms));
      this.#stored.add(number);
      this.#ready.push({ number, deviceId, data });
    }
  }
}
