// The first vat: it gets references to all others, and runs the start and each round of a
// benchmark.

import { E, Far } from '@endo/far';

export const buildRootObject = () => {
  let counter;

  return Far('bootstrap', {
    async bootstrap(vats) {
      counter = vats.counter;
      const count = await E(counter).increment(1);
      console.log(`the counter is at ${count}`);
      return count;
    },

    // `npm start -- --benchmark 100` calls this a hundred times, and measures each.
    runBenchmarkRound() {
      return E(counter).increment(1);
    },
  });
};
