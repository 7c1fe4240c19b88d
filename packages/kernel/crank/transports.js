// Where vats run: the transport of each vat, from the time that it is attached or first needed until the vat ends or
// moves.

import { Fail } from '#model';
import { isPromise } from './flight.js';

/** @import { KernelState } from '../tables/state.js' */
/** @import { Earliness } from './ahead.js' */
/** @import { Flight, Transport } from './flight.js' */

export class TransportKeeper {
  #state;

  #make;

  /** @type {Map<string, Transport>} by vat; the transport of a vat that ends is closed and removed */
  #transports = new Map();

  /** @type {Set<string>} vats that may run while others do */
  #overlapping = new Set();

  /**
   * @param {KernelState} state
   * @param {(vatId: string, isUpgrade?: boolean) => Transport | Promise<Transport>} make
   */
  constructor(state, make) {
    this.#state = state;
    this.#make = make;
  }

  /** Whether any vat may run while others do. */
  get hasOverlapping() {
    return this.#overlapping.size > 0;
  }

  /**
   * Earliness of vats on other threads or machines. A vat without a place may get one there: it cannot begin yet, and vats that
   * may wait in a device call on the same thread must not begin in front of it.
   *
   * @type {(vatId: string) => Earliness}
   */
  earlinessOf = vatId => {
    if (!this.#overlapping.has(vatId)) return this.#transports.has(vatId) ? 'inTurn' : 'early';
    const transport = this.#transports.get(vatId);
    if (!transport?.waitsForTurn) return 'early';
    return transport.mayOvertake?.() ? 'overtaking' : 'earlyWithDevice';
  };

  /**
   * Earliness of vats on the kernel's thread, while it waits for another thread or machine. @type {(vatId: string) =>
   * Earliness}
   */
  earlinessHere = vatId => (this.#transports.get(vatId)?.work === undefined ? 'inTurn' : 'early');

  /** @param {string} vatId */
  find(vatId) {
    return this.#transports.get(vatId);
  }

  /** @param {string} vatId */
  require(vatId) {
    return this.#transports.get(vatId) ?? Fail`vat ${vatId} has no transport`;
  }

  /**
   * Sets the transport of a vat.
   *
   * @param {string} vatId
   * @param {Transport} transport
   */
  attach(vatId, transport) {
    this.#add(vatId, transport);
    this.#forget(vatId);
  }

  /**
   * Replaces the transport of the old incarnation by that of the new one.
   *
   * @param {string} vatId
   * @param {Transport} transport
   */
  replace(vatId, transport) {
    this.#transports.get(vatId)?.close();
    this.attach(vatId, transport);
  }

  /** Closes the transport of a vat that has ended or never existed. @param {string} vatId */
  end(vatId) {
    this.#transports.get(vatId)?.close();
    this.#transports.delete(vatId);
    this.#overlapping.delete(vatId);
    this.#forget(vatId);
  }

  /**
   * @param {string} vatId
   * @param {Transport} transport
   */
  #add(vatId, transport) {
    this.#transports.set(vatId, transport);
    if (transport.overlaps === false) this.#overlapping.delete(vatId);
    else this.#overlapping.add(vatId);
  }

  /** Makes later calls find the vat's transport again. @param {string} vatId */
  #forget(vatId) {
    const parts = this.#state.vats.findParts(vatId);
    if (parts !== undefined) parts.transport = undefined;
  }

  /**
   * The transport of a flight's vat. A new incarnation's transport replaces the old one when the crank is kept.
   *
   * @param {Flight} flight
   * @returns {Transport | Promise<Transport>}
   */
  provideFor(flight) {
    const { vatId, found, parts } = flight;
    if (found.step === 'upgrade') return this.#provideNew(flight);
    return parts?.transport ?? this.provide(vatId);
  }

  /**
   * Separate from `provideFor`, since a function with a closure allocates its context on each call.
   *
   * @param {Flight} flight  an upgrade
   * @returns {Transport | Promise<Transport>}
   */
  #provideNew(flight) {
    const { vatId, transport } = flight;
    if (transport !== undefined) return transport;
    const note = (/** @type {Transport} */ made) => {
      flight.transport = made;
      return made;
    };
    const made = this.#make(vatId, true);
    return isPromise(made) ? made.then(note) : note(made);
  }

  /**
   * The transport of a vat. A vat created in the run gets its transport when it is first needed.
   *
   * @param {string} vatId
   * @returns {Transport | Promise<Transport>}
   */
  provide(vatId) {
    const parts = this.#state.vats.parts(vatId);
    parts.transport ??= this.#transports.get(vatId);
    if (parts.transport !== undefined) return parts.transport;
    const attach = (/** @type {Transport} */ transport) => {
      this.#add(vatId, transport);
      return transport;
    };
    const made = this.#make(vatId);
    return isPromise(made) ? made.then(attach) : attach(made);
  }
}
