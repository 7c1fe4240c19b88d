// Works for a while at each ball, and hits it back.

import { E, Far } from '@endo/far';

export const buildRootObject = () => {
  let sum = 1;
  return Far('player', {
    hit(other, self, left, work) {
      for (let i = 0; i < work; i += 1) sum = (sum * 31 + i) % 65_537;
      return left === 0 ? sum : E(other).hit(self, other, left - 1, work);
    },
  });
};
