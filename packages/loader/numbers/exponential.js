// Exponentials and logarithms of doubles and of pairs of doubles (double-double.js).

import {
  add,
  divide,
  evaluate,
  exponentOf,
  low,
  makeSeries,
  multiply,
  pair,
  productOf,
  scale,
} from './double-double.js';

/** ln 2; its first part has 32 bits, so that multiples of it are exact. */
const ln2 = /** @type {const} */ ([
  0.6931471803691238, 1.9082149292705877e-10, 1.1612227229362532e-26,
]);

/** 1/0!, 1/1!, … @type {import('./double-double.js').Series} */
const exponentialSeries = makeSeries(26, at => [1, at]);

/** 1, 1/3, 1/5, … @type {import('./double-double.js').Series} */
const oddSeries = makeSeries(23, at => [2 * at - 1, 2 * at + 1]);

let exponent = 0;

/** The exponent of two by which the last result of `exp` or `powerOf` must be scaled. */
export const lastExponent = () => exponent;

/**
 * e^(h + l), divided by 2^lastExponent().
 *
 * @param {number} h  up to some thousands
 * @param {number} l
 */
export const exp = (h, l) => {
  const k = Math.round(h * 1.4426950408889634);
  exponent = k;
  let rh = add(h, l, -k * ln2[0], 0);
  let rl = low();
  const ph = multiply(ln2[1], ln2[2], k, 0);
  rh = add(rh, rl, -ph, -low());
  rl = low();
  return evaluate(exponentialSeries, 13, rh, rl);
};

/**
 * e^(h + l) - 1, precise where it is small.
 *
 * @param {number} h  at most 0.35 in size
 * @param {number} l
 */
export const expMinusOne = (h, l) => {
  // x (1 + x/2 + x²/6 …): the series without its first term, times x.
  const sum = evaluate(shiftedSeries, 13, h, l);
  return multiply(sum, low(), h, l);
};

const shiftedSeries = Object.freeze(exponentialSeries.slice(2));

/** ln((1 + s) / (1 - s)). @param {number} sh  at most 0.18 in size @param {number} sl */
const logOfRatio = (sh, sl) => {
  const zh = multiply(sh, sl, sh, sl);
  const sum = evaluate(oddSeries, 10, zh, low());
  const half = multiply(sum, low(), sh, sl);
  const lower = low();
  return pair(2 * half, 2 * lower);
};

/**
 * ln(h + l).
 *
 * @param {number} h  above 0, finite
 * @param {number} l
 */
export const log = (h, l) => {
  let e = exponentOf(h);
  let mh = scale(h, -e);
  let ml = scale(l, -e);
  if (mh > 1.4142135623730951) {
    e += 1;
    mh /= 2;
    ml /= 2;
  }
  const nh = add(mh, ml, -1, 0);
  const nl = low();
  const dh = add(mh, ml, 1, 0);
  const sh = divide(nh, nl, dh, low());
  const logH = logOfRatio(sh, low());
  const logL = low();
  if (e === 0) return pair(logH, logL);
  const ph = multiply(ln2[1], ln2[2], e, 0);
  const rh = add(logH, logL, ph, low());
  return add(e * ln2[0], 0, rh, low());
};

/**
 * ln(1 + h + l), precise where it is small.
 *
 * @param {number} h  above -1
 * @param {number} l
 */
export const logOnePlus = (h, l) => {
  if (h > 0.4 || h < -0.28) {
    const sum = add(1, 0, h, l);
    return log(sum, low());
  }
  const dh = add(2, 0, h, l);
  const sh = divide(h, l, dh, low());
  return logOfRatio(sh, low());
};

/**
 * (h + l)^n divided by 2^lastExponent(), exact where 106 bits hold it.
 *
 * @param {number} value  above 0
 * @param {number} n  from 1 to 64
 */
export const powerOf = (value, n) => {
  const e = exponentOf(value);
  const m = scale(value, -e);
  let rh = m;
  let rl = 0;
  // From the highest bit of n down.
  for (let bit = 31 - Math.clz32(n) - 1; bit >= 0; bit -= 1) {
    rh = rl === 0 ? productOf(rh, rh) : multiply(rh, rl, rh, rl);
    rl = low();
    if ((n >>> bit) & 1) {
      rh = rl === 0 ? productOf(rh, m) : multiply(rh, rl, m, 0);
      rl = low();
    }
  }
  exponent = e * n;
  return pair(rh, rl);
};
