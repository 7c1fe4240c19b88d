// A market: offers to sell an Asset for a Price and to buy it rest in two lists until one comes that fits. Amounts of
// the Asset must be equal, there are no partial trades; the Price is a limit. First come, first served.

import { Far } from '@endo/far';
import { hostContract } from './contract-host.js';
import { makePromiseKit } from './escrow/promise-kit.js';

/**
 * Tells whoever asks of the latest state, and of the next one when it comes. A state that nobody asks for is not made.
 *
 * @param {() => any} getState
 */
const makeNotifier = getState => {
  let updateCount = 1;
  let next;
  const tell = () => harden({ value: getState(), updateCount });
  return {
    update() {
      updateCount += 1;
      next?.resolve(tell());
      next = undefined;
    },
    notifier: Far('notifier', {
      getUpdateSince(count = 0) {
        if (count < updateCount) return tell();
        next ??= makePromiseKit();
        return next.promise;
      },
    }),
  };
};

const start = ({ maths, makeInvitation, swap }) => {
  const sells = [];
  const buys = [];

  const show = book =>
    book.map(seat => seat.getProposal()).map(({ give, want }) => ({ give, want }));
  const { update, notifier } = makeNotifier(() => ({ sells: show(sells), buys: show(buys) }));

  const fits = (sell, buy) => {
    const seller = sell.getProposal();
    const buyer = buy.getProposal();
    return (
      maths.Asset.isEqual(seller.give.Asset, buyer.want.Asset) &&
      maths.Price.isGTE(buyer.give.Price, seller.want.Price)
    );
  };

  const rest = (seat, book) => {
    book.push(seat);
    update();
    seat.whenExited().then(() => {
      const at = book.indexOf(seat);
      // A trade takes it out before.
      if (at < 0) return;
      book.splice(at, 1);
      update();
    });
    return 'Order Added';
  };

  const trade = async (seat, own, others, fit) => {
    const at = others.findIndex(fit);
    if (at < 0) return rest(seat, own);
    // Taken out before anything is waited for: nobody else can trade with it meanwhile.
    const [other] = others.splice(at, 1);
    update();
    await swap(other, seat);
    return 'The offer has been accepted. Once the contract has been completed, please check your payout';
  };

  const handle = seat => {
    const { give, want } = seat.getProposal();
    const shape = `${Object.keys(give).join()} for ${Object.keys(want).join()}`;
    if (shape === 'Asset for Price') return trade(seat, sells, buys, buy => fits(seat, buy));
    if (shape === 'Price for Asset') return trade(seat, buys, sells, sell => fits(sell, seat));
    throw TypeError(`an offer gives Asset and wants Price, or the other way round, not ${shape}`);
  };

  return harden({
    publicFacet: Far('exchange', {
      makeInvitation: () => makeInvitation(handle, 'exchange'),
      getNotifier: () => notifier,
    }),
  });
};

export const buildRootObject = hostContract(start);
