import { Far } from '@endo/far';

export const buildRootObject = () => {
  let resolveLocal;

  return Far('bob', {
    genPromise() {
      return new Promise(resolve => {
        resolveLocal = resolve;
      });
    },

    usePromise(array) {
      resolveLocal(array);
    },
  });
};
