// The order of keys: that of their UTF-8 bytes, by which stores sort, so that keys in memory and on disk can be walked
// in one order.

/**
 * Order of UTF-8 bytes, which is that of code points. UTF-16 units (compared by `<`) are in the same order, except for
 * surrogates: they stand for characters beyond U+FFFF, which come last.
 *
 * @param {string} left
 * @param {string} right
 * @returns {-1 | 0 | 1}
 */
export const compareTexts = (left, right) => {
  const shared = Math.min(left.length, right.length);
  for (let i = 0; i < shared; i += 1) {
    const a = left.charCodeAt(i);
    const b = right.charCodeAt(i);
    if (a !== b) {
      const aIsSurrogate = a >= 0xd800 && a <= 0xdfff;
      const bIsSurrogate = b >= 0xd800 && b <= 0xdfff;
      if (aIsSurrogate !== bIsSurrogate) return aIsSurrogate ? 1 : -1;
      return a < b ? -1 : 1;
    }
  }
  if (left.length === right.length) return 0;
  return left.length < right.length ? -1 : 1;
};
