// Tests whether two samples differ significantly: rank sums if all values are known, Welch's t if
// only summaries are. Both are two-sided and assume independent values.

import { quantileSorted } from '#model';

/** The largest total size of samples for the exact distribution; above, the normal approximation is used. */
const mostExact = 40;

/**
 * Complement of the error function (Numerical Recipes, erfcc): within 1.2e-7 everywhere.
 *
 * @param {number} x
 */
const erfc = x => {
  const z = Math.abs(x);
  const t = 1 / (1 + 0.5 * z);
  const coefficients = [
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398,
    1.48851587, -0.82215223, 0.17087277,
  ];
  const series = coefficients.reduceRight((sum, each) => each + t * sum, 0);
  const value = t * Math.exp(-z * z + series);
  return x >= 0 ? value : 2 - value;
};

/**
 * Count the orders of two samples without ties for each value of the rank sum statistic U.
 *
 * @param {number} n
 * @param {number} m
 * @returns {Float64Array} by U, 0 to n·m
 */
const countOrders = (n, m) => {
  let counts = new Float64Array(n * m + 1);
  counts[0] = 1;
  // The Gaussian binomial coefficient, a factor (1 − q^(m+i)) / (1 − q^i) at a time.
  for (let i = 1; i <= n; i += 1) {
    const next = Float64Array.from(counts);
    for (let u = next.length - 1; u >= m + i; u -= 1) next[u] -= next[u - m - i];
    for (let u = i; u < next.length; u += 1) next[u] += next[u - i];
    counts = next;
  }
  return counts;
};

/** @param {number} u @param {number} n @param {number} m */
const exactP = (u, n, m) => {
  const counts = countOrders(n, m);
  const least = Math.min(u, n * m - u);
  let below = 0;
  let all = 0;
  for (let i = 0; i < counts.length; i += 1) {
    all += counts[i];
    if (i <= least) below += counts[i];
  }
  return Math.min(1, (2 * below) / all);
};

/**
 * Mann and Whitney's test (Wilcoxon's rank sum): exact for small samples without ties, else by the normal distribution with
 * corrections for ties and continuity.
 *
 * @param {ArrayLike<number>} left  finite values, one at least
 * @param {ArrayLike<number>} right  the same
 * @returns {{ u: number, p: number, superiority: number }} `u` of the right sample; `superiority`:
 *   the probability that a value of the right sample is larger than one of the left, ties counting
 *   half; 0.5 for equal distributions
 */
export const mannWhitney = (left, right) => {
  const n = left.length;
  const m = right.length;
  const all = [
    ...Array.from(left, value => ({ value, isRight: false })),
    ...Array.from(right, value => ({ value, isRight: true })),
  ].sort((one, other) => one.value - other.value);
  let rightRanks = 0;
  let ties = 0;
  for (let begin = 0; begin < all.length;) {
    let end = begin;
    while (end < all.length && all[end].value === all[begin].value) end += 1;
    const count = end - begin;
    const rank = (begin + 1 + end) / 2;
    ties += count ** 3 - count;
    for (let i = begin; i < end; i += 1) if (all[i].isRight) rightRanks += rank;
    begin = end;
  }
  const u = rightRanks - (m * (m + 1)) / 2;
  const superiority = u / (n * m);
  if (ties === 0 && n + m <= mostExact) return { u, p: exactP(u, n, m), superiority };
  const total = n + m;
  const variance = ((n * m) / 12) * (total + 1 - ties / (total * (total - 1)));
  if (!(variance > 0)) return { u, p: 1, superiority };
  const distance = Math.max(0, Math.abs(u - (n * m) / 2) - 0.5);
  return { u, p: Math.min(1, erfc(distance / Math.sqrt(2 * variance))), superiority };
};

/** Lanczos' approximation, g = 7. @param {number} x  above 0 */
const logGamma = x => {
  const coefficients = [
    676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406,
    12.507343278686905, -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
  ];
  const y = x - 1;
  const t = y + 7.5;
  const sum = coefficients.reduce(
    (before, each, i) => before + each / (y + i + 1),
    0.9999999999998099,
  );
  return 0.5 * Math.log(2 * Math.PI) + (y + 0.5) * Math.log(t) - t + Math.log(sum);
};

/**
 * The regularised incomplete beta function, by Lentz's continued fraction (Numerical Recipes, betacf).
 *
 * @param {number} x  0 to 1
 * @param {number} a
 * @param {number} b
 * @returns {number}
 */
const incompleteBeta = (x, a, b) => {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const tiny = 1e-300;
  const away = (/** @type {number} */ value) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let i = 1; i <= 300; i += 1) {
    const even = (i * (b - i) * x) / ((a + 2 * i - 1) * (a + 2 * i));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + i) * (a + b + i) * x) / ((a + 2 * i) * (a + 2 * i + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-12) break;
  }
  const front = logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x);
  return (Math.exp(front) * fraction) / a;
};

/**
 * @typedef {object} SampleSummary
 * @property {number} mean
 * @property {number} error  the standard error of the mean
 * @property {number} freedom  degrees of freedom of the error
 */

/**
 * Welch's t test.
 *
 * @param {SampleSummary} left
 * @param {SampleSummary} right
 * @returns {{ t: number, freedom: number, p: number }}
 */
export const welch = (left, right) => {
  const leftError = left.error ** 2;
  const rightError = right.error ** 2;
  const error = leftError + rightError;
  const difference = right.mean - left.mean;
  if (error === 0)
    return difference === 0
      ? { t: 0, freedom: 1, p: 1 }
      : { t: difference * Infinity, freedom: 1, p: 0 };
  const freedom = error ** 2 / (leftError ** 2 / left.freedom + rightError ** 2 / right.freedom);
  const t = difference / Math.sqrt(error);
  return { t, freedom, p: incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5) };
};

/**
 * The quantile of the normal distribution, by Newton's method.
 *
 * @param {number} share  between 0 and 1
 */
const normalQuantile = share => {
  let z = 0;
  for (let i = 0; i < 30; i += 1) {
    const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
    const step = (share - erfc(-z / Math.SQRT2) / 2) / density;
    z += step;
    if (Math.abs(step) < 1e-9) break;
  }
  return z;
};

/**
 * The distance of the quartiles of a normal sample with deviation 1, on average. It is 1.35 for large samples and less for
 * small ones: 0.99 for five values. The values' own averages are those of Blom (1958).
 *
 * @param {number} n  two at least
 */
const quartileDistance = n => {
  const averages = Array.from({ length: n }, (_, i) => normalQuantile((i + 0.625) / (n + 0.25)));
  return 2 * quantileSorted(averages, 0.75);
};

/** The variance of the mean of three quartiles, relative to that of the mean of all values: its limit for large samples. */
const varianceOfThree = 1.163;

/** The share of degrees of freedom that a deviation from quartiles has, of one from all values; found by simulation. */
const freedomShare = 0.4;

/** From this size on the average distance of the quartiles is that of a sample without end, to 1 %. */
const large = 200;

/**
 * Estimate the mean of a sample, and its error, from its quartiles (as Wan, Wang, Liu and Tong 2014, scenario C3). Three
 * quartiles tell less than all values, so the error is larger, and has fewer degrees of freedom. Of two equal normal
 * samples, at most 5 % differ at the level of 5 %; of skewed and long-tailed ones, up to 7 %.
 *
 * @param {{ n: number, median: number, p25: number, p75: number }} quartiles  of two values at least; interpolated as by
 *   `quantileSorted`
 * @returns {SampleSummary}
 */
export const estimateSummary = ({ n, median, p25, p75 }) => ({
  mean: (p25 + median + p75) / 3,
  error: ((p75 - p25) / quartileDistance(Math.min(n, large))) * Math.sqrt(varianceOfThree / n),
  // The deviation of up to three values is known as well as from all of them.
  freedom: Math.max(Math.min(n - 1, 2), freedomShare * (n - 1)),
});

/**
 * Holm's correction: with many tests, the probability of any false "different" stays that of a
 * single test.
 *
 * @param {readonly (number | undefined)[]} ps  undefined where there was no test
 * @returns {(number | undefined)[]} in the same order
 */
export const holm = ps => {
  const order = ps.flatMap((p, at) => (p === undefined ? [] : [{ p, at }]));
  order.sort((one, other) => one.p - other.p);
  /** @type {(number | undefined)[]} */
  const corrected = ps.map(() => undefined);
  let most = 0;
  order.forEach(({ p, at }, i) => {
    most = Math.max(most, Math.min(1, p * (order.length - i)));
    corrected[at] = most;
  });
  return corrected;
};
