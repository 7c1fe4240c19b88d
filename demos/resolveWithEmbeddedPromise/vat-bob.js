import { Far } from '@endo/far';

export const buildRootObject = () => {
  let resolve1;
  let resolve2;

  return Far('bob', {
    first() {
      console.log('bob: first');
      return new Promise(resolve => {
        resolve1 = resolve;
      });
    },

    second(promise) {
      console.log('bob: second');
      const inner = new Promise(resolve => {
        resolve2 = resolve;
      });
      resolve1(harden([inner]));
      promise.then(
        ([_inner]) => console.log('bob: the argument is an array'),
        error => console.log(`bob: the argument failed, ${error.message}`),
      );
      console.log('bob: listening to the argument');
      return inner;
    },

    third() {
      console.log('bob: third');
      resolve2('the inner answer');
      return 'the third answer';
    },
  });
};
