import { E, Far } from '@endo/far';

export const buildRootObject = () => {
  let resolveFirst;
  let carol;

  return Far('bob', {
    first(other) {
      console.log('bob: first');
      const promise = new Promise(resolve => {
        resolveFirst = resolve;
      });
      carol = other;
      return promise;
    },

    second(promise) {
      console.log('bob: second');
      resolveFirst('the first answer');
      console.log('bob: resolved first, telling carol');
      E(carol).foo(promise);
      promise.then(
        value => console.log(`bob: the argument is "${value}"`),
        error => console.log(`bob: the argument failed, ${error.message}`),
      );
      E(carol).bar(promise);
      console.log('bob: told carol twice');
      return 'the second answer';
    },
  });
};
