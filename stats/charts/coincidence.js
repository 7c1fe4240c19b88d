// Alternates the dashes of lines that coincide, so that each stays visible: of n such lines the
// first is solid, and each later one has shorter dashes and longer gaps.

/** @import { Line } from './series.js' */

/** Lines coincide if nine of ten points lie within this share of the axis. */
const nearness = 0.01;
const agreeing = 0.9;

/** Points at which two lines are compared. */
const probes = 200;

/** The length of one line's dash where dashes alternate, in pixels. */
const turn = 7;

/** @param {Line} line @param {number} x  within the line @returns {number} the value at x or before it */
const valueAt = ({ xs, ys }, x) => {
  let low = 0;
  let high = xs.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (xs[middle] <= x) low = middle;
    else high = middle - 1;
  }
  return ys[low];
};

/**
 * Whether one of two lines hides the other.
 *
 * @param {Line} left
 * @param {Line} right
 * @param {number} top  the highest value of all lines
 */
const coincide = (left, right, top) => {
  const from = Math.max(left.xs[0], right.xs[0]);
  const to = Math.min(left.xs[left.xs.length - 1], right.xs[right.xs.length - 1]);
  if (!(from <= to)) return false;
  let near = 0;
  for (let i = 0; i < probes; i += 1) {
    const x = from + ((to - from) * i) / (probes - 1);
    if (Math.abs(valueAt(left, x) - valueAt(right, x)) <= nearness * top) near += 1;
  }
  return near >= agreeing * probes;
};

/**
 * The dashes of a group of coinciding lines, in the order of drawing.
 *
 * @param {number} count
 * @returns {number[][]}
 */
const turnTaking = count =>
  Array.from({ length: count }, (_, i) => (i === 0 ? [1, 0] : [(count - i) * turn, i * turn]));

/**
 * Give coinciding lines of different runs alternating dashes. All lines of a run in a group get the
 * same dashes, so that the legend needs one entry.
 *
 * @template {Line} T
 * @param {readonly T[]} lines  of all runs and fields
 * @returns {T[]}
 */
export const separateLines = lines => {
  const runs = [...new Set(lines.map(({ run }) => run))];
  /** @type {Map<string, string[]>} by their first run */
  const groups = new Map();
  const top = (/** @type {string} */ field) =>
    lines
      .filter(line => line.field === field)
      .reduce((most, { ys }) => ys.reduce((a, b) => Math.max(a, Math.abs(b)), most), 0);
  const tops = new Map(
    [...new Set(lines.map(({ field }) => field))].map(field => [field, top(field)]),
  );
  for (const run of runs) {
    const own = lines.filter(line => line.run === run);
    const first = [...groups.keys()].find(other =>
      own.some(line =>
        lines.some(
          each =>
            each.run === other &&
            each.field === line.field &&
            coincide(each, line, tops.get(line.field) ?? 0),
        ),
      ),
    );
    groups.set(first ?? run, [...(groups.get(first ?? run) ?? []), run]);
  }
  const dashes = new Map(
    [...groups.values()]
      .filter(group => group.length > 1)
      .flatMap(group => {
        const turns = turnTaking(group.length);
        return group.map((run, i) => /** @type {const} */ ([run, turns[i]]));
      }),
  );
  return lines.map(line => {
    const dash = dashes.get(line.run);
    return dash === undefined ? line : { ...line, dash };
  });
};
