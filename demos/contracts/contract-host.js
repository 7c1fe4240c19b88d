// The contract's side: what a contract is given, and how its vat talks to the escrow. A contract is a function
// `start(facet) → { publicFacet?, creatorFacet?, creatorInvitation? }`; a vat of it is
// `export const buildRootObject = hostContract(start)`.

import { E, Far } from '@endo/far';
import { makePromiseKit } from './escrow/promise-kit.js';
import { isOfferSafe } from './escrow/proposal.js';
import { makeAmountMath } from './money/amounts.js';

/** @param {(facet: any) => any} startContract */
export const hostContract = startContract => () => {
  let admin;
  let maths;

  /** Handle of an invitation → the handler of its offer. */
  const handlers = new Map();

  /** The escrow's seat admin → the seat's state, until the seat exits. */
  const seats = new Map();

  const forget = seatAdmin => {
    const state = seats.get(seatAdmin);
    seats.delete(seatAdmin);
    state?.exited?.resolve();
  };

  /** Gives the escrow's seat admin of a seat. */
  let adminOf;

  /** The contract's view of a seat. It does not leave the vat. */
  class Seat {
    #admin;

    #proposal;

    #state;

    static {
      adminOf = seat => seat.#admin;
    }

    constructor(admin, proposal, state) {
      this.#admin = admin;
      this.#proposal = proposal;
      this.#state = state;
      Object.freeze(this);
    }

    getProposal() {
      return this.#proposal;
    }

    getCurrentAllocation() {
      return this.#state.allocation;
    }

    isOfferSafe(allocation) {
      return isOfferSafe(this.#proposal, allocation, maths);
    }

    hasExited() {
      return !seats.has(this.#admin);
    }

    whenExited() {
      this.#state.exited ??= makePromiseKit();
      const { promise, resolve } = this.#state.exited;
      if (this.hasExited()) resolve();
      return promise;
    }

    exit() {
      this.#leave('exit');
    }

    kickOut() {
      this.#leave('kickOut');
    }

    #leave(method) {
      if (this.hasExited()) return;
      forget(this.#admin);
      E(this.#admin)[method]();
    }
  }
  harden(Seat);

  /**
   * New allocations for some seats: for all of them or for none.
   *
   * @param {[seat: object, allocation: any][]} changes
   */
  const reallocate = async changes => {
    const named = changes.map(([seat, allocation]) => [adminOf(seat), allocation]);
    await E(admin).reallocate(named);
    for (const [seatAdmin, allocation] of named) {
      const found = seats.get(seatAdmin);
      if (found !== undefined) found.allocation = allocation;
    }
  };

  /** A seat's allocation after it has got `gains` and lost `losses`. */
  const traded = (seat, gains, losses) => {
    const allocation = { ...seat.getCurrentAllocation() };
    for (const [keyword, amount] of Object.entries(gains))
      allocation[keyword] = maths[keyword].add(allocation[keyword] ?? maths[keyword].empty, amount);
    for (const [keyword, amount] of Object.entries(losses))
      allocation[keyword] = maths[keyword].subtract(allocation[keyword], amount);
    // Amounts are hardened.
    return Object.freeze(allocation);
  };

  /** Each gets what it wants, out of what the other has; then both exit. */
  const swap = async (left, right) => {
    const { want: leftWants } = left.getProposal();
    const { want: rightWants } = right.getProposal();
    try {
      await reallocate([
        [left, traded(left, leftWants, rightWants)],
        [right, traded(right, rightWants, leftWants)],
      ]);
    } finally {
      // When the trade cannot be, both get back what they gave.
      left.exit();
      right.exit();
    }
  };

  const makeInvitation = (handler, description) => {
    const handle = Far('invitation handle', {});
    handlers.set(handle, handler);
    return E(admin).makeInvitation(handle, description);
  };

  return Far('contract host', {
    start(contractAdmin, { keywords, terms }) {
      admin = contractAdmin;
      maths = harden(
        Object.fromEntries(
          Object.entries(keywords).map(([keyword, { brand, kind }]) => [
            keyword,
            makeAmountMath(brand, kind),
          ]),
        ),
      );
      const shutdown = reason => E(admin).shutdown(reason);
      return startContract(harden({ maths, terms, makeInvitation, reallocate, swap, shutdown }));
    },

    /** An offer has been made: its result is what the invitation's handler returns. */
    async addSeat(seatAdmin, { handle, proposal, allocation }) {
      const handler = handlers.get(handle);
      if (handler === undefined) throw Error('there is no such invitation');
      handlers.delete(handle);
      const state = { allocation, exited: undefined };
      seats.set(seatAdmin, state);
      const seat = new Seat(seatAdmin, proposal, state);
      try {
        return await handler(seat);
      } catch (error) {
        seat.kickOut();
        throw error;
      }
    },

    /** A trader has withdrawn its offer, or its deadline has passed. */
    seatExited: forget,
  });
};
harden(hostContract);
