// A host program listens to `unhandledRejection`, as many do, and looks at what it gets. Mallory's promises are rejected with
// objects that would run her code then, outside of her cranks: she would count, and a run that is watched would be another one.

import { E, Far } from '@endo/far';

export const buildRootObject = () => {
  let mallory;
  return Far('bootstrap', {
    async bootstrap(vats) {
      ({ mallory } = vats);
      await E(mallory).reject();
      await E(mallory).listenLate();
    },
    runBenchmarkRound: () => E(mallory).count(),
  });
};
