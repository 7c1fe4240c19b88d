import { E, Far } from '@endo/far';

export const buildRootObject = () => {
  let bob;
  let link;

  const followLink = () => {
    link.then(
      ([value, next]) => {
        console.log(`bootstrap: link ${value}`);
        link = next;
        E(bob).gen();
      },
      error => console.log(`bootstrap: the chain broke, ${error.message}`),
    );
  };

  return Far('bootstrap', {
    bootstrap(vats) {
      bob = vats.bob;
      link = E(bob).init();
      E(bob).gen();
    },

    runBenchmarkRound() {
      followLink();
    },
  });
};
