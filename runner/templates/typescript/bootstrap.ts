// The first vat: it gets references to all others, and runs the start and each round of a
// benchmark.

import { E, Far } from '@endo/far';
import type { Counter } from './vat-counter.ts';

interface Vats {
  counter: Counter;
}

export const buildRootObject = () => {
  let counter: Counter;

  return Far('bootstrap', {
    async bootstrap(vats: Vats) {
      counter = vats.counter;
      // E knows the methods of Counter: tsc reports another name, or a string as the argument.
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
