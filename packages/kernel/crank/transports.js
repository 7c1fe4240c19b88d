// Where vats run: the transport of each, from the time that it is attached or first needed until the vat ends or runs
// elsewhere.

import { Fail } from '#model';
import { isPromise } from './flight.js';

/** @import { KernelState } from '../tables/state.js' */
/** @import { Earliness } from './ahead.js' */
/** @import { Flight, Transport } from './flight.js' */

export class TransportKeeper {
  #state;

  #make;

  /** @type {Map<string, Transport>} that of a vat that ends is closed and taken out */
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

  /** For vats on other threads or machines. @type {(vatId: string) => Earliness} */
  earlinessOf = vatId => {
    if (!this.#overlapping.has(vatId)) return 'inTurn';
    return this.#transports.get(vatId)?.waitsForTurn ? 'earlyWithDevice' : 'early';
  };

  /** For vats on the kernel's thread, while it waits for another thread or machine. @type {(vatId: string) => Earliness} */
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
   * Where a vat runs from now on.
   *
   * @param {string} vatId
   * @param {Transport} transport
   */
  attach(vatId, transport) {
    this.#add(vatId, transport);
    this.#forget(vatId);
  }

  /**
   * A new incarnation runs from now on, and the old one no more.
   *
   * @param {string} vatId
   * @param {Transport} transport
   */
  replace(vatId, transport) {
    this.#transports.get(vatId)?.close();
    this.attach(vatId, transport);
  }

  /** The vat has ended, or was never there. @param {string} vatId */
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

  /** It is to be found anew. @param {string} vatId */
  #forget(vatId) {
    const parts = this.#state.vats.findParts(vatId);
    if (parts !== undefined) parts.transport = undefined;
  }

  /**
   * Where a flight's vat runs. That of a new incarnation takes the place of the old one's when the crank is kept.
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
   * Apart from `provideFor`, for a function with a closure allocates the closure's context each time that it is called.
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
   * The transport of a vat; one that was made in the run gets it when it is first needed.
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
