// A vat of its own: others reach it by messages only. A file named vat-NAME.js is the vat NAME.

import { Far } from '@endo/far';

export const buildRootObject = () => {
  let count = 0;

  return Far('counter', {
    increment(by) {
      if (typeof by !== 'number') throw Error(`increment takes a number, got ${typeof by}`);
      count += by;
      return count;
    },

    read: () => count,
  });
};
