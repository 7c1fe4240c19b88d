import { Far } from '@endo/far';

let count = 0;

export const buildRootObject = () =>
  Far('honest', {
    take(data) {
      count += 1;
      return data;
    },
    count: () => count,
  });
