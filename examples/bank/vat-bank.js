// A bank: balances by owner, and accounts as objects, which only their holder can draw from.

import { Far } from '@endo/far';

export const buildRootObject = () => {
  const balances = new Map();

  const balanceOf = owner => {
    const balance = balances.get(owner);
    if (balance === undefined) throw Error(`nobody called ${owner} has an account`);
    return balance;
  };

  const move = (from, to, amount) => {
    if (typeof amount !== 'bigint' || amount <= 0n)
      throw TypeError(`an amount is a bigint above 0, got ${amount}`);
    const left = balanceOf(from) - amount;
    if (left < 0n) throw RangeError(`${from} has ${balanceOf(from)}, less than ${amount}`);
    const received = balanceOf(to) + amount;
    balances.set(from, left);
    balances.set(to, received);
    return left;
  };

  return Far('bank', {
    open(owner, balance) {
      if (balances.has(owner)) throw Error(`${owner} has an account already`);
      balances.set(owner, balance);
    },
    owners: () => [...balances.keys()],
    balance: balanceOf,
    account(owner) {
      balanceOf(owner);
      return Far('account', {
        balance: () => balanceOf(owner),
        pay: (to, amount) => move(owner, to, amount),
      });
    },
  });
};
