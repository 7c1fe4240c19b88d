// Holds both sides of a trade until both are complete, then swaps them. Neither side can get the other's goods without
// giving its own.

import { E, Far } from '@endo/far';

const isEqual = (left, right) =>
  Object.keys(left).length === Object.keys(right).length &&
  Object.entries(left).every(([kind, amount]) => right[kind] === amount);

export const buildRootObject = () =>
  Far('escrow', {
    makeTrade(ledger, leftGives, rightGives) {
      const sides = { left: undefined, right: undefined };
      let settle;
      const done = new Promise(resolve => {
        settle = resolve;
      });

      const join = async (name, promisedAmounts, payment, account) => {
        if (sides[name] !== undefined) throw Error(`the ${name} side has joined already`);
        // Reserved before the first await, so that nobody can join twice.
        sides[name] = 'joining';
        let claimed;
        try {
          // Claimed first: the side that brings a payment still holds it, and could spend it
          // meanwhile.
          claimed = await E(ledger).claim(await payment);
          if (!isEqual(claimed.amounts, promisedAmounts))
            throw Error(`the ${name} side promised something else`);
          sides[name] = { payment: claimed.payment, account };
        } catch (error) {
          sides[name] = undefined;
          if (claimed !== undefined) E(account).deposit(claimed.payment);
          throw error;
        }
        const { left, right } = sides;
        if (typeof left === 'object' && typeof right === 'object') {
          settle(
            Promise.all([
              E(left.account).deposit(right.payment),
              E(right.account).deposit(left.payment),
            ]).then(() => 'done'),
          );
        }
        return done;
      };

      return Far('trade', {
        joinLeft: (payment, account) => join('left', leftGives, payment, account),
        joinRight: (payment, account) => join('right', rightGives, payment, account),
      });
    },
  });
