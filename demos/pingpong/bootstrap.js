// Introduces alice to bob; after that, each benchmark round asks alice for one ping.

import { E, Far } from '@endo/far';

export const buildRootObject = () => {
  let alice;
  let bob;

  return Far('bootstrap', {
    bootstrap(vats) {
      alice = vats.alice;
      bob = vats.bob;
      E(alice).setNickname('alice');
      E(bob).setNickname('bob');
      E(alice)
        .introduceYourselfTo(bob)
        .then(
          answer => console.log(`bootstrap: alice says "${answer}"`),
          error => console.log(`bootstrap: alice failed, ${error.message}`),
        );
    },

    runBenchmarkRound() {
      E(alice).doPing('hey');
    },
  });
};
