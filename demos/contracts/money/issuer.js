// A currency: one ledger that says what each purse and payment holds, and the objects that stand for it. Whoever holds
// a purse or a payment may move what is in it; whoever holds the mint makes more.
//
// Invariant: what purses and payments hold together is what was minted less what was burned. Assets only change hands
// in `move`, which checks this before it writes, in one turn.

import { E, Far } from '@endo/far';
import { makeAmountMath } from './amounts.js';

/**
 * @param {string} name  for people
 * @param {'nat' | 'set'} [kind]
 * @param {(asset: object, amount: object | undefined) => void} [onChange]  for audits: told what a purse or a payment
 *   holds now, or that a payment is no more
 */
export const makeIssuerKit = (name, kind = 'nat', onChange = () => {}) => {
  const brand = Far(`${name} brand`, {
    getAllegedName: () => name,
    isMyIssuer: alleged => alleged === issuer,
  });
  const math = makeAmountMath(brand, kind);

  /** Payment → what it holds. It is used up when it leaves here. */
  const payments = new WeakMap();

  /** Purse → what it holds. Apart from payments: a purse that could be paid into itself would double. */
  const purses = new WeakMap();

  let supply = math.empty;

  const amountOf = payment => {
    const amount = payments.get(payment);
    if (amount === undefined)
      throw Error(`this ${name} payment was used before, or it is not one of this issuer`);
    return amount;
  };

  const setPurse = (purse, amount) => {
    purses.set(purse, amount);
    onChange(purse, amount);
  };

  const useUp = payment => {
    payments.delete(payment);
    onChange(payment, undefined);
  };

  const paymentName = `${name} payment`;
  const getAllegedBrand = () => brand;

  const makePayment = amount => {
    const payment = Far(paymentName, { getAllegedBrand });
    payments.set(payment, amount);
    onChange(payment, amount);
    return payment;
  };

  /**
   * @param {object[]} used  payments, used up
   * @param {object[]} amounts  of new payments
   * @param {object} [purse]  what it holds changes
   * @param {object} [balance]  what it holds afterwards
   * @returns {object[]} the new payments
   */
  const move = (used, amounts, purse, balance) => {
    if (used.length > 1 && new Set(used).size !== used.length)
      throw Error(`a ${name} payment is there twice; each counts once`);
    const before = used.map(amountOf);
    const after = [...amounts];
    if (purse !== undefined) {
      before.push(purses.get(purse));
      after.push(balance);
    }
    if (!math.isSameSum(before, after)) throw Error(`${name} would be made or lost`);
    used.forEach(useUp);
    if (purse !== undefined) setPurse(purse, balance);
    return amounts.map(makePayment);
  };

  const insistAmount = (payment, expected) => {
    const amount = amountOf(payment);
    if (expected !== undefined && !math.isEqual(amount, expected))
      throw Error(`a ${name} payment does not hold what was expected`);
    return amount;
  };

  const makeEmptyPurse = () => {
    const deposit = (payment, expected) => {
      const amount = insistAmount(payment, expected);
      move([payment], [], purse, math.add(purses.get(purse), amount));
      return amount;
    };
    const depositFacet = Far(`${name} deposit facet`, { receive: deposit });
    const purse = Far(`${name} purse`, {
      deposit,
      withdraw(wanted) {
        const amount = math.coerce(wanted);
        const rest = math.subtract(purses.get(purse), amount);
        return move([], [amount], purse, rest)[0];
      },
      getCurrentAmount: () => purses.get(purse),
      getDepositFacet: () => depositFacet,
    });
    setPurse(purse, math.empty);
    return purse;
  };

  /** Every method that takes payments takes promises for them too. */
  const issuer = Far(`${name} issuer`, {
    getBrand: () => brand,
    getAmountKind: () => kind,
    getAllegedName: () => name,
    makeEmptyPurse,
    isLive: paymentP => E.when(paymentP, payment => payments.has(payment)),
    getAmountOf: paymentP => E.when(paymentP, amountOf),
    /** The payment is gone, and what it held with it. */
    burn: (paymentP, expected) =>
      E.when(paymentP, payment => {
        const amount = insistAmount(payment, expected);
        supply = math.subtract(supply, amount);
        useUp(payment);
        return amount;
      }),
    /** Moves a payment's amount to a new payment, which nobody else has. */
    claim: (paymentP, expected) =>
      E.when(paymentP, payment => move([payment], [insistAmount(payment, expected)])[0]),
    split: (paymentP, amount) =>
      E.when(paymentP, payment =>
        move([payment], [math.coerce(amount), math.subtract(amountOf(payment), amount)]),
      ),
    combine: (paymentPs, expected) =>
      E.when(Promise.all(paymentPs), used => {
        const total = math.sum(used.map(amountOf));
        if (expected !== undefined && !math.isEqual(total, expected))
          throw Error(`the ${name} payments do not hold what was expected`);
        return move(used, [total])[0];
      }),
  });

  const mint = Far(`${name} mint`, {
    getIssuer: () => issuer,
    mintPayment(wanted) {
      const amount = math.coerce(wanted);
      supply = math.add(supply, amount);
      return makePayment(amount);
    },
    /** Minted less burned. */
    getSupply: () => supply,
  });

  return harden({ mint, issuer, brand, math });
};
harden(makeIssuerKit);
