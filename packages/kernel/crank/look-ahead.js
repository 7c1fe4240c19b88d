// Items that are begun ahead of their turn: by vats that run elsewhere while the kernel goes on, and by vats on the kernel's
// thread while it waits for another one. Which ones may begin, ahead.js decides.

import { ChurnMap, Fail } from '#model';
import { findReady } from './ahead.js';

/** @import { KernelState } from '../tables/state.js' */
/** @import { Flight, Transport } from './flight.js' */
/** @import { TransportKeeper } from './transports.js' */

/** Of no more items begun ahead it is looked for others at each turn. */
const fewAhead = 8;

/** So many items are looked at to find work for the kernel's thread while it waits for another one. */
const mostLooked = 64;

export class LookAhead {
  #state;

  #transports;

  #lookahead;

  #begin;

  /** @type {ChurnMap<number, Flight>} by the sequence numbers of their items */
  #flights = new ChurnMap();

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

  /** Whether items have begun whose turn has not come. */
  get hasBegun() {
    return this.#flights.size > 0;
  }

  /**
   * The turn of an item has come.
   *
   * @param {number} seq  of the item
   * @returns {Flight | undefined} if it was begun
   */
  take(seq) {
    const early = this.#lookahead > 0 ? this.#flights.get(seq) : undefined;
    if (early === undefined) return undefined;
    this.#flights.delete(seq);
    // If its vat has ended meanwhile, what it did is forgotten, and the item is routed anew.
    return this.#state.vats.isRunning(early.vatId) ? early : undefined;
  }

  /**
   * @param {Flight} head
   * @param {number} room  cranks that may still run behind the head
   */
  beginAhead(head, room) {
    if (this.#lookahead === 0) return;
    if (!this.#transports.hasOverlapping && !this.hasBegun) return;
    // To look through many items again for each of them would cost more than it gains.
    if (this.#flights.size > fewAhead && this.#flights.size * 2 > this.#lookahead) return;
    const limit = Math.min(this.#lookahead, room);
    const { earlinessOf } = this.#transports;
    for (const flight of findReady(this.#state, head, this.#flights, limit, earlinessOf)) {
      // A vat that was just made is begun when its turn comes.
      const transport = this.#transports.find(flight.vatId);
      if (transport === undefined) continue;
      this.#flights.set(flight.item.seq, flight);
      this.#begin(flight, transport);
    }
  }

  /**
   * The head's vat runs elsewhere: until it is done, vats on this thread carry out items behind it.
   *
   * @param {Flight} head
   * @param {Transport} transport  the head's
   * @param {number} room  cranks that may still run behind the head
   * @returns {Promise<void> | null} to be waited for; then it is called again
   */
  workMeanwhile(head, transport, room) {
    if (transport.isDone === undefined || transport.isDone()) return null;
    const limit = Math.min(mostLooked, room);
    const { earlinessHere } = this.#transports;
    for (const flight of findReady(this.#state, head, this.#flights, limit, earlinessHere)) {
      const own = this.#transports.find(flight.vatId) ?? Fail`vat ${flight.vatId} runs nowhere`;
      this.#flights.set(flight.item.seq, flight);
      this.#begin(flight, own);
      const working = own.work?.();
      if (working) return working;
      if (transport.isDone()) return null;
    }
    return null;
  }
}
