// The vat that receives the messages.

import { E, Far } from '@endo/far';

export const buildRootObject = () => {
  let left;

  return Far('right', {
    meet(vat) {
      left = vat;
    },

    hop(rest) {
      if (rest > 0) E.sendOnly(left).hop(rest - 1);
    },

    answer() {},
  });
};
