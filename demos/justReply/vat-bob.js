import { Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bob', {
    hello() {
      console.log('bob: somebody says hello');
      return 'hello to you';
    },
  });
