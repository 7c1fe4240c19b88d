// The escrow's own purses, one for each issuer: what traders have put in lies there together; the seats say whose it is.

import { E } from '@endo/far';
import { makeAmountMath } from '../money/amounts.js';

/**
 * @typedef {object} Pool
 * @property {object} issuer
 * @property {object} brand
 * @property {any} math
 * @property {object} purse
 */

export const makePools = () => {
  /** @type {Map<object, Promise<Pool>>} by issuer */
  const pools = new Map();

  /** Brand → its only issuer. */
  const issuers = new Map();

  const makePool = async issuer => {
    const [brand, kind] = await Promise.all([E(issuer).getBrand(), E(issuer).getAmountKind()]);
    // An issuer that borrows another's brand could trade its own paper for the other's money, so the brand is asked;
    // and a brand that says yes to two has one here.
    if ((await E(brand).isMyIssuer(issuer)) !== true)
      throw Error('an issuer is not the one of its brand');
    const math = makeAmountMath(brand, kind);
    const purse = await E(issuer).makeEmptyPurse();
    if ((issuers.get(brand) ?? issuer) !== issuer) throw Error('a brand has another issuer here');
    issuers.set(brand, issuer);
    return harden({ issuer, brand, math, purse });
  };

  return harden({
    /** @param {object} issuer */
    provide(issuer) {
      const known = pools.get(issuer);
      if (known !== undefined) return known;
      const made = makePool(issuer);
      pools.set(issuer, made);
      // An issuer that failed may do better the next time.
      made.catch(() => pools.delete(issuer));
      return made;
    },
  });
};
harden(makePools);
