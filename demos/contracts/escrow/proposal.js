// What a trader proposes: what it gives, what it wants for it, and how it can get out again. Pure.

/**
 * @typedef {Record<string, { brand: object, value: any }>} Amounts  by keyword
 */

const keywordShape = /^[A-Z][A-Za-z0-9]{0,29}$/;

const exitKinds = ['onDemand', 'waived', 'afterDeadline'];

const checkExit = exit => {
  const kinds = Object.keys(exit);
  if (kinds.length !== 1 || !exitKinds.includes(kinds[0]))
    throw TypeError(`"exit" has one of ${exitKinds.join(', ')}, got ${kinds.join(', ') || 'none'}`);
  if (kinds[0] === 'afterDeadline') {
    const { timer, deadline } = exit.afterDeadline ?? {};
    if (timer === undefined || deadline === undefined)
      throw TypeError('"exit.afterDeadline" must have a timer and a deadline');
  }
  return harden({ ...exit });
};

/**
 * A proposal that can be relied upon: known fields, keywords of the instance, amounts of the right brands.
 *
 * @param {any} given
 * @param {Record<string, any>} maths  arithmetic of each keyword of the instance
 * @returns {{ give: Amounts, want: Amounts, exit: object }}
 * @throws {TypeError}
 */
export const cleanProposal = (given, maths) => {
  const { give = {}, want = {}, exit = { onDemand: null }, ...others } = given ?? {};
  const unknown = Object.keys(others);
  if (unknown.length > 0)
    throw TypeError(`a proposal has "give", "want" and "exit", got also ${unknown.join(', ')}`);
  const clean = (side, amounts) => {
    const result = {};
    for (const keyword of Object.keys(amounts).sort()) {
      if (!keywordShape.test(keyword) || !Object.hasOwn(maths, keyword)) {
        const known = Object.keys(maths).join(', ');
        throw TypeError(`"${side}" names ${keyword}; the keywords are ${known}`);
      }
      result[keyword] = maths[keyword].coerce(amounts[keyword]);
    }
    return result;
  };
  const cleanGive = clean('give', give);
  const cleanWant = clean('want', want);
  const both = Object.keys(cleanGive).find(keyword => Object.hasOwn(cleanWant, keyword));
  if (both !== undefined) throw TypeError(`${both} is both given and wanted`);
  return harden({ give: cleanGive, want: cleanWant, exit: checkExit(exit) });
};
harden(cleanProposal);

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
