import { Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bob', {
    first() {
      console.log('bob: first');
      return 'the first answer';
    },

    second(promise) {
      console.log('bob: second');
      promise.then(
        value => console.log(`bob: the argument is "${value}"`),
        error => console.log(`bob: the argument failed, ${error.message}`),
      );
      console.log('bob: listening to the argument');
      return 'the second answer';
    },
  });
