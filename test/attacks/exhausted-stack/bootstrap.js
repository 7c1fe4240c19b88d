// Near the end of the stack each call into the system can fail half way. Mallory goes there and calls what vats share: what is
// left behind must not break an honest vat, nor what she does afterwards.
import { E, Far } from '@endo/far';

let vats;
let round = 0;

export const buildRootObject = () =>
  Far('bootstrap', {
    bootstrap(given) {
      vats = given;
    },
    async runBenchmarkRound() {
      round += 1;
      for (let kind = 0; kind < 4; kind += 1)
        await E(vats.mallory)
          .attack(round * 4 + kind, vats.bob)
          .catch(() => {});
      return E(vats.bob).check([1, 'a', harden({ b: 2n })], round);
    },
  });
