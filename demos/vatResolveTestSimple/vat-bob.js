import { E, Far } from '@endo/far';

export const buildRootObject = () => {
  let resolveLocal;
  const local = new Promise(resolve => {
    resolveLocal = resolve;
  });
  let received; // what bob gets back from bootstrap for `local`

  const ignore = () => {};

  return Far('bob', {
    result() {
      return local;
    },

    promise(promise) {
      received = promise;
      received.then(
        () => console.log('bob: the promise was kept'),
        error => console.log(`bob: the promise was broken, ${error.message}`),
      );
    },

    async run(target) {
      console.log('bob: sending one');
      E(received).one().then(ignore, ignore);
      console.log('bob: resolving');
      resolveLocal(target);
      console.log('bob: sending two');
      E(received).two().then(ignore, ignore);
      console.log('bob: done');
    },
  });
};
