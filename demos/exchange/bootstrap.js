// All trades go over one instance of the simple exchange contract.

import { E } from '@endo/far';
import { makeBenchmark } from '../contracts/benchmark.js';

const openMarket = async (escrow, installation, { moola, simoleans }) => {
  const keywords = harden({ Asset: moola, Price: simoleans });
  const { publicFacet } = await E(escrow).startInstance(installation, keywords);
  return harden({ exchange: publicFacet });
};

export const buildRootObject = makeBenchmark(openMarket, 'simpleExchange');
