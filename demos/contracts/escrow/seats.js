// Seats: whose is what of the pools. A seat is a trader's place in an instance, from the moment that its payments
// are in until it exits; then its allocation is paid out, whoever is to blame for the exit.
//
// Invariants: a pool holds what the seats of its brand are allocated, once its answers are in; a reallocation is
// conserved, is offer safe for each seat in it, and happens to all of them in one turn or to none.

import { E, Far } from '@endo/far';
import { isConserved, isOfferSafe } from './proposal.js';
import { makePromiseKit } from './promise-kit.js';

/**
 * @param {Record<string, import('./pools.js').Pool>} pools  by keyword
 * @param {(seatAdmin: object) => void} onExit  told of exits that the contract did not ask for
 */
export const makeSeats = (pools, onExit) => {
  const maths = harden(
    Object.fromEntries(Object.entries(pools).map(([keyword, { math }]) => [keyword, math])),
  );

  /** What the contract has in hand → the seat; seats that have not exited. */
  const seats = new Map();

  const payOut = async allocation => {
    const entries = Object.entries(allocation).map(async ([keyword, amount]) => [
      keyword,
      await E(pools[keyword].purse).withdraw(amount),
    ]);
    return harden(Object.fromEntries(await Promise.all(entries)));
  };

  const exit = seatAdmin => {
    const seat = seats.get(seatAdmin);
    if (seat === undefined) return;
    seats.delete(seatAdmin);
    seat.hasExited = true;
    seat.payouts.resolve(payOut(seat.allocation));
  };

  const exitUnasked = seatAdmin => {
    if (!seats.has(seatAdmin)) return;
    exit(seatAdmin);
    onExit(seatAdmin);
  };

  const makeUserSeat = (seatAdmin, seat, offerResult) =>
    Far('user seat', {
      getProposal: () => seat.proposal,
      getCurrentAllocation: () => seat.allocation,
      getOfferResult: () => offerResult,
      /** A record of payments, once the seat has exited. */
      getPayouts: () => seat.payouts.promise,
      getPayout: keyword => seat.payouts.promise.then(payouts => payouts[keyword]),
      hasExited: () => seat.hasExited,
      tryExit() {
        if (!Object.hasOwn(seat.proposal.exit, 'onDemand'))
          throw Error('this offer cannot be withdrawn on demand; its proposal said so');
        exitUnasked(seatAdmin);
      },
    });

  const keepDeadline = (seatAdmin, { exit: rule }) => {
    const { afterDeadline } = rule;
    if (afterDeadline === undefined) return;
    const handler = Far('deadline', { wake: () => exitUnasked(seatAdmin) });
    E(afterDeadline.timer)
      .setWakeup(afterDeadline.deadline, handler)
      .catch(() => exitUnasked(seatAdmin));
  };

  return harden({
    maths,

    /**
     * @param {any} proposal  clean
     * @param {any} allocation  what has been paid in
     * @returns {{ seatAdmin: object, makeUserSeat: (offerResult: Promise<any>) => object }}
     */
    add(proposal, allocation) {
      const seat = { proposal, allocation, hasExited: false, payouts: makePromiseKit() };
      const seatAdmin = Far('seat admin', {
        exit: () => exit(seatAdmin),
        /** The contract does not want this offer: it gets back what it is allocated. */
        kickOut: () => exit(seatAdmin),
      });
      seats.set(seatAdmin, seat);
      keepDeadline(seatAdmin, proposal);
      return {
        seatAdmin,
        makeUserSeat: offerResult => makeUserSeat(seatAdmin, seat, offerResult),
      };
    },

    /**
     * @param {[seatAdmin: object, allocation: any][]} changes
     * @throws {Error} and nothing has changed
     */
    reallocate(changes) {
      const found = changes.map(([seatAdmin]) => seats.get(seatAdmin));
      if (found.includes(undefined))
        throw Error('a seat has exited, or is not one of this instance');
      if (new Set(found).size !== found.length) throw Error('a seat is there twice');
      const wanted = changes.map(([, allocation]) =>
        harden(
          Object.fromEntries(
            Object.entries(allocation).map(([keyword, amount]) => [
              keyword,
              maths[keyword].coerce(amount),
            ]),
          ),
        ),
      );
      const before = found.map(({ allocation }) => allocation);
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

    /** What lies in the pools for the seats, for tests: one allocation a seat. */
    getAllocations: () => [...seats.values()].map(({ allocation }) => allocation),
  });
};
harden(makeSeats);
