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

  const makePool = async issuer => {
    const [brand, kind] = await Promise.all([E(issuer).getBrand(), E(issuer).getAmountKind()]);
    // An issuer that borrows another's brand could trade its own paper for the other's money.
    if (!(await E(brand).isMyIssuer(issuer))) throw Error('an issuer is not the one of its brand');
    const purse = await E(issuer).makeEmptyPurse();
    return harden({ issuer, brand, math: makeAmountMath(brand, kind), purse });
  };

  return harden({
    /** @param {object} issuer */
    provide(issuer) {
      const known = pools.get(issuer) ?? makePool(issuer);
      pools.set(issuer, known);
      // An issuer that failed may do better the next time.
      known.catch(() => pools.delete(issuer));
      return known;
    },
  });
};
harden(makePools);
