// Like demos/exchange, with a different amount in each round.

import { E } from '@endo/far';
import { makeBenchmark } from '../../../demos/contracts/benchmark.js';

const openMarket = async (escrow, installation, { moola, simoleans }) => {
  const keywords = harden({ Asset: moola, Price: simoleans });
  const { publicFacet } = await E(escrow).startInstance(installation, keywords);
  return harden({ exchange: publicFacet });
};

export const buildRootObject = makeBenchmark(openMarket, 'simpleExchange', {
  money: 1_000_000_000n,
  amountIn: round => [BigInt(round + 1)],
});
