// Finds the first difference of two kernels, as plain data. It runs for each block of a program, so paths and texts are
// made only of what differs.

/** The content of a store. @typedef {{ entries: [string, string][], streams: [string, Buffer][] }} Left */

/** @param {Left} left */
export const showLeft = ({ entries, streams }) => ({
  entries,
  streams: streams.map(([name, bytes]) => [name, bytes.toString('hex')]),
});

/**
 * @param {Left} own
 * @param {Left} other
 * @returns {boolean}
 */
export const isSameLeft = (own, other) =>
  own.entries.length === other.entries.length &&
  own.streams.length === other.streams.length &&
  own.entries.every(
    ([key, text], i) => key === other.entries[i][0] && text === other.entries[i][1],
  ) &&
  own.streams.every(
    ([name, bytes], i) => name === other.streams[i][0] && bytes.equals(other.streams[i][1]),
  );

/**
 * Find the first difference of two values.
 *
 * @param {unknown} real
 * @param {unknown} expected
 * @returns {string | undefined} its path and the two values; undefined if there is none
 */
const findIn = (real, expected) => {
  if (Object.is(real, expected)) return undefined;
  const areObjects =
    typeof real === 'object' && typeof expected === 'object' && real !== null && expected !== null;
  if (!areObjects) return `: ${JSON.stringify(real)} instead of ${JSON.stringify(expected)}`;
  const reals = /** @type {Record<string, unknown>} */ (real);
  const wanted = /** @type {Record<string, unknown>} */ (expected);
  for (const key of Object.keys(reals)) {
    const found = findIn(reals[key], wanted[key]);
    if (found !== undefined) return `.${key}${found}`;
  }
  for (const key of Object.keys(wanted))
    if (!Object.hasOwn(reals, key)) {
      const found = findIn(undefined, wanted[key]);
      if (found !== undefined) return `.${key}${found}`;
    }
  return undefined;
};

/**
 * @param {unknown} real
 * @param {unknown} expected
 * @param {string} [where]
 * @returns {string | undefined} the first difference; undefined if there is none
 */
export const findDifference = (real, expected, where = '') => {
  const found = findIn(real, expected);
  return found === undefined ? undefined : where + found;
};
