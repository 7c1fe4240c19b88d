// Writes numbers as decimal digits straight into bytes: the stats recorder's hot path, where a
// string for each number would be slow. The result equals that of String(). Bytes are set through a
// DataView, which stays fast in a locked-down realm (packages/model/bytes.js).

/** The longest number in bytes: a minus, 17 digits, a point and an exponent like e-308. */
export const longestNumber = 25;

/** The largest number whose quotients can be truncated with 32-bit operations. */
const small = 0x7fffffff;

const zero = 48;

/** @param {number} value  a safe integer from 0 */
const digitsOf = value => {
  let digits = 1;
  for (let limit = 10; value >= limit; limit *= 10) digits += 1;
  return digits;
};

/** @param {number} value  a safe integer from 0 */
const tenth = value => (value <= small ? (value / 10) | 0 : Math.floor(value / 10));

/** @param {unknown} value @returns {value is number} */
const isCount = value =>
  typeof value === 'number' &&
  value >= 0 &&
  (value <= small ? (value | 0) === value : Number.isSafeInteger(value));

/** The number of characters of a number. @param {number} value  NaN for an empty cell */
export const lengthOfNumber = value => {
  if (Number.isNaN(value)) return 0;
  return isCount(value) ? digitsOf(value) : String(value).length;
};

/**
 * Write a number and return the position after it. There must be room for `longestNumber` bytes.
 *
 * @param {DataView} view
 * @param {number} at
 * @param {number} value  finite
 */
export const writeNumber = (view, at, value) => {
  if (!isCount(value)) {
    const text = String(value);
    for (let i = 0; i < text.length; i += 1) view.setUint8(at + i, text.charCodeAt(i));
    return at + text.length;
  }
  const end = at + digitsOf(value);
  let rest = value;
  for (let place = end - 1; place >= at; place -= 1) {
    const next = tenth(rest);
    view.setUint8(place, rest - next * 10 + zero);
    rest = next;
  }
  return end;
};

/**
 * Turn the text of one number into that of another, in place: only the digits that differ are written.
 *
 * @param {DataView} view
 * @param {number} end  of the text
 * @param {unknown} before  the number at that position
 * @param {unknown} value
 * @returns {boolean} false if the two differ in their number of digits, or are not whole numbers
 *   from 0; the text is then invalid
 */
export const replaceNumber = (view, end, before, value) => {
  if (!isCount(before) || !isCount(value)) return false;
  // Most counters rise by a little, which changes only their last digit.
  const more = value - before;
  if (more > 0 && more < 10) {
    const last = view.getUint8(end - 1) + more;
    if (last <= zero + 9) {
      view.setUint8(end - 1, last);
      return true;
    }
  }
  let place = end;
  let old = before;
  let rest = value;
  while (rest !== old) {
    // One of the two numbers is exhausted, unless it is the single digit of a 0.
    if (place < end && (rest === 0 || old === 0)) return false;
    const next = tenth(rest);
    place -= 1;
    view.setUint8(place, rest - next * 10 + zero);
    rest = next;
    old = tenth(old);
  }
  return true;
};
