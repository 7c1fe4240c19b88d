import { Far } from '@endo/far';

let balance = 100;

const purse = {
  spend() {
    const taken = balance;
    balance = 0;
    return taken;
  },
};

export const buildRootObject = () =>
  Far('bob', {
    fail() {
      try {
        null.x;
      } catch (error) {
        error.purse = purse;
        throw error;
      }
    },
    count: () => balance,
  });
