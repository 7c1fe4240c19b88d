// Seats: whose is what of the pools. A seat is a trader's place in an instance, from its offer until it exits; then
// what it is allocated is paid out, whoever is to blame for the exit.
//
// Invariants: a pool holds what the seats of its brand are allocated, once its answers are in; a reallocation is
// conserved, is offer safe for each seat in it, and happens to all of them in one turn or to none; whatever came in
// goes out, each payment by itself, so that an issuer that does not answer holds up nothing but its own.

import { E, Far } from '@endo/far';
import { cleanAmounts, isConserved, isOfferSafe } from './proposal.js';
import { makePromiseKit } from './promise-kit.js';

/**
 * @param {Record<string, import('./pools.js').Pool>} pools  by keyword
 * @param {object} contract
 * @param {(seatAdmin: object, seat: { handle: object, proposal: any, allocation: any }) => Promise<any>} contract.join
 *   a seat is paid in: its offer begins, and has this result
 * @param {(seatAdmin: object) => void} contract.leave  a seat has exited that the contract knows, and not at its wish
 */
export const makeSeats = (pools, { join, leave }) => {
  const maths = harden(
    Object.fromEntries(Object.entries(pools).map(([keyword, { math }]) => [keyword, math])),
  );
  const emptyOf = amounts => mapRecord(amounts, keyword => maths[keyword].empty);

  /** Seat admin, which the contract holds → the seat; seats that have not exited. */
  const seats = new Map();

  /** The payout of a seat for a keyword: its share of the pool, or its own payment if that was refused. */
  const payOut = async (seat, keyword) => {
    const refused = await seat.entries[keyword];
    if (refused !== undefined) return refused.payment;
    return E(pools[keyword].purse).withdraw(seat.allocation[keyword]);
  };

  const exit = seatAdmin => {
    const seat = seats.get(seatAdmin);
    if (seat === undefined) return;
    seats.delete(seatAdmin);
    seat.cancelDeadline();
    if (!seat.hasJoined)
      seat.result.reject(Error('the seat has exited before all payments were in'));
    seat.payouts.resolve(mapRecord(seat.allocation, keyword => payOut(seat, keyword)));
  };

  const exitUnasked = seatAdmin => {
    const seat = seats.get(seatAdmin);
    exit(seatAdmin);
    if (seat?.hasJoined) leave(seatAdmin);
  };

  /**
   * Put a payment into its pool, where its issuer checks it.
   *
   * @returns {Promise<{ payment: object, error: unknown } | undefined>} one that was refused, which stays the trader's
   */
  const payIn = async (seat, keyword, paymentP) => {
    const payment = await paymentP;
    const amount = seat.proposal.give[keyword];
    try {
      await E(pools[keyword].purse).deposit(payment, amount);
    } catch (error) {
      return { payment, error };
    }
    seat.allocation = Object.freeze({ ...seat.allocation, [keyword]: amount });
    return undefined;
  };

  /** Begin the offer when everything is in. Before that the contract knows nothing of it. */
  const begin = async (seatAdmin, seat) => {
    for (const entry of Object.values(seat.entries)) {
      const refused = await entry;
      if (refused !== undefined) throw refused.error;
    }
    // Its trader did not wait.
    if (!seats.has(seatAdmin)) return seat.result.promise;
    seat.hasJoined = true;
    return join(seatAdmin, seat);
  };

  /** @returns {() => void} there is no need to keep it any more */
  const keepDeadline = (seatAdmin, { afterDeadline }) => {
    if (afterDeadline === undefined) return () => {};
    const { timer, deadline } = afterDeadline;
    const handler = Far('deadline', { wake: () => exitUnasked(seatAdmin) });
    E(timer)
      .setWakeup(deadline, handler)
      .catch(() => exitUnasked(seatAdmin));
    return () => {
      E(timer)
        .removeWakeup(handler)
        .catch(() => {});
    };
  };

  const makeUserSeat = (seatAdmin, seat) =>
    Far('user seat', {
      getProposal: () => seat.proposal,
      getCurrentAllocation: () => seat.allocation,
      /** The contract's answer to the offer; rejected for an offer that it never got. */
      getOfferResult: () => seat.result.promise,
      /** Once the seat has exited, a record of promises for payments. */
      getPayouts: () => seat.payouts.promise,
      getPayout: keyword => seat.payouts.promise.then(payouts => payouts[keyword]),
      hasExited: () => !seats.has(seatAdmin),
      /** As the proposal says; and as long as not all payments are in, in any case. */
      tryExit() {
        if (seat.hasJoined && !Object.hasOwn(seat.proposal.exit, 'onDemand'))
          throw Error('this offer cannot be withdrawn on demand; its proposal said so');
        exitUnasked(seatAdmin);
      },
    });

  return harden({
    maths,

    /**
     * @param {object} offer
     * @param {object} offer.handle  of its invitation
     * @param {any} offer.proposal  clean
     * @param {Record<string, any>} offer.payments  for what it gives, or promises for them
     * @returns {object} the user seat
     */
    add({ handle, proposal, payments }) {
      const leave = () => exit(seatAdmin);
      /** `kickOut`: the contract does not want this offer. It gets back what it is allocated, and that is the same. */
      const seatAdmin = Far('seat admin', { exit: leave, kickOut: leave });
      const seat = {
        handle,
        proposal,
        allocation: emptyOf({ ...proposal.give, ...proposal.want }),
        entries: {},
        hasJoined: false,
        /** The contract's answer to the offer. */
        result: makePromiseKit(),
        payouts: makePromiseKit(),
        cancelDeadline: keepDeadline(seatAdmin, proposal.exit),
      };
      seats.set(seatAdmin, seat);
      seat.entries = mapRecord(proposal.give, key => payIn(seat, key, payments[key]));
      begin(seatAdmin, seat).then(seat.result.resolve, error => {
        seat.result.reject(error);
        // An offer that has failed is over.
        exitUnasked(seatAdmin);
      });
      return makeUserSeat(seatAdmin, seat);
    },

    /**
     * @param {[seatAdmin: object, allocation: any][]} changes
     * @throws {Error} and nothing has changed
     */
    reallocate(changes) {
      if (!Array.isArray(changes) || !changes.every(Array.isArray))
        throw TypeError('a reallocation is a list of pairs of a seat and its allocation');
      const found = changes.map(([seatAdmin]) => seats.get(seatAdmin));
      if (found.includes(undefined))
        throw Error('a seat has exited, or is not one of this instance');
      if (new Set(found).size !== found.length) throw Error('a seat is there twice');
      const before = found.map(({ allocation }) => allocation);
      const wanted = changes.map(([, allocation], i) =>
        Object.freeze({
          ...emptyOf(before[i]),
          ...cleanAmounts('an allocation', allocation, maths),
        }),
      );
      if (!isConserved(before, wanted, maths))
        throw Error('the allocations together would be more or less than before');
      found.forEach(({ proposal }, i) => {
        if (!isOfferSafe(proposal, wanted[i], maths))
          throw Error('a seat would have neither what it gave nor what it wants');
      });
      found.forEach((seat, i) => {
        seat.allocation = wanted[i];
      });
    },

    exit,

    exitAll: () => [...seats.keys()].forEach(exit),

    /** The seats' shares of the pools, for audits: one allocation a seat. */
    getAllocations: () => [...seats.values()].map(({ allocation }) => allocation),
  });
};
harden(makeSeats);

/** A record with the same keywords. */
const mapRecord = (record, fn) => {
  const mapped = {};
  for (const keyword of Object.keys(record)) mapped[keyword] = fn(keyword);
  return harden(mapped);
};
