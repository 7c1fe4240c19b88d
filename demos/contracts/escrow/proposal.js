// A trader's proposal: what it gives, what it wants for it, and how it can get out again. Pure.

import { passStyleOf } from '@endo/far';

/**
 * @typedef {Record<string, { brand: object, value: any }>} Amounts  by keyword
 */

const keywordShape = /^[A-Z][A-Za-z0-9]{0,29}$/;

const exitKinds = ['onDemand', 'waived', 'afterDeadline'];

/**
 * @param {any} value
 * @param {string} subject  for errors
 */
export const insistRecord = (value, subject) => {
  const isRecord =
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype;
  if (!isRecord) throw TypeError(`${subject} must be a record, got ${passStyleOf(harden(value))}`);
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
  // Amounts are hardened.
  return Object.freeze(clean);
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
    give: cleanAmounts('"give"', give, maths),
    want: cleanAmounts('"want"', want, maths),
    exit: checkExit(exit),
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

/** Lists the amounts in some allocations by brand. */
const listByBrand = allocations => {
  const lists = new Map();
  for (const allocation of allocations) {
    for (const amount of Object.values(allocation)) {
      const list = lists.get(amount.brand);
      if (list === undefined) lists.set(amount.brand, [amount]);
      else list.push(amount);
    }
  }
  return lists;
};

/**
 * Whether allocations have together, of each brand, what they had.
 *
 * @param {Amounts[]} before
 * @param {Amounts[]} after
 * @param {Record<string, any>} maths
 */
export const isConserved = (before, after, maths) => {
  const had = listByBrand(before);
  const has = listByBrand(after);
  const mathOf = brand => Object.values(maths).find(math => math.empty.brand === brand);
  return [...new Set([...had.keys(), ...has.keys()])].every(brand =>
    mathOf(brand).isSameSum(had.get(brand) ?? [], has.get(brand) ?? []),
  );
};
harden(isConserved);
