// Numbers as one string, for other vats: a list costs several times as much, since each of its elements is hardened,
// checked and encoded by itself.

/** @param {ArrayLike<number>} numbers */
export const writeNumbers = numbers => Array.prototype.join.call(numbers, ' ');

const space = 0x20;
const zero = 0x30;

/** Whole numbers of so many digits are exact. */
const safeDigits = 15;

/**
 * @param {string} text  what `writeNumbers` gave
 * @param {Float64Array | number[]} numbers  filled
 */
export const readNumbers = (text, numbers) => {
  let at = 0;
  for (let i = 0; i < numbers.length; i += 1) {
    const from = at;
    let value = 0;
    let isPlain = true;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === space) break;
      const digit = code - zero;
      if (digit < 0 || digit > 9) isPlain = false;
      value = value * 10 + digit;
    }
    numbers[i] = isPlain && at - from <= safeDigits ? value : Number(text.slice(from, at));
    at += 1;
  }
};
