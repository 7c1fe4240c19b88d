// The functions of `Math` whose last bit the language leaves open: the engine's results differ between versions of V8
// (`pow`) and processors (compilers fuse a multiplication and an addition on ARM). These are the same everywhere, and
// nearly always the double nearest to the true value.

import {
  add,
  divide,
  exponentOf,
  low,
  multiply,
  productOf,
  round,
  scale,
  squareRoot,
  sumOf,
} from './double-double.js';
import { exp, expMinusOne, lastExponent, log, logOnePlus, powerOf } from './exponential.js';
import { angleOf, cosineOf, lastQuadrant, reduce, sineOf } from './trigonometry.js';

const { abs, sqrt } = Math;

/** 2^-27: below it, x³ is less than half an ulp of x. */
const small = 7.450580596923828e-9;
/** 2^-55 */
const tiny = 2.7755575615628914e-17;

/** @param {number} x */
const isFinite = x => x - x === 0;

/** @param {number} h */
const finish = h => h + low();

/** @param {number} x */
const exponential = x => {
  if (x !== x) return x;
  if (x > 710) return Infinity;
  if (x < -746) return 0;
  if (abs(x) < tiny) return 1;
  const h = exp(x, 0);
  return round(h, low(), lastExponent());
};

/** @param {number} x */
const expm1 = x => {
  if (x !== x || abs(x) < tiny) return x;
  if (x > 710) return Infinity;
  if (x < -60) return -1;
  if (abs(x) < 0.34) return finish(expMinusOne(x, 0));
  const h = exp(x, 0);
  const l = low();
  const k = lastExponent();
  if (k > 120) return round(h, l, k);
  return finish(add(scale(h, k), scale(l, k), -1, 0));
};

/** The cases that all logarithms share. @param {number} x @param {(x: number) => number} compute */
const logarithm = (x, compute) => {
  if (x === 0) return -Infinity;
  if (!(x > 0)) return NaN;
  return x === Infinity ? x : compute(x);
};

/**
 * @param {number} high
 *
 * @param {number} lower
 * @returns {(x: number) => number} the logarithm to the base b, from 1 / ln b as a pair
 */
const logarithmOf = (high, lower) => x =>
  logarithm(x, value => {
    const h = log(value, 0);
    return finish(multiply(h, low(), high, lower));
  });

/** @param {number} x */
const log1p = x => {
  if (x === -1) return -Infinity;
  if (!(x > -1)) return NaN;
  if (abs(x) < tiny || x === Infinity) return x;
  return finish(logOnePlus(x, 0));
};

/** @param {number} x */
const cbrt = x => {
  if (x === 0 || !isFinite(x)) return x;
  const h = log(abs(x), 0);
  const third = divide(h, low(), 3, 0);
  const root = exp(third, low());
  return round(x < 0 ? -root : root, x < 0 ? -low() : low(), lastExponent());
};

/** e^x and e^-x, added or subtracted, and halved. @param {number} x  above 0 @param {1 | -1} sign */
const halfSum = (x, sign) => {
  if (x > 711) return Infinity;
  const h = exp(x, 0);
  const l = low();
  const k = lastExponent();
  if (k > 100) return round(h, l, k - 1);
  const wh = scale(h, k - 1);
  const wl = scale(l, k - 1);
  const ih = divide(0.25, 0, wh, wl);
  return finish(add(wh, wl, sign * ih, sign * low()));
};

/** The hyperbolic sine of a small number, as a pair. @param {number} x */
const smallSinh = x => {
  // (u + u / (1 + u)) / 2, with u = e^x - 1.
  const uh = expMinusOne(x, 0);
  const ul = low();
  const dh = add(1, 0, uh, ul);
  const qh = divide(uh, ul, dh, low());
  const sum = add(uh, ul, qh, low());
  return divide(sum, low(), 2, 0);
};

/** @param {number} x */
const sinh = x => {
  if (x !== x || abs(x) < small) return x;
  if (abs(x) < 0.3) return finish(smallSinh(x));
  return x < 0 ? -halfSum(-x, -1) : halfSum(x, -1);
};

/** @param {number} x */
const cosh = x => (x !== x ? x : abs(x) < small ? 1 : halfSum(abs(x), 1));

/** @param {number} x */
const tanh = x => {
  if (x !== x || abs(x) < small) return x;
  if (abs(x) > 20) return x < 0 ? -1 : 1;
  // u / (u + 2), with u = e^2x - 1.
  const size = abs(x);
  let uh;
  let ul;
  if (size < 0.17) {
    uh = expMinusOne(2 * size, 0);
    ul = low();
  } else {
    const h = exp(2 * size, 0);
    const k = lastExponent();
    uh = add(scale(h, k), scale(low(), k), -1, 0);
    ul = low();
  }
  const dh = add(uh, ul, 2, 0);
  const value = finish(divide(uh, ul, dh, low()));
  return x < 0 ? -value : value;
};

/** @param {number} x */
const asinh = x => {
  const size = abs(x);
  if (!isFinite(x) || size < small) return x;
  let value;
  if (size > 1e18) {
    // ln 2x
    value = finish(logOfDouble(size));
  } else {
    // ln(1 + x + x² / (1 + sqrt(1 + x²)))
    const qh = productOf(size, size);
    const ql = low();
    const sum = add(1, 0, qh, ql);
    const root = squareRoot(sum, low());
    const dh = add(1, 0, root, low());
    const part = divide(qh, ql, dh, low());
    const whole = add(size, 0, part, low());
    value = finish(logOnePlus(whole, low()));
  }
  return x < 0 ? -value : value;
};

/** ln 2x, also where 2x overflows. @param {number} x */
const logOfDouble = x => {
  const h = log(x, 0);
  return add(h, low(), 0.6931471805599453, 2.3190468138462996e-17);
};

/** @param {number} x */
const acosh = x => {
  if (!(x >= 1)) return NaN;
  if (x === 1) return 0;
  if (x === Infinity) return x;
  if (x > 1e18) return finish(logOfDouble(x));
  // ln(1 + t + sqrt(2t + t²)), with t = x - 1, which is a pair.
  const th = sumOf(x, -1);
  const tl = low();
  const sum = add(th, tl, 2, 0);
  const product = multiply(sum, low(), th, tl);
  const root = squareRoot(product, low());
  const whole = add(root, low(), th, tl);
  return finish(logOnePlus(whole, low()));
};

/** @param {number} x */
const atanh = x => {
  const size = abs(x);
  if (!(size <= 1)) return NaN;
  if (size === 1) return x * Infinity;
  if (size < small) return x;
  // ln(1 + 2x / (1 - x)) / 2
  const dh = add(1, 0, -size, 0);
  const qh = divide(2 * size, 0, dh, low());
  const h = logOnePlus(qh, low());
  const value = (h + low()) / 2;
  return x < 0 ? -value : value;
};

/** @param {number} x @param {number} turn  right angles to add */
const sineAfter = (x, turn) => {
  const h = reduce(x);
  const l = low();
  const quarter = (lastQuadrant() + turn) & 3;
  const value = finish(quarter & 1 ? cosineOf(h, l) : sineOf(h, l));
  return quarter & 2 ? -value : value;
};

/** @param {number} x */
const sin = x => (!isFinite(x) ? NaN : abs(x) < small ? x : sineAfter(x, 0));

/** @param {number} x */
const cos = x => (!isFinite(x) ? NaN : abs(x) < small ? 1 : sineAfter(x, 1));

/** @param {number} x */
const tan = x => {
  if (!isFinite(x)) return NaN;
  if (abs(x) < small) return x;
  const h = reduce(x);
  const l = low();
  const isOdd = (lastQuadrant() & 1) === 1;
  const sh = sineOf(h, l);
  const sl = low();
  const ch = cosineOf(h, l);
  const cl = low();
  return finish(isOdd ? divide(-ch, -cl, sh, sl) : divide(sh, sl, ch, cl));
};

/** @param {number} x  from 0 @param {number} y  from 0 */
const angle = (y, x) => {
  // Scale both to the middle of the range, where no bits are lost.
  const e = exponentOf(x > y ? x : y);
  return angleOf(scale(y, -e), 0, scale(x, -e), 0);
};

const rightAngle = 1.5707963267948966;
const straightAngle = 3.141592653589793;

/** @param {number} x */
const atan = x => {
  const size = abs(x);
  if (x !== x || size < small) return x;
  const value = size > 1e18 ? rightAngle : finish(angle(size, 1));
  return x < 0 ? -value : value;
};

/** @param {number} y @param {number} x */
const atan2 = (y, x) => {
  if (x !== x || y !== y) return NaN;
  const isBehind = x < 0 || (x === 0 && 1 / x < 0);
  const isBelow = y < 0 || (y === 0 && 1 / y < 0);
  const value = firstAngle(abs(y), abs(x), isBehind);
  return isBelow ? -value : value;
};

/** @param {number} y  from 0 @param {number} x  the size of it @param {boolean} isBehind */
const firstAngle = (y, x, isBehind) => {
  if (y === Infinity)
    return x === Infinity ? (isBehind ? 2.356194490192345 : 0.7853981633974483) : rightAngle;
  if (y === 0 || x === Infinity) return isBehind ? straightAngle : 0;
  if (x === 0) return rightAngle;
  const apart = exponentOf(y) - exponentOf(x);
  if (apart > 62) return rightAngle;
  if (apart < -62) return isBehind ? straightAngle : y / x;
  const h = angle(y, x);
  if (!isBehind) {
    // A small quotient, which may be subnormal, equals the angle.
    return apart < -30 ? y / x : finish(h);
  }
  return finish(add(straightAngle, 1.2246467991473532e-16, -h, -low()));
};

/** sqrt(1 - x²) @param {number} x  from 0 to 1 */
const across = x => {
  const sum = sumOf(1, x);
  const sumRest = low();
  const difference = sumOf(1, -x);
  const product = multiply(sum, sumRest, difference, low());
  return squareRoot(product, low());
};

/** @param {number} x */
const asin = x => {
  const size = abs(x);
  if (!(size <= 1)) return NaN;
  if (size < small) return x;
  let value = rightAngle;
  if (size < 1) {
    const h = across(size);
    value = finish(angleOf(size, 0, h, low()));
  }
  return x < 0 ? -value : value;
};

/** @param {number} x */
const acos = x => {
  const size = abs(x);
  if (!(size <= 1)) return NaN;
  if (size === 1) return x < 0 ? straightAngle : 0;
  if (size < tiny) return rightAngle;
  const h = across(size);
  const arc = angleOf(h, low(), size, 0);
  if (x > 0) return finish(arc);
  return finish(add(straightAngle, 1.2246467991473532e-16, -arc, -low()));
};

/** @param {number} y */
const isOddInteger = y => abs(y) < 9_007_199_254_740_992 && abs(y % 2) === 1;

/** x^y. @param {number} x  above 0, finite, not 1 @param {number} y  finite, not 0 */
const powerOfPositive = (x, y) => {
  if (y === 1) return x;
  if (y === 2) return x * x;
  if (y === -1) return 1 / x;
  if (y === 0.5) return sqrt(x);
  if (abs(y) <= 64 && y % 1 === 0) {
    // Products are exact if the result has few bits, so a result halfway between two doubles is rounded correctly.
    const h = powerOf(x, abs(y));
    const l = low();
    const k = lastExponent();
    if (y > 0) return round(h, l, k);
    const ih = divide(1, 0, h, l);
    return round(ih, low(), -k);
  }
  const e = exponentOf(x);
  if (y % 1 === 0 && abs(e * y) < 3_000 && scale(x, -e) === 1) return round(1, 0, e * y);
  const lh = log(x, 0);
  const ll = low();
  const about = y * lh;
  if (about > 800) return Infinity;
  if (about < -800) return 0;
  if (abs(about) < tiny) return 1;
  const h = multiply(lh, ll, y, 0);
  const power = exp(h, low());
  return round(power, low(), lastExponent());
};

/**
 * @param {number} x
 * @param {number} y
 */
export const power = (x, y) => {
  if (y === 0) return 1;
  if (y !== y || x !== x) return NaN;
  const size = abs(x);
  if (y === Infinity || y === -Infinity) {
    if (size === 1) return NaN;
    return size > 1 === y > 0 ? Infinity : 0;
  }
  const isNegative = (x < 0 || (x === 0 && 1 / x < 0)) && isOddInteger(y);
  if (size === 0 || size === Infinity) {
    const value = (size === 0) === y > 0 ? 0 : Infinity;
    return isNegative ? -value : value;
  }
  if (x < 0 && y % 1 !== 0) return NaN;
  const value = size === 1 ? 1 : powerOfPositive(size, y);
  return isNegative ? -value : value;
};

/** By their names in `Math`. Their arguments are numbers. @type {Record<string, (x: number, y: number) => number>} */
export const functions = {
  acos,
  acosh,
  asin,
  asinh,
  atan,
  atan2,
  atanh,
  cbrt,
  cos,
  cosh,
  exp: exponential,
  expm1,
  log: x => logarithm(x, value => finish(log(value, 0))),
  log10: logarithmOf(0.4342944819032518, 1.098319650216765e-17),
  log1p,
  log2: logarithmOf(1.4426950408889634, 2.0355273740931033e-17),
  pow: power,
  sin,
  sinh,
  tan,
  tanh,
};
