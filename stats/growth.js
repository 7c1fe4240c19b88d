// Finds the figures of a run that grow: fits every counter and size of its stats file against
// rounds (or blocks), and returns the slope with its interval. The first tenth is left out, because
// the engine warms up and tables fill then.
//
// Least squares assume independent points, and blocks are not independent: a heap goes up and down
// like a saw. So the run is cut into stretches, each stretch is one point (its typical value), and
// the correlation that is left between neighbours widens the interval.

import { insistArgument, quantileSorted } from '#model';
import { diskColumns, memoryColumns } from './columns.js';
import { fitSlope, studentT975 } from './summary.js';

/** @import { StatsData } from './read.js' */

/**
 * The kind of a column. `held`: a number of existing things; `size`: bytes; `time`: the time of a
 * round's cranks; `work`: the increase by a round of a counter that only rises.
 *
 * @typedef {'held' | 'size' | 'time' | 'work'} TrendKind
 */

/**
 * @typedef {object} Trend
 * @property {string} name  of the column
 * @property {TrendKind} kind
 * @property {number} level  the line's value at its end, 0 if that is below; bytes, nanoseconds, or a number
 * @property {number} slope  the increase by a round (or block)
 * @property {[number, number]} interval95  the 95 % confidence interval of the slope
 * @property {number} change  from the line's beginning to its end, as a share of its value at the
 *   beginning, or of the first value where the line begins at 0; Infinity if that is 0 too
 * @property {'grows' | 'shrinks' | 'steady'} verdict
 */

/**
 * @typedef {object} Growth
 * @property {'round' | 'block'} per
 * @property {number} from  round or block at which the fit begins
 * @property {number} to
 * @property {number} stretches
 * @property {number} [reaps]  the number of bringOutYourDead deliveries meanwhile; absent if not
 *   recorded
 * @property {Trend[]} trends  growing figures first, then in the order of the file
 */

/** The largest number of stretches; shorter ones would not average out a saw's teeth. */
const mostStretches = 40;

/** The least number of points for a line. */
export const leastStretches = 8;

/** The least change over the whole run, as a share, that counts as growth. */
const leastChange = 0.01;

const sizeColumns = new Set([...memoryColumns, ...diskColumns]);
const timeColumns = new Set(['btime', 'ctime']);

/**
 * A counter with a `Down` or `Max` column can fall; any other one only rises.
 *
 * @param {string} name
 * @param {readonly string[]} columns
 * @returns {TrendKind | undefined}  undefined for columns that are not figures of their own
 */
const kindOf = (name, columns) => {
  if (sizeColumns.has(name)) return 'size';
  if (timeColumns.has(name)) return 'time';
  if (name === 'block' || name === 'steps') return undefined;
  const isPart = ['Up', 'Down', 'Max'].some(
    end => name.endsWith(end) && columns.includes(name.slice(0, -end.length)),
  );
  if (isPart) return undefined;
  const isHeld = columns.includes(`${name}Down`) || columns.includes(`${name}Max`);
  return isHeld ? 'held' : 'work';
};

/**
 * The position of each row on the axis.
 *
 * @param {StatsData} stats
 * @param {{ rounds: number, cranks: number } | undefined} benchmark
 */
const placeRows = ({ rows: { block, steps }, length }, benchmark) => {
  if (benchmark === undefined) return Float64Array.from(block);
  const places = new Float64Array(length);
  let cranks = 0;
  for (let i = 0; i < length; i += 1) {
    cranks += steps[i];
    places[i] = cranks;
  }
  const setup = cranks - benchmark.cranks;
  return places.map(place => ((place - setup) * benchmark.rounds) / benchmark.cranks);
};

/** @param {Float64Array} values  @param {number} share */
const quantile = (values, share) => quantileSorted(values.toSorted(), share);

/**
 * Make a function that computes the figure of a stretch of rows.
 *
 * @param {TrendKind} kind
 * @param {string} name
 * @param {StatsData} stats
 * @param {Float64Array} places
 * @param {number} perCrank  a crank as a share of a round or block
 * @returns {(from: number, to: number) => number}
 */
const makeReader = (kind, name, { rows }, places, perCrank) => {
  const column = rows[name];
  if (kind === 'work')
    return (from, to) => (column[to - 1] - column[from - 1]) / (places[to - 1] - places[from - 1]);
  if (kind === 'time')
    return (from, to) =>
      quantile(
        column.slice(from, to).map((ns, i) => ns / rows.steps[from + i]),
        0.5,
      ) / perCrank;
  // The heap falls at collections, so its minimum is what survived.
  const share = name === 'heapUsed' ? 0 : 0.5;
  return (from, to) => quantile(column.slice(from, to), share);
};

/** The largest correlation of neighbours that the widening assumes. */
const mostMemory = 0.9;

/**
 * Half of the slope's confidence interval. If neighbouring points are correlated, the effective
 * number of points is smaller: a saw of five teeth counts as five points, however often it is
 * sampled. (The usual formula for a first-order series.)
 *
 * @param {number[]} xs
 * @param {number[]} ys
 * @param {ReturnType<typeof fitSlope>} line
 */
const reachOf = (xs, ys, { n, slope, intercept, standardError }) => {
  const residues = ys.map((y, i) => y - intercept - slope * xs[i]);
  let own = 0;
  let shared = 0;
  for (let i = 0; i < n; i += 1) {
    own += residues[i] ** 2;
    if (i > 0) shared += residues[i] * residues[i - 1];
  }
  const memory = own === 0 ? 0 : Math.min(mostMemory, Math.max(0, shared / own));
  const widening = (1 + memory) / (1 - memory);
  const freedom = Math.max(1, Math.floor(n / widening) - 2);
  return studentT975(freedom) * standardError * Math.sqrt(widening);
};

/**
 * Whether a column never falls and rises repeatedly, along any curve. A single step up is not
 * growth.
 *
 * @param {number[]} ys
 */
const climbs = ys => {
  const steps = ys.slice(1).map((y, i) => y - ys[i]);
  return (
    steps.every(step => step >= 0) && steps.filter(step => step > 0).length * 3 >= steps.length
  );
};

/**
 * @param {string} name
 * @param {TrendKind} kind
 * @param {number[]} xs
 * @param {number[]} ys
 * @returns {Trend}
 */
const fitTrend = (name, kind, xs, ys) => {
  const line = fitSlope(xs, ys);
  const { slope, intercept } = line;
  // A slope that rounding can explain counts as zero.
  const scale = Math.max(...ys.map(Math.abs), 1e-300);
  const reach = reachOf(xs, ys, line);
  // No figure is negative, though the line through a few outliers may be.
  const first = Math.max(0, intercept + slope * xs[0]);
  const level = Math.max(0, intercept + slope * xs[xs.length - 1]);
  const added = level - first;
  const isNothing = Math.abs(added) <= 1e-9 * scale;
  const base = first > 1e-9 * scale ? first : ys[0];
  const change = isNothing ? 0 : base > 1e-9 * scale ? added / base : Infinity * Math.sign(added);
  const isLarge = Math.abs(change) >= leastChange && (kind !== 'held' || Math.abs(added) >= 1);
  const verdict =
    isLarge && (slope - reach > 0 || climbs(ys))
      ? 'grows'
      : isLarge && slope + reach < 0
        ? 'shrinks'
        : 'steady';
  return {
    ...{ name, kind, level: isNothing ? ys[0] : level, slope: isNothing ? 0 : slope },
    interval95: isNothing && reach <= 1e-9 * scale ? [0, 0] : [slope - reach, slope + reach],
    ...{ change, verdict },
  };
};

/**
 * Fit every counter and size of a run.
 *
 * @param {StatsData} stats
 * @param {{ rounds: number, cranks: number }} [benchmark]  the rounds at the end of the file, and
 *   all their cranks, including control cranks; without it, the axis shows blocks
 * @returns {Growth | undefined}  undefined if the run is too short
 * @throws {TypeError} for anything but a stats file that was read
 */
export const analyseGrowth = (stats, benchmark) => {
  insistArgument(
    'analyseGrowth()',
    stats,
    { columns: 'array', rows: 'object', length: 'number' },
    'the result of readStatsFile()',
  );
  const { columns, rows, length } = stats;
  const places = placeRows(stats, benchmark);
  // Increases need a row before the first one.
  const from = Math.max(
    1,
    Math.ceil(length / 10),
    places.findIndex(place => place > 0),
  );
  const stretches = Math.min(mostStretches, length - from);
  if (stretches < leastStretches) return undefined;
  const cuts = Array.from({ length: stretches + 1 }, (_, i) =>
    Math.round(from + ((length - from) * i) / stretches),
  );
  const xs = cuts.slice(1).map((to, i) => (places[cuts[i] - 1] + places[to - 1]) / 2);
  const cranks = rows.steps.slice(from).reduce((sum, steps) => sum + steps, 0);
  const perCrank = (places[length - 1] - places[from - 1]) / cranks;
  const trends = columns.flatMap(name => {
    const kind = kindOf(name, columns);
    if (kind === undefined) return [];
    const read = makeReader(kind, name, stats, places, perCrank);
    const ys = cuts.slice(1).map((to, i) => read(cuts[i], to));
    return ys.every(Number.isFinite) ? [fitTrend(name, kind, xs, ys)] : [];
  });
  const reaps = rows.dispatchBringOutYourDead;
  const rank = { grows: 0, shrinks: 1, steady: 1 };
  return {
    per: benchmark === undefined ? 'block' : 'round',
    ...{ from: places[from], to: places[length - 1], stretches },
    ...(reaps && { reaps: reaps[length - 1] - reaps[from - 1] }),
    trends: trends.toSorted((a, b) => rank[a.verdict] - rank[b.verdict]),
  };
};
