// Writes numbers as decimal digits straight into bytes: the stats recorder's hot path, where a string for each number would
// be slow. What is written is what String() gives. Bytes are set through a DataView, which stays quick in a realm that is
// locked down (packages/model/bytes.js).

/** No number takes more bytes than this: a minus, 17 digits, a point and an exponent like e-308. */
export const longestNumber = 25;

/** Up to here quotients are truncated with 32-bit operations. */
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

/** How many characters it has. @param {number} value  NaN for an empty cell */
export const lengthOfNumber = value => {
  if (Number.isNaN(value)) return 0;
  return isCount(value) ? digitsOf(value) : String(value).length;
};

/**
 * Write a number and say where the next byte goes. There must be room for `longestNumber` bytes.
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
 * @param {unknown} before  what stands there
 * @param {unknown} value
 * @returns {boolean} false if the two have not the same number of digits, or are no whole numbers from 0; the text is
 *   spoilt then
 */
export const replaceNumber = (view, end, before, value) => {
  if (!isCount(before) || !isCount(value)) return false;
  // Most counters grow by a little, which is seen in their last digit alone.
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
    // One of the two has no digit left, unless it is the only digit of a 0.
    if (place < end && (rest === 0 || old === 0)) return false;
    const next = tenth(rest);
    place -= 1;
    view.setUint8(place, rest - next * 10 + zero);
    rest = next;
    old = tenth(old);
  }
  return true;
};
