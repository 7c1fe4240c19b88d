// Numbers written as decimal digits straight into bytes: the hot path of the stats recorder, where the usual way
// through a string a number costs several times as much. What is written is what String() gives.

const tens = Uint8Array.from({ length: 100 }, (_, i) => 48 + Math.floor(i / 10));
const ones = Uint8Array.from({ length: 100 }, (_, i) => 48 + (i % 10));

/** No number takes more bytes than this: a minus, 17 digits, a point and an exponent like e-308. */
export const longestNumber = 25;

/** Digits that a 32-bit half of a large number takes. */
const billion = 1_000_000_000;

/** @param {number} value  0 to 2^31-1 */
const digitsOf = value => {
  if (value < 10) return 1;
  if (value < 100) return 2;
  if (value < 1_000) return 3;
  if (value < 10_000) return 4;
  if (value < 100_000) return 5;
  if (value < 1_000_000) return 6;
  if (value < 10_000_000) return 7;
  if (value < 100_000_000) return 8;
  return value < billion ? 9 : 10;
};

/**
 * @param {Uint8Array} bytes
 * @param {number} end  where the digits stop; as many as are asked for are written before it
 * @param {number} value  0 to 2^31-1
 * @param {number} digits
 */
const writeDigits = (bytes, end, value, digits) => {
  let rest = value;
  let at = end;
  let left = digits;
  while (left >= 2) {
    const next = (rest / 100) | 0;
    const pair = rest - next * 100;
    at -= 2;
    bytes[at] = tens[pair];
    bytes[at + 1] = ones[pair];
    rest = next;
    left -= 2;
  }
  if (left === 1) bytes[at - 1] = 48 + rest;
  return end;
};

/**
 * Write a number and say where the next byte goes. There must be room for `longestNumber` bytes.
 *
 * @param {Uint8Array} bytes
 * @param {number} at
 * @param {number} value  finite
 */
export const writeNumber = (bytes, at, value) => {
  if (value >= 0 && value <= 0x7fffffff && (value | 0) === value) {
    if (value < 10) {
      bytes[at] = 48 + value;
      return at + 1;
    }
    const digits = digitsOf(value);
    return writeDigits(bytes, at + digits, value, digits);
  }
  if (value > 0 && Number.isSafeInteger(value)) {
    const high = Math.floor(value / billion);
    const digits = digitsOf(high);
    const middle = writeDigits(bytes, at + digits, high, digits);
    return writeDigits(bytes, middle + 9, value - high * billion, 9);
  }
  const text = String(value);
  for (let i = 0; i < text.length; i += 1) bytes[at + i] = text.charCodeAt(i);
  return at + text.length;
};
