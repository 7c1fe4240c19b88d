// Alice and bob: each has a purse of moola and one of simoleans, sells a moola for a simolean, or buys one. How two
// traders meet is the market's matter: over an exchange that they share, or by a swap that one of them starts.

import { E, Far } from '@endo/far';
import { makeAmountMath } from './money/amounts.js';

export const buildRootObject = (_vatPowers, { name }) => {
  /**
   * @param {object} escrow
   * @param {Record<'moola' | 'simoleans', object>} issuers
   * @param {Record<'moola' | 'simoleans', object>} payments  to start with
   * @param {{ exchange?: object, installation?: object }} market  one of the two
   */
  const build = async (escrow, issuers, payments, { exchange, installation }) => {
    const open = async currency => {
      const issuer = issuers[currency];
      const [brand, kind, purse] = await Promise.all([
        E(issuer).getBrand(),
        E(issuer).getAmountKind(),
        E(issuer).makeEmptyPurse(),
      ]);
      await E(purse).deposit(payments[currency]);
      return { issuer, purse, math: makeAmountMath(brand, kind) };
    };
    const moola = await open('moola');
    const simoleans = await open('simoleans');
    const invitationIssuer = await E(escrow).getInvitationIssuer();

    const report = async when => {
      const [left, right] = await Promise.all([
        E(moola.purse).getCurrentAmount(),
        E(simoleans.purse).getCurrentAmount(),
      ]);
      console.log(`${name} ${when}: ${left.value} moola, ${right.value} simoleans`);
    };

    /** The names of the two sides at the market. */
    const sides = { Asset: moola, Price: simoleans };

    const amountOf = (keyword, value) => ({ [keyword]: sides[keyword].math.make(value) });

    /** Offer so many of `give` for as many of `want`. */
    const offer = async (invitation, give, want, value = 1n) => {
      const amounts = amountOf(give, value);
      const payment = await E(sides[give].purse).withdraw(amounts[give]);
      const proposal = { give: amounts, want: amountOf(want, value), exit: { onDemand: null } };
      try {
        return await E(escrow).offer(invitation, proposal, { [give]: payment });
      } catch (error) {
        // A refused offer takes nothing.
        await E(sides[give].purse).deposit(payment);
        throw error;
      }
    };

    /** Each payout comes by itself. */
    const deposit = payouts =>
      Promise.all(
        Object.entries(payouts).map(async ([keyword, payment]) =>
          E(sides[keyword].purse).deposit(await payment),
        ),
      );

    /** The invitation with which the other trader takes the offer of a seat. */
    const inviteOther = seat =>
      exchange === undefined ? E(seat).getOfferResult() : E(exchange).makeInvitation();

    const startTrade = async () => {
      if (exchange !== undefined) return E(exchange).makeInvitation();
      const issuersOfSides = { Asset: moola.issuer, Price: simoleans.issuer };
      const started = await E(escrow).startInstance(installation, issuersOfSides);
      return started.creatorInvitation;
    };

    return Far(name, {
      /** Sell a moola to the other for a simolean, or as many as are named. */
      async initiate(other, ...value) {
        await report('before the trade');
        const seat = await offer(await startTrade(), 'Asset', 'Price', ...value);
        const payouts = E(seat).getPayouts();
        try {
          await E(other).respond(inviteOther(seat), ...value);
        } catch (error) {
          // Get back what is still in escrow, also where the other trader failed.
          await E(seat).tryExit();
          throw error;
        } finally {
          await deposit(await payouts);
        }
        await report('after the trade');
      },

      /** Buy a moola for a simolean, or as many as are named. */
      async respond(invitationP, ...value) {
        await report('is asked to trade');
        // Claimed, so that whoever sent it cannot use it meanwhile.
        const invitation = await E(invitationIssuer).claim(invitationP);
        const seat = await offer(invitation, 'Price', 'Asset', ...value);
        await deposit(await E(seat).getPayouts());
        await report('has traded');
      },
    });
  };

  return Far(`${name}'s root`, { build });
};
