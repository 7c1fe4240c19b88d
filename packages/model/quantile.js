// The quantile of measured values, for reports, charts and benchmarks.

/**
 * The quantile of sorted values, interpolated between neighbours (type 7 in R, PERCENTILE in
 * spreadsheets).
 *
 * @param {ArrayLike<number>} sorted  ascending
 * @param {number} share  0 to 1
 * @returns {number} NaN without values
 */
export const quantileSorted = (sorted, share) => {
  if (sorted.length === 0) return NaN;
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
};
