import { Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bob', {
    thisIsYourPromise(promises) {
      console.log('bob: got a promise in an array');
      promises[0].then(
        value => console.log(`bob: the promise was kept with "${value}"`),
        error => console.log(`bob: the promise was broken, ${error.message}`),
      );
      console.log('bob: listening to it');
      return 'thanks for the promise';
    },
  });
