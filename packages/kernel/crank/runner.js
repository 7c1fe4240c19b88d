// A crank: one item, from the queue to the tables.
//
//   take → route → translate → deliver → settle → apply → commit
//
// `CrankRunner` works through the queue in order. Taking, routing, translating and applying belong to the item at the
// head; but with transports that allow it, items behind it begin to execute while the head still runs (ahead.js).

import { ChurnMap, Fail } from '#model';
import { route } from '../routing.js';
import { SyscallApplier } from '../syscalls.js';
import { findReady, planFlight } from './ahead.js';
import { Answers } from './answers.js';
import { FlightApplier } from './apply.js';
import { VatStartError } from './flight.js';

/** @import { Item } from '../keepers/queue.js' */
/** @import { KernelState } from '../state.js' */
/** @import { CrankResult, Device, Flight, Transport } from './flight.js' */

export class CrankRunner {
  #state;

  #transports;

  #lookahead;

  #applier;

  #answers;

  /** @type {Flight | undefined} the item whose turn it is */
  #head;

  /** @type {ChurnMap<number, Flight>} items begun ahead of their turn, by their sequence numbers */
  #ahead = new ChurnMap();

  /**
   * @param {KernelState} state
   * @param {object} powers
   * @param {Map<string, Transport>} powers.transports  by vat id; that of a vat that ends is closed and taken out
   * @param {Map<string, Device>} powers.devices  by device id
   * @param {number} powers.lookahead  how many items behind the head may be begun early
   * @param {(vatId: string, problem: string) => void} powers.onFault  told of each vat that is ended by a fault
   */
  constructor(state, { transports, devices, lookahead, onFault }) {
    this.#state = state;
    this.#transports = transports;
    this.#lookahead = lookahead;
    const syscalls = new SyscallApplier(state);
    const onEnd = (/** @type {string} */ vatId) => {
      this.#transport(vatId).close();
      transports.delete(vatId);
    };
    this.#applier = new FlightApplier(state, syscalls, { onFault, onEnd });
    this.#answers = new Answers(state, syscalls, this.#applier, devices);
  }

  /**
   * Run cranks until there is nothing left, `limit` are done, or a vat's result has to be waited for.
   *
   * @param {number} limit
   * @returns {{ cranks: number, waiting: Promise<void> | null }} call again when `waiting` settles
   * @throws {VatStartError} a vat of the config did not start
   */
  pump(limit) {
    let cranks = 0;
    while (cranks < limit) {
      if (this.#head === undefined) {
        const item = this.#state.queue.take();
        if (item === undefined) break;
        this.#land(item);
      }
      const head = /** @type {Flight} */ (this.#head);
      if (this.#lookahead > 0) this.#beginAhead(Math.min(this.#lookahead, limit - cranks - 1));
      if (head.plan !== null && head.result === null) {
        const result = this.#transport(head.vatId).finish();
        if (result instanceof Promise) {
          return { cranks, waiting: result.then(value => void (head.result = value)) };
        }
        head.result = result;
      }
      this.#head = undefined;
      this.#applier.apply(head);
      cranks += 1;
    }
    return { cranks, waiting: null };
  }

  /**
   * Start a vat without a crank: before the first one, in profiles that have no start deliveries.
   *
   * @param {string} vatId
   * @returns {void | Promise<void>}
   */
  startOutside(vatId) {
    const item = /** @type {Item} */ ({ ...this.#state.now, stage: 0 });
    const flight = planFlight(this.#state, item, { step: 'start', vatId });
    this.#begin(flight);
    const apply = (/** @type {CrankResult} */ result) => {
      const fault = result.fault ?? this.#applier.applySyscalls(flight, result.syscalls);
      if (fault !== null) throw new VatStartError(this.#state.vats.require(vatId).name, fault);
      this.#applier.writeTranscript(flight, result);
      this.#state.keepBetweenCranks();
    };
    const result = this.#transport(vatId).finish();
    return result instanceof Promise ? result.then(apply) : apply(result);
  }

  /** Whether a crank is under way: nothing may be committed or queued from outside meanwhile. */
  get isBusy() {
    return this.#head !== undefined;
  }

  /** @param {string} vatId */
  #transport(vatId) {
    return this.#transports.get(vatId) ?? Fail`vat ${vatId} has no transport`;
  }

  /**
   * An item's turn has come: it becomes the head. It was begun ahead, or is begun now.
   *
   * @param {Item} item  just taken
   */
  #land(item) {
    const early = this.#ahead.get(item.seq);
    if (early) {
      this.#ahead.delete(item.seq);
      // If its vat has ended meanwhile, what it did is forgotten, and the item is routed anew.
      if (this.#state.vats.isRunning(early.vatId)) {
        this.#head = early;
        return;
      }
    }
    this.#head = planFlight(this.#state, item, route(this.#state, item));
    this.#begin(this.#head);
  }

  /** @param {Flight} flight */
  #begin(flight) {
    if (flight.plan === null) return;
    this.#transport(flight.vatId).begin(flight.plan.vatDelivery, (syscall, earlier) =>
      this.#answers.answer(flight, syscall, earlier, flight === this.#head),
    );
  }

  /** @param {number} limit  how many items to look at */
  #beginAhead(limit) {
    const head = this.#head ?? Fail`no crank is under way`;
    for (const flight of findReady(this.#state, head, this.#ahead, limit)) {
      this.#ahead.set(flight.item.seq, flight);
      this.#begin(flight);
    }
  }
}
