// Makes `sort` and `toSorted` of arrays call the comparator in the same sequence on every engine. Newer engines sort a few
// items in another way than Node 20, so a comparator that counts, sends or contradicts itself would have another result.
// Here a few items are sorted as Node 20 does it: a run at the start, then insertion by binary search. Above that number
// the engines agree; loader/test/stable-sort.test.js holds them to one sequence.

/** @typedef {((left: unknown, right: unknown) => unknown) | undefined} Comparator */

const { apply } = Reflect;
const { sort: engineSort, toSorted: engineToSorted } = Array.prototype;

/** Number of items from which on the engine sorts. Below twice this number an array is one run for Node 20. */
const engineFrom = 32;

/** Whether the engine sorts few items as Node 20 does: two calls show that three items descend. */
const sortsAsNode20 = (() => {
  let calls = 0;
  apply(
    engineSort,
    [3, 2, 1],
    [
      (/** @type {number} */ left, /** @type {number} */ right) => {
        calls += 1;
        return left - right;
      },
    ],
  );
  return calls === 2;
})();

/** @param {Comparator} comparator */
const makeCompare = comparator => {
  if (comparator === undefined) {
    return (/** @type {unknown} */ left, /** @type {unknown} */ right) => {
      // Both are converted in each comparison, as the language has it: a conversion may run code.
      const leftText = `${left}`;
      const rightText = `${right}`;
      if (leftText < rightText) return -1;
      return leftText > rightText ? 1 : 0;
    };
  }
  return (/** @type {unknown} */ left, /** @type {unknown} */ right) =>
    // NaN, which is neither below nor above zero, counts as equal.
    +(/** @type {number} */ (comparator(left, right)));
};

/**
 * Sort in place.
 *
 * @param {unknown[]} items  at least two
 * @param {Comparator} comparator
 */
const sortFew = (items, comparator) => {
  const compare = makeCompare(comparator);
  const count = items.length;
  const descends = compare(items[1], items[0]) < 0;
  let start = 2;
  while (start < count && compare(items[start], items[start - 1]) < 0 === descends) start += 1;
  if (descends) {
    for (let low = 0, high = start - 1; low < high; low += 1, high -= 1) {
      const item = items[low];
      items[low] = items[high];
      items[high] = item;
    }
  }
  for (; start < count; start += 1) {
    const item = items[start];
    let left = 0;
    let right = start;
    while (left < right) {
      const middle = left + ((right - left) >> 1);
      if (compare(item, items[middle]) < 0) right = middle;
      else left = middle + 1;
    }
    for (let i = start; i > left; i -= 1) items[i] = items[i - 1];
    items[left] = item;
  }
};

/**
 * @param {unknown[]} items  without `undefined`
 * @param {Comparator} comparator
 */
const sortItems = (items, comparator) => {
  if (items.length >= engineFrom) apply(engineSort, items, [comparator]);
  else if (items.length > 1) sortFew(items, comparator);
};

/** The length of an array-like object. @param {any} like */
const lengthOf = like => {
  const length = Math.trunc(+like.length);
  return length > 0 ? Math.min(length, Number.MAX_SAFE_INTEGER) : 0;
};

/** Whether the engine refuses the arguments before it reads anything. @param {unknown} array @param {unknown} comparator */
const isRefused = (array, comparator) =>
  array === undefined ||
  array === null ||
  (comparator !== undefined && typeof comparator !== 'function');

const methods = {
  /** @this {any} @param {any} comparator */
  sort(comparator) {
    if (sortsAsNode20 || isRefused(this, comparator)) return apply(engineSort, this, [comparator]);
    const array = Object(this);
    const length = lengthOf(array);
    // The engine looks at no item then, and writes none.
    if (length < 2) return array;
    /** @type {unknown[]} */
    const items = [];
    let present = 0;
    for (let i = 0; i < length; i += 1) {
      if (!(i in array)) continue;
      const item = array[i];
      present += 1;
      if (item !== undefined) items[items.length] = item;
    }
    sortItems(items, comparator);
    const count = items.length;
    for (let i = 0; i < count; i += 1) array[i] = items[i];
    for (let i = count; i < present; i += 1) array[i] = undefined;
    for (let i = present; i < length; i += 1) delete array[i];
    return array;
  },
  /** @this {any} @param {any} comparator */
  toSorted(comparator) {
    if (sortsAsNode20 || isRefused(this, comparator))
      return apply(engineToSorted, this, [comparator]);
    const array = Object(this);
    const length = lengthOf(array);
    // The engine refuses what is too long for an array.
    if (length > 4_294_967_295) return apply(engineToSorted, { length }, [comparator]);
    /** @type {unknown[]} */
    const items = [];
    for (let i = 0; i < length; i += 1) {
      const item = array[i];
      if (item !== undefined) items[items.length] = item;
    }
    sortItems(items, comparator);
    for (let i = items.length; i < length; i += 1) items[i] = undefined;
    return items;
  },
};

/** Replace the methods. To be called before SES is loaded, since SES keeps those it finds. */
export const replaceArrayMethods = () => {
  // Only the value changes: attributes and order stay. All engines get them, so that their text is the same as well.
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(Array.prototype, name, { value });
};
