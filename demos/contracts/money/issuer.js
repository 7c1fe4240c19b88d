// A currency: one ledger that says what each purse and payment holds, and the objects that stand for it. Whoever holds
// a purse or a payment may move what is in it; whoever holds the mint makes more.
//
// Invariant: what purses and payments hold together is what was minted less what was burned. Every change goes
// through `move`, which checks this before it writes, in one turn.

import { E, Far } from '@endo/far';
import { makeAmountMath } from './amounts.js';

/**
 * @param {string} name  for people
 * @param {'nat' | 'set'} [kind]
 * @param {(payment: object, amount: object) => void} [onPayment]  told of each payment that comes to be
 */
export const makeIssuerKit = (name, kind = 'nat', onPayment = () => {}) => {
  const brand = Far(`${name} brand`, {
    getAllegedName: () => name,
    isMyIssuer: alleged => alleged === issuer,
  });
  const math = makeAmountMath(brand, kind);

  /** Purse or payment → what it holds. A payment is used up when it leaves the ledger. */
  const ledger = new WeakMap();
  let supply = math.empty;

  const balanceOf = asset => {
    const amount = ledger.get(asset);
    if (amount === undefined)
      throw Error(`this ${name} payment was used before, or it is not one of this issuer`);
    return amount;
  };

  const sumOf = amounts => amounts.reduce((sum, amount) => math.add(sum, amount), math.empty);

  /**
   * @param {object[]} payments  used up
   * @param {[purse: object, amount: object][]} purses  with what they hold afterwards
   * @param {object[]} amounts  of new payments
   * @returns {object[]} the new payments
   */
  const move = (payments, purses, amounts) => {
    if (new Set(payments).size !== payments.length)
      throw Error(`a ${name} payment is there twice; each counts once`);
    const before = sumOf([
      ...payments.map(balanceOf),
      ...purses.map(([purse]) => balanceOf(purse)),
    ]);
    const after = sumOf([...purses.map(([, amount]) => amount), ...amounts]);
    if (!math.isEqual(before, after)) throw Error(`${name} would be made or lost`);
    for (const payment of payments) ledger.delete(payment);
    for (const [purse, amount] of purses) ledger.set(purse, amount);
    return amounts.map(makePayment);
  };

  const makePayment = amount => {
    const payment = Far(`${name} payment`, { getAllegedBrand: () => brand });
    ledger.set(payment, amount);
    onPayment(payment, amount);
    return payment;
  };

  const insistAmount = (payment, expected) => {
    const amount = balanceOf(payment);
    if (expected !== undefined && !math.isEqual(amount, expected))
      throw Error(`a ${name} payment does not hold what was expected`);
    return amount;
  };

  const makeEmptyPurse = () => {
    const deposit = (payment, expected) => {
      const amount = insistAmount(payment, expected);
      move([payment], [[purse, math.add(balanceOf(purse), amount)]], []);
      return amount;
    };
    const depositFacet = Far(`${name} deposit facet`, { receive: deposit });
    const purse = Far(`${name} purse`, {
      deposit,
      withdraw(wanted) {
        const amount = math.coerce(wanted);
        const [payment] = move([], [[purse, math.subtract(balanceOf(purse), amount)]], [amount]);
        return payment;
      },
      getCurrentAmount: () => balanceOf(purse),
      getDepositFacet: () => depositFacet,
    });
    ledger.set(purse, math.empty);
    return purse;
  };

  /** What takes payments takes promises for them too. */
  const issuer = Far(`${name} issuer`, {
    getBrand: () => brand,
    getAmountKind: () => kind,
    getAllegedName: () => name,
    makeEmptyPurse,
    isLive: paymentP => E.when(paymentP, payment => ledger.has(payment)),
    getAmountOf: paymentP => E.when(paymentP, balanceOf),
    /** The payment is gone, and what it held with it. */
    burn: (paymentP, expected) =>
      E.when(paymentP, payment => {
        const amount = insistAmount(payment, expected);
        ledger.delete(payment);
        supply = math.subtract(supply, amount);
        return amount;
      }),
    /** The same again as a new payment, which nobody else has. */
    claim: (paymentP, expected) =>
      E.when(paymentP, payment => move([payment], [], [insistAmount(payment, expected)])[0]),
    split: (paymentP, amount) =>
      E.when(paymentP, payment =>
        move([payment], [], [math.coerce(amount), math.subtract(balanceOf(payment), amount)]),
      ),
    combine: (paymentPs, expected) =>
      E.when(Promise.all(paymentPs), payments => {
        if (new Set(payments).size !== payments.length)
          throw Error(`a ${name} payment is there twice; each counts once`);
        const total = sumOf(payments.map(balanceOf));
        if (expected !== undefined && !math.isEqual(total, expected))
          throw Error(`the ${name} payments do not hold what was expected`);
        return move(payments, [], [total])[0];
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
