// An account: money goes from it only as far as there is some. With `work`, each transfer is checked for so long.

import { E, Far } from '@endo/far';

export const buildRootObject = (_vatPowers, { balance, work }) => {
  let check = 1;

  const checkLong = () => {
    for (let i = 0; i < work; i += 1) check = (check * 31 + i) % 65_537;
  };

  return Far('account', {
    async transfer(to, amount) {
      checkLong();
      if (amount > balance) return false;
      balance -= amount;
      await E(to).deposit(amount);
      return true;
    },

    deposit(amount) {
      checkLong();
      balance += amount;
    },

    balance: () => balance,
  });
};
