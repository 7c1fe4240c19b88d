// The vat powers that only the kernel of 2020 gave, beside those that the host gives (`testLog`, `transformTildot`).

import { Remotable2020 } from '../marshal/index.js';
import { getInterfaceOf, makeMarshal } from '../shims/marshal-2020.js';

/** The initial value of every meter in that kernel. */
const fullBudget = 1e8;

/**
 * Makes a meter that is never used up: even in the plain runner of 2020, only code that was rewritten by
 * `transformMetering` was charged, and here none is.
 */
const makeGetMeter = () => {
  const getBalance = () => fullBudget;
  const isExhausted = () => undefined;
  const charge = () => {};
  // Rewritten code from elsewhere charges its meter by these names.
  const meter = harden(
    Object.assign((/** @type {unknown} */ value) => value, {
      a: (/** @type {unknown} */ value) => value,
      c: charge,
      e: charge,
      l: charge,
      isExhausted,
    }),
  );
  const refillFacet = {
    isExhausted,
    allocate: charge,
    stack: charge,
    compute: charge,
    combined: charge,
    getAllocateBalance: getBalance,
    getComputeBalance: getBalance,
    getCombinedBalance: getBalance,
  };
  return harden({
    getMeter: () => meter,
    isExhausted,
    refillFacet,
    refill: () => harden({ allocate: 0, compute: 0 }),
    getAllocateBalance: getBalance,
    getComputeBalance: getBalance,
    getCombinedBalance: getBalance,
  });
};

/**
 * @param {boolean} isStatic  whether it is a vat of the config; those could meter code of their own
 * @returns {Record<string, unknown>}
 */
export const makePowers2020 = isStatic => ({
  Remotable: Remotable2020,
  getInterfaceOf,
  makeMarshal,
  ...(isStatic && {
    makeGetMeter,
    transformMetering: (/** @type {string} */ source) => source,
  }),
});

/** Powers that SwingSet gives no vat today. */
const namesOf2020 = [...Object.keys(makePowers2020(true)), 'transformTildot', 'vatParameters'];

/**
 * Hide the powers of 2020 from listings, so that a vat that lists its powers sees those of today's SwingSet.
 *
 * @template {Record<string, unknown>} T
 * @param {T} powers  changed in place
 * @returns {T}
 */
export const unlistPowers2020 = powers => {
  for (const name of namesOf2020)
    if (Object.hasOwn(powers, name)) Object.defineProperty(powers, name, { enumerable: false });
  return powers;
};
