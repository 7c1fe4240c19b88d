import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    bootstrap({ bob }) {
      let resolveLocal;
      const local = new Promise(resolve => {
        resolveLocal = resolve;
      });
      const response = E(bob).thisIsYourPromise([local]);
      resolveLocal('the value');
      response.then(
        answer => console.log(`bootstrap: bob says "${answer}"`),
        error => console.log(`bootstrap: bob failed, ${error.message}`),
      );
      return 'started';
    },
  });
