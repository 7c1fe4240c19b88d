// Mallory sends bodies that are nested about as deep as the stack allows. Whether an honest vat can read one depends on the
// compiler's tier, on the flags of Node and on what was run before: a resumed run differs from one that was not stopped.
import { E, Far } from '@endo/far';

let vats;

export const buildRootObject = () =>
  Far('bootstrap', {
    bootstrap(given) {
      vats = given;
    },
    async runBenchmarkRound() {
      E(vats.mallory).attack(vats.honest);
      await E(vats.mallory).attack(vats.honest);
      return E(vats.honest).count();
    },
  });
