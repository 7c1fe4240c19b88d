import { Far } from '@endo/far';

export const buildRootObject = () => {
  let resolve2;

  return Far('bob', {
    genPromise1() {
      return 'settled at once';
    },

    genPromise2() {
      return new Promise(resolve => {
        resolve2 = resolve;
      });
    },

    usePromise(array) {
      resolve2(array);
    },
  });
};
