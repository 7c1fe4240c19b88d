import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('alice', {
    sendPromiseTo(other) {
      console.log('alice: sending a promise');
      let resolveLocal;
      const local = new Promise(resolve => {
        resolveLocal = resolve;
      });
      const response = E(other).thisIsYourPromise(local);
      resolveLocal('the value');
      response.then(
        answer => console.log(`alice: the answer is "${answer}"`),
        error => console.log(`alice: no answer, ${error.message}`),
      );
      console.log('alice: sent it');
      return 'the promise is on its way';
    },
  });
