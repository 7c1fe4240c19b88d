import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    bootstrap({ bob }) {
      let resolveLocal;
      const local = new Promise(resolve => {
        resolveLocal = resolve;
      });
      E(bob)
        .thisIsYourPromise(local)
        .then(
          answer => {
            console.log(`bootstrap: bob says "${answer}"`);
            console.log('bootstrap: now the promise can be kept');
            resolveLocal('the value');
          },
          error => console.log(`bootstrap: bob failed, ${error.message}`),
        );
      return 'started';
    },
  });
