// Sines, cosines and arcs of doubles and of pairs of doubles (double-double.js).

import {
  add,
  divide,
  evaluate,
  exponentOf,
  low,
  makeSeries,
  multiply,
  pair,
  scale,
} from './double-double.js';

/** pi/2; its first parts have 32 bits each, so that multiples of them are exact. */
const halfPi = /** @type {const} */ ([
  1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21, 1.0085854035872483e-37,
]);

/** pi/2, as a pair. */
const rightAngle = /** @type {const} */ ([1.5707963267948966, 6.123233995736766e-17]);

const sineSeries = makeSeries(15, at => [-1, 2 * at * (2 * at + 1)]);
const cosineSeries = makeSeries(15, at => [-1, (2 * at - 1) * 2 * at]);
const arcSeries = makeSeries(15, at => [-(2 * at - 1), 2 * at + 1]);

/** Fraction bits of the integers that reduce large angles, up to 2^1024. */
const bits = 1300n;

/** The arc tangent of 1/n, times 2^bits. @param {bigint} n */
const arcOfInverse = n => {
  let power = (1n << bits) / n;
  let sum = power;
  for (let k = 3n, sign = -1n; power !== 0n; k += 2n, sign = -sign) {
    power /= n * n;
    sum += (sign * power) / k;
  }
  return sum;
};

/** @type {bigint | undefined} */
let largeHalfPi;
/** pi/2 times 2^bits, by Machin's formula. */
const provideHalfPi = () => {
  largeHalfPi ??= 2n * (4n * arcOfInverse(5n) - arcOfInverse(239n));
  return largeHalfPi;
};

let quadrant = 0;

/** The number of right angles that the last `reduce` subtracted, modulo 4. */
export const lastQuadrant = () => quadrant;

/** Subtract the nearest multiple of a right angle from an angle. @param {number} x  finite */
export const reduce = x => {
  const size = Math.abs(x);
  if (size <= 0.785) {
    quadrant = 0;
    return pair(x, 0);
  }
  if (size < 1_000_000) {
    const n = Math.round(x * 0.6366197723675814);
    quadrant = n & 3;
    let h = add(x, 0, -n * halfPi[0], 0);
    h = add(h, low(), -n * halfPi[1], 0);
    const l = low();
    const ph = multiply(halfPi[2], halfPi[3], n, 0);
    return add(h, l, -ph, -low());
  }
  const e = exponentOf(x) - 52;
  const whole = BigInt(scale(size, -e)) << (BigInt(e) + bits);
  const right = provideHalfPi();
  let turns = whole / right;
  let left = whole - turns * right;
  if (left * 2n > right) {
    left -= right;
    turns += 1n;
  }
  const short = left >> (bits - 300n);
  const h = Number(short);
  const l = Number(short - BigInt(h));
  quadrant = Number(turns & 3n);
  if (x < 0) quadrant = (4 - quadrant) & 3;
  const sign = x < 0 ? -1 : 1;
  return pair(sign * scale(h, -300), sign * scale(l, -300));
};

/** @param {number} h  a reduced angle @param {number} l */
export const sineOf = (h, l) => {
  const zh = multiply(h, l, h, l);
  const sum = evaluate(sineSeries, 8, zh, low());
  return multiply(sum, low(), h, l);
};

/** @param {number} h  a reduced angle @param {number} l */
export const cosineOf = (h, l) => {
  const zh = multiply(h, l, h, l);
  return evaluate(cosineSeries, 9, zh, low());
};

/** The arc tangents of 0, 1/8, … 1. */
const arcs = Object.freeze([
  [0, 0],
  [0.12435499454676144, -3.1253241424539383e-18],
  [0.24497866312686414, 1.0698755618734451e-17],
  [0.35877067027057225, -2.4623815582638635e-17],
  [0.4636476090008061, 2.2698777452961687e-17],
  [0.5585993153435624, -5.4556305485916264e-18],
  [0.6435011087932844, 1.5834785051444286e-17],
  [0.7188299996216245, -2.1478388444456983e-17],
  [0.7853981633974483, 3.061616997868383e-17],
]);

/** The arc tangent. @param {number} h  from 0 to 1 @param {number} l */
const arcOfSmall = (h, l) => {
  const eighths = Math.round(h * 8);
  let uh = h;
  let ul = l;
  if (eighths > 0) {
    const c = eighths / 8;
    const nh = add(h, l, -c, 0);
    const nl = low();
    const ph = multiply(h, l, c, 0);
    const dh = add(1, 0, ph, low());
    uh = divide(nh, nl, dh, low());
    ul = low();
  }
  const zh = multiply(uh, ul, uh, ul);
  const sum = evaluate(arcSeries, 7, zh, low());
  const arc = multiply(sum, low(), uh, ul);
  const [base, baseRest] = arcs[eighths];
  return add(base, baseRest, arc, low());
};

/**
 * The angle of a point in the first quadrant.
 *
 * @param {number} yh  from 0
 * @param {number} yl
 * @param {number} xh  from 0; not both 0
 * @param {number} xl
 */
export const angleOf = (yh, yl, xh, xl) => {
  if (yh <= xh) {
    const q = divide(yh, yl, xh, xl);
    return arcOfSmall(q, low());
  }
  const q = divide(xh, xl, yh, yl);
  const arc = arcOfSmall(q, low());
  return add(rightAngle[0], rightAngle[1], -arc, -low());
};
