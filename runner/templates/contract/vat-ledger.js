// Accounts and payments. A payment is an object that only this vat can make, and that can be used
// once.

import { Far } from '@endo/far';

export const buildRootObject = () => {
  /** The amount of each payment, until it is deposited. */
  const worth = new WeakMap();

  const makePayment = amounts => {
    const payment = Far('payment', {});
    worth.set(payment, amounts);
    return payment;
  };

  const insistAmounts = amounts => {
    for (const [kind, amount] of Object.entries(amounts)) {
      if (!Number.isSafeInteger(amount) || amount < 0)
        throw Error(`an amount of ${kind} is a whole number that is not negative`);
    }
  };

  return Far('ledger', {
    open(amounts) {
      insistAmounts(amounts);
      const held = new Map(Object.entries(amounts));
      return Far('account', {
        balance: () => harden(Object.fromEntries(held)),

        withdraw(wanted) {
          insistAmounts(wanted);
          for (const [kind, amount] of Object.entries(wanted)) {
            if ((held.get(kind) ?? 0) < amount) throw Error(`there are not ${amount} ${kind}`);
          }
          for (const [kind, amount] of Object.entries(wanted))
            held.set(kind, held.get(kind) - amount);
          return makePayment(harden({ ...wanted }));
        },

        deposit(payment) {
          const amounts = worth.get(payment);
          if (amounts === undefined) throw Error('this is not a live payment of this ledger');
          worth.delete(payment);
          for (const [kind, amount] of Object.entries(amounts))
            held.set(kind, (held.get(kind) ?? 0) + amount);
          return amounts;
        },
      });
    },

    // Exchanges a payment for a new one, which makes the old one worthless for everybody who holds
    // it.
    claim(payment) {
      const amounts = worth.get(payment);
      if (amounts === undefined) throw Error('this is not a live payment of this ledger');
      worth.delete(payment);
      return harden({ payment: makePayment(amounts), amounts });
    },
  });
};
