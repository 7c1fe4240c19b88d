// "Did you mean": finds the known name nearest to an unknown one by edit distance.

import { quote } from './errors.js';

/**
 * Characters of a name that is compared, at most: the distance takes time proportional to the product of the lengths.
 */
const maxLength = 200;

/**
 * Levenshtein distance in which a swap of neighbours counts once (optimal string alignment).
 *
 * @param {string} left
 * @param {string} right
 */
export const editDistance = (left, right) => {
  /** @type {number[][]} */
  const rows = [Array.from({ length: right.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= left.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const cost = left[i - 1] === right[j - 1] ? 0 : 1;
      let best = Math.min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + cost);
      const swapped =
        i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      if (swapped) best = Math.min(best, rows[i - 2][j - 2] + 1);
      row.push(best);
    }
    rows.push(row);
  }
  return rows[left.length][right.length];
};

/**
 * The nearest known name, the first of equals, if it is near enough to be a typing error: a third of the letters.
 *
 * @param {string} name
 * @param {Iterable<string>} known
 * @returns {string | undefined}
 */
export const findNearestName = (name, known) => {
  if (name.length > maxLength) return undefined;
  // Every name of one letter is one edit away from every other, so none counts as a typing error.
  const allowed = name.length <= 1 ? 0 : Math.max(1, Math.floor(name.length / 3));
  let nearest;
  let least = allowed + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= least) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
};

/**
 * `; did you mean "x"?`, or the empty string.
 *
 * @param {string} name
 * @param {Iterable<string>} known
 */
export const didYouMean = (name, known) => {
  const nearest = findNearestName(name, known);
  return nearest === undefined ? '' : `; did you mean ${quote(nearest)}?`;
};

/**
 * `did you mean "x"?`, or all known names: `there are "a", "b"`.
 *
 * @param {string} name
 * @param {readonly string[]} known
 */
export const suggestName = (name, known) => {
  const nearest = findNearestName(name, known);
  if (nearest !== undefined) return `did you mean ${quote(nearest)}?`;
  return known.length === 0 ? 'there is none' : `there are ${known.map(quote).join(', ')}`;
};
