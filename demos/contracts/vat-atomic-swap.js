// One trade between two: the first offers an Asset for a Price, and gets an invitation for whoever takes it. An
// instance serves one trade and is gone.

import { Far } from '@endo/far';
import { hostContract } from './contract-host.js';

const insistShape = (seat, give, want) => {
  const proposal = seat.getProposal();
  const hasShape =
    Object.keys(proposal.give).join() === give && Object.keys(proposal.want).join() === want;
  if (!hasShape) throw TypeError(`the offer must give ${give} and want ${want}`);
  return proposal;
};

const start = ({ maths, makeInvitation, swap, shutdown }) => {
  const takeFirst = first => {
    // Traded, refused or withdrawn: without the first offer there is nothing to do here.
    first.whenExited().then(() => shutdown('swap completed'));
    const asked = insistShape(first, 'Asset', 'Price');

    const takeSecond = async second => {
      try {
        const offered = insistShape(second, 'Price', 'Asset');
        if (!maths.Price.isGTE(offered.give.Price, asked.want.Price))
          throw RangeError('the offer gives less than the price');
        if (!maths.Asset.isGTE(asked.give.Asset, offered.want.Asset))
          throw RangeError('the offer wants more than the asset');
        await swap(first, second);
        return 'The offer has been accepted. Once the contract has been completed, please check your payout';
      } finally {
        first.exit();
      }
    };
    return makeInvitation(takeSecond, 'matchOffer');
  };
  return harden({
    publicFacet: Far('atomic swap', {}),
    creatorInvitation: makeInvitation(takeFirst, 'firstOffer'),
  });
};

export const buildRootObject = hostContract(start);
