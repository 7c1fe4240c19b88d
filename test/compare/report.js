// A run's report, as written by `--statsfile`, against a table of what it should be. Every number that the table
// has is compared, and every difference is listed, each as one line: what, expected, got.

import { normalizeResult } from './results.js';

/**
 * @typedef {object} Counter
 * @property {number} value
 * @property {number} [up]
 * @property {number} [down]
 * @property {number} [max]
 */

/**
 * @typedef {object} Report
 * @property {string} [profile]
 * @property {number} cranks  of the run without benchmark rounds; control cranks left out
 * @property {number} [controlCranks]
 * @property {number} totalCranks  with the rounds
 * @property {Record<string, Counter>} counters  when the run without rounds had ended
 * @property {object} [benchmark]
 * @property {number} benchmark.rounds
 * @property {number} benchmark.cranks
 * @property {Record<string, number>} benchmark.delta
 * @property {Record<string, number>} [benchmark.perRound]
 * @property {string[]} [benchmark.results]
 * @property {string} [bootstrapResult]
 */

/**
 * `null` or no field: the published table has a blank, so nothing is known.
 *
 * @typedef {object} ExpectedCounter
 * @property {number} value
 * @property {number | null} [incs]
 * @property {number | null} [decs]
 * @property {number | null} [max]
 */

/**
 * @typedef {object} Expected
 * @property {number} cranks
 * @property {number} [totalCranks]
 * @property {number} [finishedCranks]  the published name of `totalCranks`
 * @property {Record<string, ExpectedCounter>} counters
 * @property {object} [benchmark]
 * @property {number} benchmark.rounds
 * @property {number} benchmark.cranks
 * @property {Record<string, number>} benchmark.delta
 * @property {Record<string, number>} [benchmark.perRound]  rounded to four decimals
 * @property {string[]} [benchmark.results]
 * @property {string} [bootstrapResult]
 */

/** Published column → ours. */
const columns = /** @type {const} */ ([
  ['value', 'value'],
  ['incs', 'up'],
  ['decs', 'down'],
  ['max', 'max'],
]);

/**
 * @param {Report} report
 * @param {Expected} expected
 * @returns {string[]} no line means that they are equal
 */
export const compareReport = (report, expected) => {
  /** @type {string[]} */
  const differences = [];
  /** @type {(what: string, want: unknown, got: unknown) => void} */
  const check = (what, want, got) => {
    if (!Object.is(want, got))
      differences.push(`${what}: expected ${show(want)}, got ${show(got)}`);
  };

  check('cranks', expected.cranks, report.cranks);
  const total = expected.totalCranks ?? expected.finishedCranks;
  if (total !== undefined) check('totalCranks', total, report.totalCranks);

  for (const [name, wanted] of Object.entries(expected.counters)) {
    const counter = report.counters[name];
    if (counter === undefined) {
      differences.push(`${name}: expected ${show(wanted.value)}, got no such counter`);
      continue;
    }
    for (const [theirs, ours] of columns) {
      const want = wanted[theirs];
      if (want !== undefined && want !== null) check(`${name}.${ours}`, want, counter[ours]);
    }
  }
  checkNames(Object.keys(expected.counters), Object.keys(report.counters), differences, 'counters');
  differences.push(...checkBalance(report));

  if (expected.bootstrapResult !== undefined) {
    checkResult('bootstrapResult', expected.bootstrapResult, report.bootstrapResult, check);
  }

  const { benchmark } = expected;
  if (benchmark) {
    const ours = report.benchmark;
    if (!ours) {
      differences.push(`benchmark: expected ${benchmark.rounds} rounds, got none`);
      return differences;
    }
    check('benchmark.rounds', benchmark.rounds, ours.rounds);
    check('benchmark.cranks', benchmark.cranks, ours.cranks);
    for (const [name, want] of Object.entries(benchmark.delta)) {
      check(`benchmark.delta.${name}`, want, ours.delta[name]);
    }
    checkNames(
      Object.keys(benchmark.delta),
      Object.keys(ours.delta),
      differences,
      'benchmark.delta',
    );
    for (const [name, want] of Object.entries(benchmark.perRound ?? {})) {
      const got = ours.perRound?.[name];
      // The published figures are rounded to four decimals.
      const rounded = got === undefined ? got : Math.round(got * 10_000) / 10_000;
      check(`benchmark.perRound.${name}`, want, rounded);
    }
    if (benchmark.results) {
      check('benchmark.results.length', benchmark.results.length, ours.results?.length);
      benchmark.results.forEach((want, i) =>
        checkResult(`benchmark.results[${i}]`, want, ours.results?.[i], check),
      );
    }
  }
  return differences;
};

/**
 * `value = up − down` wherever a counter has both, whatever the table says.
 *
 * @param {Report} report
 */
export const checkBalance = ({ counters }) =>
  Object.entries(counters)
    .filter(
      ([, { value, up, down }]) => up !== undefined && down !== undefined && value !== up - down,
    )
    .map(([name, { value, up, down }]) => `${name}: value ${value} is not up ${up} − down ${down}`);

/**
 * @param {string[]} expected
 * @param {string[]} got
 * @param {string[]} differences
 * @param {string} where
 */
const checkNames = (expected, got, differences, where) => {
  const known = new Set(expected);
  const surplus = got.filter(name => !known.has(name));
  if (surplus.length > 0) {
    differences.push(`${where}: not in the expected table: ${surplus.join(', ')}`);
  }
};

/**
 * @param {string} what
 * @param {string} want
 * @param {string | undefined} got
 * @param {(what: string, want: unknown, got: unknown) => void} check
 */
const checkResult = (what, want, got, check) => {
  if (got === undefined) {
    check(what, want, got);
    return;
  }
  let normalized;
  try {
    normalized = normalizeResult(got);
  } catch (error) {
    normalized = /** @type {Error} */ (error).message;
  }
  check(what, normalizeResult(want), normalized);
};

/** @param {unknown} value */
const show = value => (value === undefined ? 'nothing' : JSON.stringify(value));
