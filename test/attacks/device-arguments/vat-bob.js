import { Far } from '@endo/far';

export const buildRootObject = ({ D }) =>
  Far('bob', {
    hello(device) {
      D(device).keep('\u20ac'.repeat(300), 'hello');
      return D(device).recall('\u20ac'.repeat(300));
    },
  });
