// The result of a run: the figures of its report and its stats file that are compared with other runs.

import { analyseGrowth, readStatsFile, summarise } from '#stats';

/** @import { RunReport } from '#stats' */
/** @import { Job } from './jobs.js' */

/**
 * @typedef {object} Result  times in nanoseconds, sizes in bytes
 * @property {string} name
 * @property {string} demo
 * @property {string[]} argv
 * @property {boolean} forceGc
 * @property {string} madeAt  when the run ended, ISO 8601
 * @property {string} commit  of the sources, with a `+` if they were changed since
 * @property {string} noise  `idle`, or the other load of the machine
 * @property {number} totalNs  setup and rounds
 * @property {number} setupNs
 * @property {number} setupCranks  control cranks left out, here and below
 * @property {number} rounds  0 if the demo has none
 * @property {number} [roundNs]  mean of all rounds, without the setup
 * @property {number} [roundCranks]
 * @property {Record<string, number>} [perRound]  value after the rounds minus value before them, for each round
 * @property {number} [lateOverEarly]  time of the last tenth of the blocks divided by that of the second tenth, medians
 *   by crank
 * @property {string[]} [grows]  figures of the stats file that grow; absent where the run is too short to tell
 * @property {number} failedRounds  number of rounds that were rejected or not answered
 * @property {{ count: number, ns: number }} forced
 * @property {{ count: number, ns: number }} reaps
 * @property {number} heapBytes  at the end
 * @property {number} diskBytes  at the end
 * @property {string} activityHash
 */

/** Blocks in a tenth, at least, for a meaningful comparison. */
const leastInTenth = 5;

/**
 * @param {ReturnType<typeof readStatsFile>} stats
 * @returns {number | undefined}
 */
const compareTenths = ({ rows: { btime, steps }, length }) => {
  if (btime === undefined || length < leastInTenth * 10) return undefined;
  const typical = (/** @type {number} */ from, /** @type {number} */ to) =>
    summarise(
      btime
        .slice(from * length, to * length)
        .map((ns, i) => ns / steps[Math.floor(from * length) + i]),
    ).median;
  return typical(0.9, 1) / typical(0.1, 0.2);
};

const none = { count: 0, ns: 0 };

/**
 * @param {Job} job
 * @param {RunReport} report
 * @param {string} statsFile
 * @param {Pick<Result, 'madeAt' | 'commit' | 'noise'>} made
 * @returns {Result}
 */
export const makeResult = ({ name, demo, argv, forceGc }, report, statsFile, made) => {
  const stats = readStatsFile(statsFile, { label: name });
  const { benchmark, ns: totalNs = 0, forcedCollections = none, reapCollections = none } = report;
  const last = (/** @type {string} */ column) => stats.rows[column]?.at(-1) ?? 0;
  const lateOverEarly = benchmark && compareTenths(stats);
  const growth =
    benchmark &&
    analyseGrowth(stats, {
      rounds: benchmark.rounds,
      cranks: benchmark.cranks + (benchmark.controlCranks ?? 0),
    });
  return {
    ...{ name, demo, argv, forceGc, ...made, totalNs },
    setupNs: totalNs - (benchmark?.ns ?? 0),
    setupCranks: report.cranks,
    rounds: benchmark?.rounds ?? 0,
    ...(benchmark && {
      roundNs: (benchmark.ns ?? 0) / benchmark.rounds,
      roundCranks: benchmark.cranks / benchmark.rounds,
      perRound: Object.fromEntries(
        Object.entries(benchmark.delta).map(([key, value]) => [key, value / benchmark.rounds]),
      ),
    }),
    ...(lateOverEarly !== undefined && { lateOverEarly }),
    ...(growth && {
      grows: growth.trends.flatMap(({ name: figure, verdict }) =>
        verdict === 'grows' ? [figure] : [],
      ),
    }),
    failedRounds: (benchmark?.results ?? []).filter(text => !text.startsWith('fulfilled')).length,
    forced: forcedCollections,
    reaps: reapCollections,
    heapBytes: last('heapUsed'),
    diskBytes: last('disk'),
    activityHash: report.activityHash ?? '',
  };
};

/** The fields that every result has, by type. @type {Record<string, string[]>} */
const shape = {
  string: ['name', 'demo', 'madeAt', 'commit', 'noise', 'activityHash'],
  number: [
    ...['totalNs', 'setupNs', 'setupCranks', 'rounds', 'failedRounds', 'heapBytes', 'diskBytes'],
  ],
  boolean: ['forceGc'],
  object: ['argv', 'forced', 'reaps'],
};

/**
 * Whether a value read from a file is a result of this version; a continued matrix reads its results.
 *
 * @param {any} value
 * @returns {value is Result}
 */
export const isResult = value =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(shape).every(([type, keys]) =>
    keys.every(key => value[key] !== null && typeof value[key] === type),
  );
