import { Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bob', {
    thisIsYourPromise(promise) {
      console.log('bob: got a promise');
      promise.then(
        value => console.log(`bob: the promise was kept with "${value}"`),
        error => console.log(`bob: the promise was broken, ${error.message}`),
      );
      console.log('bob: listening to it');
      return 'thanks for the promise';
    },
  });
