// Items that begin ahead of their turn: of vats that run elsewhere while the kernel goes on, and of vats on the
// kernel's thread while it waits for another thread. ahead.js decides which items may begin.

import { ChurnMap, Fail, numberOfId } from '#model';
import { beginReady, keyOfItem, openStage } from './ahead.js';

/** @import { Item } from '../tables/queue-item.js' */
/** @import { KernelState } from '../tables/state.js' */
/** @import { Rest } from './ahead.js' */
/** @import { Flight, Transport } from './flight.js' */
/** @import { TransportKeeper } from './transports.js' */

/** With this many items begun ahead, a turn looks for no others. */
const fewAhead = 8;

/** Items examined to find work for the kernel's thread while it waits for another one. */
const mostLooked = 64;

/** The outcome of the last search at a tag and stage. The next search is made only where it may find something. */
class Looked {
  #timeNs = -1;

  #microstep = -1;

  #stage = -1;

  /** @type {Rest | undefined} */
  #rest;

  /**
   * @param {Flight} head
   * @param {string} freed  the vat of the head before it
   */
  isWorthwhile({ item }, freed) {
    const rest = this.#rest;
    const isSame =
      this.#microstep === item.microstep &&
      this.#timeNs === item.timeNs &&
      this.#stage === openStage(item);
    if (rest === undefined || !isSame) return true;
    return rest.mayFind === 'anything' || (rest.mayFind === 'vats' && rest.vatIds.has(freed));
  }

  /** @param {Flight} head @param {Rest} rest */
  note({ item }, rest) {
    this.#timeNs = item.timeNs;
    this.#microstep = item.microstep;
    this.#stage = openStage(item);
    this.#rest = rest;
  }
}

export class LookAhead {
  #state;

  #transports;

  #lookahead;

  #begin;

  /** @type {ChurnMap<number, Flight>} by `keyOfItem` */
  #flights = new ChurnMap();

  /** For vats that run elsewhere. */
  #elsewhere = new Looked();

  /** For vats on the kernel's thread. */
  #here = new Looked();

  /** @type {Flight | undefined} */
  #head;

  /** The vat of the head before it. */
  #freed = '';

  /**
   * @param {KernelState} state
   * @param {TransportKeeper} transports
   * @param {number} lookahead  how many items behind the head may be begun early
   * @param {(flight: Flight, transport: Transport) => void} begin  hands a delivery to its vat
   */
  constructor(state, transports, lookahead, begin) {
    this.#state = state;
    this.#transports = transports;
    this.#lookahead = lookahead;
    this.#begin = begin;
  }

  /** Whether items have begun ahead of their turn. */
  get hasBegun() {
    return this.#flights.size > 0;
  }

  /**
   * Takes the flight of an item whose turn has come.
   *
   * @param {Item} item
   * @returns {Flight | undefined} undefined if it was not begun ahead
   */
  take(item) {
    if (this.#lookahead === 0) return undefined;
    const key = keyOfItem(item);
    const early = this.#flights.get(key);
    if (early === undefined) return undefined;
    this.#flights.delete(key);
    // If its vat has ended meanwhile, its result is discarded and the item is routed again.
    return this.#state.vats.isRunning(early.vatId) ? early : undefined;
  }

  /** Forgets the reactions of an ended vat; their item has left the queue. @param {string} vatId */
  forget(vatId) {
    if (this.#lookahead > 0) this.#flights.delete(-numberOfId(vatId));
  }

  /**
   * @param {Flight} head
   * @param {number} room  cranks that may still run behind the head
   */
  beginAhead(head, room) {
    if (this.#lookahead === 0) return;
    if (this.#transports.hasOverlapping || this.hasBegun) this.#beginElsewhere(head, room);
  }

  /**
   * @param {Flight} head
   * @param {number} room  cranks that may still run behind the head
   */
  #beginElsewhere(head, room) {
    const transports = this.#transports;
    this.#noteHead(head);
    if (!this.#elsewhere.isWorthwhile(head, this.#freed)) return;
    // Searching many items again after each crank costs more than it gains.
    if (this.#flights.size > fewAhead && this.#flights.size * 2 > this.#lookahead) return;
    const begin = (/** @type {Flight} */ flight) => {
      // A vat that was just created begins in its turn.
      const transport = transports.find(flight.vatId);
      if (transport === undefined) return 'notYet';
      this.#flights.set(keyOfItem(flight.item), flight);
      this.#begin(flight, transport);
      return 'begun';
    };
    const limit = Math.min(this.#lookahead, room);
    const { earlinessOf } = transports;
    this.#elsewhere.note(
      head,
      beginReady(this.#state, head, this.#flights, limit, earlinessOf, begin),
    );
  }

  /** @param {Flight} head */
  #noteHead(head) {
    if (head === this.#head) return;
    this.#freed = this.#head?.vatId ?? '';
    this.#head = head;
  }

  /**
   * Lets vats on this thread carry out items behind the head while the head's vat runs elsewhere.
   *
   * @param {Flight} head
   * @param {Transport} transport  the head's
   * @param {number} room  cranks that may still run behind the head
   * @returns {Promise<void> | null} wait for it, then call again
   */
  workMeanwhile(head, transport, room) {
    if (transport.isDone === undefined || transport.isDone()) return null;
    return this.#workHere(head, transport, room);
  }

  /**
   * @param {Flight} head
   * @param {Transport} transport  the head's
   * @param {number} room  cranks that may still run behind the head
   * @returns {Promise<void> | null} as `workMeanwhile`
   */
  #workHere(head, transport, room) {
    this.#noteHead(head);
    if (!this.#here.isWorthwhile(head, this.#freed)) return null;
    /** @type {Promise<void> | null} */
    let waiting = null;
    const begin = (/** @type {Flight} */ flight) => {
      const own = this.#transports.find(flight.vatId) ?? Fail`vat ${flight.vatId} runs nowhere`;
      this.#flights.set(keyOfItem(flight.item), flight);
      this.#begin(flight, own);
      waiting = own.work?.() ?? null;
      return waiting === null && !transport.isDone?.() ? 'begun' : 'last';
    };
    const limit = Math.min(mostLooked, room);
    const { earlinessHere } = this.#transports;
    const rest = beginReady(this.#state, head, this.#flights, limit, earlinessHere, begin);
    this.#here.note(head, rest);
    return waiting;
  }
}
