import { Far } from '@endo/far';

let count = 0;

export const buildRootObject = () =>
  Far('honest', {
    work() {
      count += 1;
      return count;
    },
  });
