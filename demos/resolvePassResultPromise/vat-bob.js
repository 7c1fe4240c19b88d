import { Far } from '@endo/far';

export const buildRootObject = () => {
  let resolveFirst;

  return Far('bob', {
    first() {
      console.log('bob: first');
      return new Promise(resolve => {
        resolveFirst = resolve;
      });
    },

    second(promise) {
      console.log('bob: second');
      resolveFirst('the first answer');
      promise.then(
        value => console.log(`bob: the argument is "${value}"`),
        error => console.log(`bob: the argument failed, ${error.message}`),
      );
      console.log('bob: listening to the argument');
      return 'the second answer';
    },
  });
};
