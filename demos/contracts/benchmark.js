// The part that the swap and exchange demos share: money is made, alice gets three moola, bob three simoleans, and in each
// round alice sells one moola to bob and bob sells it back.

import { E, Far } from '@endo/far';
import { makeIssuerKit } from './money/issuer.js';

/**
 * @param {(escrow: object, installation: object, issuers: Record<string, object>) => Promise<object>} openMarket
 *   what traders need to meet
 * @param {string} bundleName  of the contract
 * @param {object} [trades]
 * @param {bigint} [trades.money]  what each begins with
 * @param {(round: number) => bigint[]} [trades.amountIn]  how much is traded in a round, from 0; empty for one
 */
export const makeBenchmark =
  (openMarket, bundleName, { money = 3n, amountIn = () => [] } = {}) =>
  (_vatPowers, { argv = [] }) => {
    let alice;
    let bob;
    let round = 0;

    const runBenchmarkRound = async () => {
      const value = amountIn(round);
      await E(alice).initiate(bob, ...value);
      await E(bob).initiate(alice, ...value);
      round += 1;
      return `round ${round} complete`;
    };

    return Far('bootstrap', {
      async bootstrap(vats, devices) {
        const vatAdmin = await E(vats.vatAdmin).createVatAdminService(devices.vatAdmin);
        const escrow = await E(vats.escrow).buildEscrow(vatAdmin);
        const installation = await E(escrow).install(E(vatAdmin).getNamedBundleCap(bundleName));
        const moola = makeIssuerKit('moola');
        const simoleans = makeIssuerKit('simoleans');
        const issuers = harden({ moola: moola.issuer, simoleans: simoleans.issuer });
        const market = await openMarket(escrow, installation, issuers);
        const give = (ofMoola, ofSimoleans) =>
          harden({
            moola: moola.mint.mintPayment(moola.math.make(ofMoola)),
            simoleans: simoleans.mint.mintPayment(simoleans.math.make(ofSimoleans)),
          });
        alice = await E(vats.alice).build(escrow, issuers, give(money, 0n), market);
        bob = await E(vats.bob).build(escrow, issuers, give(0n, money), market);
        if (argv.includes('--prime')) await runBenchmarkRound();
      },
      runBenchmarkRound,
    });
  };
harden(makeBenchmark);
