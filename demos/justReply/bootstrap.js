import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    bootstrap(vats) {
      E(vats.alice)
        .sayHelloTo(vats.bob)
        .then(
          answer => console.log(`bootstrap: alice says "${answer}"`),
          error => console.log(`bootstrap: alice failed, ${error.message}`),
        );
    },
  });
