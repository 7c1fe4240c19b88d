import { Far } from '@endo/far';

let count = 0;

export const buildRootObject = () =>
  Far('bob', {
    count() {
      count += 1;
      return count;
    },
  });
