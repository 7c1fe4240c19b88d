// The attack `watched` on values that leave a vat in an answer or a message: errors that methods throw, results that cannot
// be passed, arguments. Somebody who watches them must not be felt.
import { E, Far } from '@endo/far';

let mallory;

export const buildRootObject = () =>
  Far('bootstrap', {
    bootstrap(vats) {
      ({ mallory } = vats);
    },
    async runBenchmarkRound() {
      const kinds = await E(mallory).count();
      for (let kind = 0; kind < kinds; kind += 1) {
        await E(mallory)
          .throws(kind)
          .catch(() => {});
        await E(mallory)
          .returns(kind)
          .catch(() => {});
        await E(mallory)
          .sends(kind)
          .catch(() => {});
      }
      return E(mallory).seen();
    },
  });
