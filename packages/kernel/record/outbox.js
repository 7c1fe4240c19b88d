// Keeps values that devices hand out to the host until the host has them. A value waits for its block to be committed and
// is then in the store as well; when the host has taken it, the next block deletes it. So it is handed out at least
// once, whatever fails between; a second time with the same number.
//
// When the host takes something depends on the host, so the keys are among those that may differ between equal runs.

import { Fail } from '#model';
import { figure } from '../tables/figures.js';

/** @import { Figures } from '../tables/figures.js' */
/** @import { Batch, StoreReader } from '../store-interface.js' */

/** Data that a device has for the host; `number` counts what devices have handed out in the run, from 1. @typedef {{ number: number, deviceId: string, data: string }} HandedOut */

export const outboxPrefix = 'local.outbox.';

/** @type {(number: number) => `local.${string}`} */
const keyOf = number => `${outboxPrefix}${String(number).padStart(16, '0')}`;

/** @type {readonly never[]} */
const none = Object.freeze([]);

export class Outbox {
  #figures;

  /** Whether anybody takes what is handed out; what is handed out while nobody does is lost. */
  #isRead;

  /** @type {HandedOut[]} by the crank that runs */
  #staged = [];

  /** @type {HandedOut[]} by the block that runs, to be written */
  #kept = [];

  /** @type {HandedOut[]} to be given to the host when the block is written */
  #ready = [];

  /** @type {Set<number>} in the store, or about to be */
  #stored = new Set();

  /** @type {number[]} that the host has taken, to be deleted */
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
   * Something for the host: it gets it when the block is committed, or never, if the crank is dropped.
   *
   * @param {string} deviceId
   * @param {string} data
   */
  add(deviceId, data) {
    const number = this.#figures.allocate(figure.nextHandOut);
    if (this.#isRead) this.#staged.push({ number, deviceId, data });
  }

  /** The crank is kept. */
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
    this.#ready.push(...this.#kept);
    this.#kept = [];
  }

  /** The committed values that are due to the host; each once, in order. @returns {readonly HandedOut[]} */
  take() {
    if (this.#ready.length === 0) return none;
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  /** The host has taken something that it was given. @param {number} number */
  noteTaken(number) {
    this.#stored.delete(number) || Fail`nothing of the number ${number} is in the outbox`;
    this.#taken.push(number);
  }

  /** Whether the next block deletes something. */
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
    for (const [key, text] of store.entries(outboxPrefix)) {
      const number = Number(key.slice(outboxPrefix.length));
      const [deviceId, data] = JSON.parse(text);
      this.#stored.add(number);
      this.#ready.push({ number, deviceId, data });
    }
  }
}
