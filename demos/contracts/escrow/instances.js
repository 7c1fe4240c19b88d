// An instance: a contract at work, in a vat of its own that the escrow does not trust. The contract says who trades
// what; the escrow's seats say what is possible.

import { E, Far } from '@endo/far';
import { cleanProposal } from './proposal.js';
import { makeSeats } from './seats.js';

const noFurtherOffers = 'No further offers are accepted';

/**
 * @param {object} powers
 * @param {object} powers.installation
 * @param {object} powers.host  root of the contract's vat
 * @param {object} powers.adminNode  of that vat
 * @param {Record<string, import('./pools.js').Pool>} powers.pools  by keyword
 * @param {(details: object) => object} powers.mintInvitation
 */
export const makeInstance = ({ installation, host, adminNode, pools, mintInvitation }) => {
  const instance = Far('instance', {});
  const seats = makeSeats(pools, seatAdmin => {
    // A contract that has ended needs no telling.
    E(host)
      .seatExited(seatAdmin)
      .catch(() => {});
  });
  let isClosed = false;

  const close = () => {
    isClosed = true;
    seats.exitAll();
  };
  // However the contract ends, everyone gets what is theirs.
  E(adminNode).done().then(close, close);

  /** For the contract's vat. */
  const contractAdmin = Far('contract admin', {
    makeInvitation(handle, description) {
      if (isClosed) throw Error(noFurtherOffers);
      return mintInvitation(harden({ description, handle, installation, instance }));
    },
    reallocate: changes => seats.reallocate(changes),
    shutdown(reason) {
      close();
      E(adminNode)
        .terminateWithFailure(reason)
        .catch(() => {});
    },
  });

  /**
   * Put payments into the pools. Each is checked by its own issuer; what one refuses stays with the trader.
   *
   * @param {any} give
   * @param {Record<string, any>} payments  or promises for them
   */
  const deposit = async (give, payments) => {
    const keywords = Object.keys(give);
    const outcomes = await Promise.all(
      keywords.map(async keyword => {
        try {
          const payment = await payments[keyword];
          if (payment === undefined) throw Error(`there is no payment for ${keyword}`);
          await E(pools[keyword].purse).deposit(payment, give[keyword]);
          return undefined;
        } catch (error) {
          return error;
        }
      }),
    );
    const failure = outcomes.find(error => error !== undefined);
    const paidIn = keywords.filter((_, i) => outcomes[i] === undefined);
    return { failure, paidIn };
  };

  return harden({
    instance,
    contractAdmin,

    /** @param {any} given  a proposal */
    clean(given) {
      if (isClosed) throw Error(noFurtherOffers);
      return cleanProposal(given, seats.maths);
    },

    /**
     * @param {object} handle  of the invitation
     * @param {ReturnType<typeof cleanProposal>} proposal
     * @param {Record<string, any>} payments
     * @returns {Promise<object>} the user seat
     */
    async offer(handle, proposal, payments) {
      const { give, want } = proposal;
      const extra = Object.keys(payments).find(keyword => !Object.hasOwn(give, keyword));
      if (extra !== undefined) throw Error(`a payment for ${extra} is not part of the proposal`);
      const { failure, paidIn } = await deposit(give, payments);
      // Nothing was taken, so there is nothing to pay out.
      if (failure !== undefined && paidIn.length === 0) throw failure;
      const { maths } = seats;
      const empty = Object.keys({ ...give, ...want }).map(keyword => [
        keyword,
        maths[keyword].empty,
      ]);
      const paid = paidIn.map(keyword => [keyword, give[keyword]]);
      const allocation = harden(Object.fromEntries([...empty, ...paid]));
      const { seatAdmin, makeUserSeat } = seats.add(proposal, allocation);
      if (failure !== undefined || isClosed) {
        seats.exit(seatAdmin);
        const refused = Promise.reject(failure ?? Error(noFurtherOffers));
        refused.catch(() => {});
        return makeUserSeat(refused);
      }
      return makeUserSeat(E(host).addSeat(seatAdmin, { handle, proposal, allocation }));
    },

    getAllocations: () => seats.getAllocations(),
  });
};
harden(makeInstance);
