// What a trader proposes: what it gives, what it wants for it, and how it can get out again. Pure.

import { passStyleOf } from '@endo/far';

/**
 * @typedef {Record<string, { brand: object, value: any }>} Amounts  by keyword
 */

const keywordShape = /^[A-Z][A-Za-z0-9]{0,29}$/;

const exitKinds = ['onDemand', 'waived', 'afterDeadline'];

/**
 * @param {any} value  hardened
 * @param {string} subject  for errors
 */
export const insistRecord = (value, subject) => {
  const isRecord =
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype;
  if (!isRecord) throw TypeError(`${subject} must be a record, got ${passStyleOf(value)}`);
  return value;
};
harden(insistRecord);

/** @param {Record<string, any>} keywords  with anything under them */
export const insistKeywords = keywords => {
  for (const keyword of Object.keys(keywords)) {
    if (!keywordShape.test(keyword))
      throw TypeError(
        `a keyword is a capital letter and up to 29 letters and digits, not "${keyword}"`,
      );
  }
};
harden(insistKeywords);

const insistKnown = (keyword, known, subject) => {
  if (!Object.hasOwn(known, keyword))
    throw TypeError(`${subject} names ${keyword}; the keywords are ${Object.keys(known).join()}`);
};

const checkExit = exit => {
  const kinds = Object.keys(insistRecord(exit, '"exit"'));
  if (kinds.length !== 1 || !exitKinds.includes(kinds[0]))
    throw TypeError(`"exit" has one of ${exitKinds.join()}, got ${kinds.join() || 'none'}`);
  if (kinds[0] !== 'afterDeadline') return { [kinds[0]]: null };
  const { timer, deadline } = insistRecord(exit.afterDeadline, '"exit.afterDeadline"');
  if (timer === undefined || deadline === undefined)
    throw TypeError('"exit.afterDeadline" must have a timer and a deadline');
  return { afterDeadline: { timer, deadline } };
};

/**
 * Amounts of the right brands under the keywords of an instance, in the order of their names.
 *
 * @param {string} subject  for errors
 * @param {any} given
 * @param {Record<string, any>} maths  arithmetic of each keyword of the instance
 * @returns {Amounts}
 * @throws {TypeError | RangeError}
 */
export const cleanAmounts = (subject, given, maths) => {
  insistRecord(given, subject);
  const clean = {};
  for (const keyword of Object.keys(given).sort()) {
    insistKnown(keyword, maths, subject);
    clean[keyword] = maths[keyword].coerce(given[keyword]);
  }
  return harden(clean);
};
harden(cleanAmounts);

/**
 * A proposal that can be relied upon: known fields, keywords of the instance, amounts of the right brands.
 *
 * @param {any} given
 * @param {Record<string, any>} maths  arithmetic of each keyword of the instance
 * @returns {{ give: Amounts, want: Amounts, exit: any }}
 * @throws {TypeError | RangeError}
 */
export const cleanProposal = (given, maths) => {
  const {
    give = {},
    want = {},
    exit = { onDemand: null },
    ...others
  } = insistRecord(given, 'a proposal');
  const unknown = Object.keys(others);
  if (unknown.length > 0)
    throw TypeError(`a proposal has "give", "want" and "exit", got also ${unknown.join()}`);
  const clean = {
    give: cleanAmounts('"give"', harden(give), maths),
    want: cleanAmounts('"want"', harden(want), maths),
    exit: checkExit(harden(exit)),
  };
  const both = Object.keys(clean.give).find(keyword => Object.hasOwn(clean.want, keyword));
  if (both !== undefined) throw TypeError(`${both} is both given and wanted`);
  return harden(clean);
};
harden(cleanProposal);

/**
 * A payment, or a promise for one, for all that is given, and for nothing else.
 *
 * @param {any} payments
 * @param {Amounts} give
 */
export const insistPaymentsFor = (payments, give) => {
  insistRecord(payments, 'the payments');
  for (const keyword of Object.keys(give)) {
    if (payments[keyword] === undefined) throw TypeError(`there is no payment for ${keyword}`);
  }
  for (const keyword of Object.keys(payments)) {
    if (!Object.hasOwn(give, keyword))
      throw TypeError(`there is a payment for ${keyword}, which the proposal does not give`);
  }
};
harden(insistPaymentsFor);

/**
 * Offer safety: whoever leaves with this allocation has what it gave, or what it wanted.
 *
 * @param {{ give: Amounts, want: Amounts }} proposal
 * @param {Amounts} allocation
 * @param {Record<string, any>} maths
 */
export const isOfferSafe = ({ give, want }, allocation, maths) => {
  const has = amounts =>
    Object.entries(amounts).every(([keyword, amount]) =>
      maths[keyword].isGTE(allocation[keyword] ?? maths[keyword].empty, amount),
    );
  return has(give) || has(want);
};
harden(isOfferSafe);

/**
 * The sum of allocations, by brand: what must not change when they do.
 *
 * @param {Amounts[]} allocations
 * @param {Record<string, any>} maths
 * @returns {Map<object, { math: any, amount: object }>}
 */
export const sumByBrand = (allocations, maths) => {
  const sums = new Map();
  for (const allocation of allocations) {
    for (const [keyword, amount] of Object.entries(allocation)) {
      const math = maths[keyword];
      const known = sums.get(amount.brand)?.amount ?? math.empty;
      sums.set(amount.brand, { math, amount: math.add(known, amount) });
    }
  }
  return sums;
};
harden(sumByBrand);

/**
 * @param {Amounts[]} before
 * @param {Amounts[]} after
 * @param {Record<string, any>} maths
 */
export const isConserved = (before, after, maths) => {
  const had = sumByBrand(before, maths);
  const has = sumByBrand(after, maths);
  const brands = new Set([...had.keys(), ...has.keys()]);
  return [...brands].every(brand => {
    const { math } = had.get(brand) ?? has.get(brand);
    const left = had.get(brand)?.amount ?? math.empty;
    const right = has.get(brand)?.amount ?? math.empty;
    return math.isEqual(left, right);
  });
};
harden(isConserved);
