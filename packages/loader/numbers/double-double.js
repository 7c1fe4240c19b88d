// Numbers of some 106 bits as the unevaluated sum of two doubles. Only additions, multiplications and divisions of
// doubles are used, which round the same on every engine and processor. The results are so precise that their rounding
// to a double is nearly always correct.
//
// A function returns the high part; `low()` gives the low part until the next call. Returning a pair would allocate an
// object in each step. (Dekker 1971, Knuth TAOCP 2, 4.2.2: the error of a sum or a product of two doubles is a double.)

let rest = 0;

/** The low part of the last result. */
export const low = () => rest;

/** @param {number} high @param {number} lower  at most an ulp of the other */
export const pair = (high, lower) => {
  const sum = high + lower;
  rest = lower - (sum - high);
  return sum;
};

/** The exact sum of two doubles. @param {number} a @param {number} b */
export const sumOf = (a, b) => {
  const sum = a + b;
  const part = sum - a;
  rest = a - (sum - part) + (b - part);
  return sum;
};

/** 2^27 + 1: splits a double below 2^996 into halves whose products are exact. */
const splitter = 134_217_729;

/** The exact product of two doubles. @param {number} a @param {number} b */
export const productOf = (a, b) => {
  const product = a * b;
  const aSplit = splitter * a;
  const aHigh = aSplit - (aSplit - a);
  const aLow = a - aHigh;
  const bSplit = splitter * b;
  const bHigh = bSplit - (bSplit - b);
  const bLow = b - bHigh;
  rest = aHigh * bHigh - product + aHigh * bLow + aLow * bHigh + aLow * bLow;
  return product;
};

/** @param {number} ah @param {number} al @param {number} bh @param {number} bl */
export const add = (ah, al, bh, bl) => {
  const high = sumOf(ah, bh);
  const highRest = rest;
  const lower = sumOf(al, bl);
  const lowerRest = rest;
  const first = pair(high, highRest + lower);
  return pair(first, rest + lowerRest);
};

/** @param {number} ah @param {number} al @param {number} bh @param {number} bl */
export const multiply = (ah, al, bh, bl) => {
  const product = productOf(ah, bh);
  return pair(product, rest + (ah * bl + al * bh));
};

/** @param {number} ah @param {number} al @param {number} bh @param {number} bl */
export const divide = (ah, al, bh, bl) => {
  const first = ah / bh;
  let ph = multiply(bh, bl, first, 0);
  let rh = add(ah, al, -ph, -rest);
  const rl = rest;
  const second = rh / bh;
  ph = multiply(bh, bl, second, 0);
  rh = add(rh, rl, -ph, -rest);
  const third = rh / bh;
  const sum = pair(first, second);
  return add(sum, rest, third, 0);
};

/** @param {number} ah  above 0 @param {number} al */
export const squareRoot = (ah, al) => {
  const first = Math.sqrt(ah);
  const square = productOf(first, first);
  const error = add(ah, al, -square, -rest);
  const root = pair(first, error / (2 * first));
  const rootRest = rest;
  // A second step of Newton's method: the first gives some 100 bits.
  const again = multiply(root, rootRest, root, rootRest);
  const left = add(ah, al, -again, -rest);
  return add(root, rootRest, left / (2 * first), 0);
};

const view = new DataView(new ArrayBuffer(8));

/** @param {number} value  not 0, finite @returns {number} e, with 2^e <= |value| < 2^(e+1) */
export const exponentOf = value => {
  view.setFloat64(0, value);
  const bits = (view.getUint32(0) >>> 20) & 0x7ff;
  // A subnormal number: its first bit is not implied.
  return bits === 0 ? exponentOf(value * 18_014_398_509_481_984) - 54 : bits - 1023;
};

/** @param {number} exponent  from -1022 to 1023 @returns {number} 2^exponent */
const powerOfTwo = exponent => {
  view.setUint32(0, (exponent + 1023) << 20);
  view.setUint32(4, 0);
  return view.getFloat64(0);
};

/** value × 2^exponent, exact if the result is not subnormal. @param {number} value @param {number} exponent */
export const scale = (value, exponent) => {
  let left = exponent;
  let scaled = value;
  for (; left > 1000; left -= 1000) scaled *= powerOfTwo(1000);
  for (; left < -1000; left += 1000) scaled *= powerOfTwo(-1000);
  return scaled * powerOfTwo(left);
};

/** @param {number} value  an integer times 2^-2000 at the most @returns {bigint} the value, times 2^2200 */
const fixed = value => {
  if (value === 0) return 0n;
  const exponent = exponentOf(value) - 52;
  return BigInt(scale(value, -exponent)) << BigInt(exponent + 2200);
};

/**
 * (high + lower) * 2^exponent, rounded once.
 *
 * @param {number} high  not 0
 * @param {number} lower
 * @param {number} exponent
 */
export const round = (high, lower, exponent) => {
  const sum = high + lower;
  const whole = exponentOf(sum) + exponent;
  if (whole > 1030) return sum * Infinity;
  if (whole >= -1021) return scale(sum, exponent);
  if (whole < -1080) return sum * 0;
  // A subnormal double has fewer bits, so rounding `sum` would round twice.
  const unit = BigInt(2200 - 1074 - exponent);
  const exact = fixed(high) + fixed(lower);
  const size = exact < 0n ? -exact : exact;
  const half = 1n << (unit - 1n);
  let units = (size + half) >> unit;
  if (size + half === units << unit && (units & 1n) === 1n) units -= 1n;
  const tiny = Number(units) * Number.MIN_VALUE;
  return sum < 0 ? -tiny : tiny;
};

/** The coefficients of a power series, high and low parts in turn. @typedef {readonly number[]} Series */

/**
 * Evaluate a series by Horner's scheme. Its last terms are so small that doubles are precise enough.
 *
 * @param {Series} coefficients  of z^0, z^1, …
 * @param {number} precise  the number of terms that are added as pairs
 * @param {number} zh
 * @param {number} zl
 */
export const evaluate = (coefficients, precise, zh, zl) => {
  let tail = 0;
  for (let at = coefficients.length - 2; at >= 2 * precise; at -= 2)
    tail = tail * zh + coefficients[at];
  let high = tail;
  let lower = 0;
  for (let at = 2 * precise - 2; at >= 0; at -= 2) {
    high = multiply(high, lower, zh, zl);
    high = add(coefficients[at], coefficients[at + 1], high, rest);
    lower = rest;
  }
  rest = lower;
  return high;
};

/**
 * @param {number} count
 * @param {(at: number) => [numerator: number, denominator: number]} ratio  of each coefficient to the one before it
 * @returns {Series}
 */
export const makeSeries = (count, ratio) => {
  const made = [1, 0];
  for (let at = 1; at < count; at += 1) {
    const [numerator, denominator] = ratio(at);
    const [high, lower] = made.slice(-2);
    const scaled = multiply(high, lower, numerator, 0);
    made.push(divide(scaled, rest, denominator, 0), rest);
  }
  return Object.freeze(made);
};
