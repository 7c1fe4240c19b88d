// An instance: a contract at work, in a vat of its own that the escrow does not trust. The contract says who trades
// what; the escrow's seats say what is possible.

import { E, Far } from '@endo/far';
import { cleanProposal, insistPaymentsFor } from './proposal.js';
import { makeSeats } from './seats.js';

const noFurtherOffers = 'No further offers are accepted';

/**
 * @param {object} powers
 * @param {object} powers.installation
 * @param {object} powers.host  root of the contract's vat
 * @param {object} powers.adminNode  of that vat
 * @param {Record<string, import('./pools.js').Pool>} powers.pools  by keyword
 * @param {(details: object) => object} powers.mintInvitation
 * @param {() => void} powers.onClose  the contract has ended, and everyone has exited
 */
export const makeInstance = ({ installation, host, adminNode, pools, mintInvitation, onClose }) => {
  const instance = Far('instance', {});
  const seats = makeSeats(pools, {
    join: (seatAdmin, { handle, proposal, allocation }) =>
      E(host).addSeat(seatAdmin, { handle, proposal, allocation }),
    leave(seatAdmin) {
      // A contract that has ended needs no telling.
      E(host)
        .seatExited(seatAdmin)
        .catch(() => {});
    },
  });
  let isClosed = false;

  const close = () => {
    if (isClosed) return;
    isClosed = true;
    seats.exitAll();
    onClose();
  };
  // However the contract ends, everyone gets what is theirs.
  E(adminNode).done().then(close, close);

  const shutdown = reason => {
    close();
    // A contract may give any value as reason, and not all values can be one.
    E(adminNode)
      .terminateWithFailure(typeof reason === 'string' ? reason : 'the contract has ended')
      .catch(() => {});
  };

  /** For the contract's vat. */
  const contractAdmin = Far('contract admin', {
    makeInvitation(handle, description) {
      if (isClosed) throw Error(noFurtherOffers);
      return mintInvitation(harden({ description, handle, installation, instance }));
    },
    reallocate: seats.reallocate,
    shutdown,
  });

  return harden({
    instance,
    contractAdmin,
    shutdown,

    /**
     * Look an offer over; nothing has been taken yet.
     *
     * @param {any} given  a proposal
     * @param {any} payments
     * @returns {ReturnType<typeof cleanProposal>}
     */
    checkOffer(given, payments) {
      if (isClosed) throw Error(noFurtherOffers);
      const proposal = cleanProposal(given, seats.maths);
      insistPaymentsFor(payments, proposal.give);
      return proposal;
    },

    /**
     * @param {object} handle  of the invitation
     * @param {ReturnType<typeof cleanProposal>} proposal
     * @param {Record<string, any>} payments
     * @returns {object} the user seat
     */
    offer(handle, proposal, payments) {
      if (isClosed) throw Error(noFurtherOffers);
      return seats.add({ handle, proposal, payments });
    },

    getAllocations: seats.getAllocations,
  });
};
harden(makeInstance);
