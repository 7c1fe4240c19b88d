import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    bootstrap({ alice, bob }) {
      console.log('bootstrap: starting');
      E(alice)
        .sendPromiseTo(bob)
        .then(
          answer => console.log(`bootstrap: alice says "${answer}"`),
          error => console.log(`bootstrap: alice failed, ${error.message}`),
        );
      console.log('bootstrap: started');
    },
  });
