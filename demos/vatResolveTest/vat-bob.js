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

    async run(target1, target2) {
      console.log('bob: sending one and two');
      E(target1).one(received).then(ignore, ignore);
      E(received).two().then(ignore, ignore);
      console.log('bob: resolving');
      resolveLocal(target2);
      console.log('bob: sending three and four');
      E(target1).three(received).then(ignore, ignore);
      E(received).four().then(ignore, ignore);
      console.log('bob: done');
    },
  });
};
