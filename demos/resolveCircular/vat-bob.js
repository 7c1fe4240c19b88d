import { Far } from '@endo/far';

export const buildRootObject = () => {
  let resolve1;
  let resolve2;

  return Far('bob', {
    genPromise1() {
      return new Promise(resolve => {
        resolve1 = resolve;
      });
    },

    genPromise2() {
      return new Promise(resolve => {
        resolve2 = resolve;
      });
    },

    usePromises(a, b) {
      resolve1(b);
      resolve2(a);
    },
  });
};
