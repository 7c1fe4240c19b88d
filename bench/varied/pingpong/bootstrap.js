// Like demos/pingpong, with a different text in each round.

import { E, Far } from '@endo/far';

export const buildRootObject = () => {
  let alice;
  let round = 0;

  return Far('bootstrap', {
    async bootstrap(vats) {
      alice = vats.alice;
      E(alice).setNickname('alice');
      E(vats.bob).setNickname('bob');
      await E(alice).introduceYourselfTo(vats.bob);
    },

    runBenchmarkRound() {
      round += 1;
      E(alice).doPing(`hey ${round}`);
    },
  });
};
