// Eight independent markets: demos/exchange eight times, one round of each at once.

import { E, Far } from '@endo/far';

export const buildRootObject = () => {
  let markets;
  return Far('bootstrap', {
    async bootstrap(vats, devices) {
      const names = Object.keys(vats).filter(name => name.startsWith('market'));
      markets = names.map(name => vats[name]);
      const { vatAdmin } = vats;
      await Promise.all(
        names.map((name, i) => {
          const number = name.slice('market'.length);
          const [escrow, alice, bob] = ['escrow', 'alice', 'bob'].map(each => vats[each + number]);
          return E(markets[i]).bootstrap({ vatAdmin, escrow, alice, bob }, devices);
        }),
      );
    },

    async runBenchmarkRound() {
      await Promise.all(markets.map(market => E(market).runBenchmarkRound()));
    },
  });
};
