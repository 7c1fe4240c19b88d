// Each trade is an instance of the atomic swap contract of its own.

import { makeBenchmark } from '../contracts/benchmark.js';

const openMarket = async (_escrow, installation) => harden({ installation });

export const buildRootObject = makeBenchmark(openMarket, 'atomicSwap');
