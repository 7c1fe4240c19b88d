// Short lists that grow. A list that grows from empty reserves room for 17 elements, and most lists of a crank have one
// to four.

/**
 * @template T
 * @param {readonly T[]} list  not used any more, except by what it returns
 * @param {T} last
 * @returns {T[]} the list with one element more: the same one if it is long
 */
export const withLast = (list, last) => {
  switch (list.length) {
    case 0:
      return [last];
    case 1:
      return [list[0], last];
    case 2:
      return [list[0], list[1], last];
    case 3:
      return [list[0], list[1], list[2], last];
    default:
      /** @type {T[]} */ (list).push(last);
      return /** @type {T[]} */ (list);
  }
};
