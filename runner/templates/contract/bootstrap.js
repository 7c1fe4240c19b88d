// Alice and Bob trade apples for pears through an escrow that trusts neither.

import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap({ escrow, ledger }) {
      const alice = await E(ledger).open({ apples: 3, pears: 0 });
      const bob = await E(ledger).open({ apples: 0, pears: 5 });

      const trade = await E(escrow).makeTrade(ledger, { apples: 1 }, { pears: 2 });
      const left = E(trade).joinLeft(E(alice).withdraw({ apples: 1 }), alice);
      const right = E(trade).joinRight(E(bob).withdraw({ pears: 2 }), bob);
      await Promise.all([left, right]);

      console.log(`alice: ${JSON.stringify(await E(alice).balance())}`);
      console.log(`bob: ${JSON.stringify(await E(bob).balance())}`);
      return 'traded';
    },
  });
