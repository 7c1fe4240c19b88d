// Checks a vat's report of its reactors against its delivery, before any of it is used: cranks that the vat ran by
// itself lie within its grant, and the tag at which it wants to run next comes after them.

import { reactorCounts } from '#model';

/** @import { ReactorReport, ReactorShape, Tag, When } from '#model' */
/** @import { CrankResult, Flight } from '../crank/flight.js' */

/** @typedef {Tag & { stage: number }} StagedTag */

/** Nearly all counts are below 2^32, which one operation checks. @param {unknown} value @returns {boolean} */
const isCount = value =>
  /** @type {number} */ (value) >>> 0 === value ||
  (Number.isSafeInteger(value) && /** @type {number} */ (value) >= 0);

/** @param {readonly unknown[]} counts */
const areCounts = counts => {
  // A loop, since this runs in each crank.
  for (let i = 0; i < counts.length; i += 1) if (!isCount(counts[i])) return false;
  return counts.length === reactorCounts.length;
};

/** @param {StagedTag} tag @returns {boolean} */
const isTag = ({ timeNs, microstep, stage }) =>
  isCount(timeNs) && isCount(microstep) && isCount(stage);

/**
 * Below 0 if `left` is the earlier one, 0 if they are equal.
 *
 * @param {number} leftNs
 * @param {number} leftMicrostep
 * @param {Tag} right
 */
const compareTo = (leftNs, leftMicrostep, { timeNs, microstep }) =>
  leftNs === timeNs ? leftMicrostep - microstep : leftNs - timeNs;

/** @param {unknown} ports */
const arePorts = ports =>
  Array.isArray(ports) &&
  ports.every(
    port =>
      Array.isArray(port) && port.length === 2 && typeof port[0] === 'string' && isCount(port[1]),
  );

/** @param {ReactorShape['inputs']} ports */
const channelsOf = ports => ports.reduce((sum, [, width]) => sum + width, 0);

/** @param {ReactorShape} shape */
const isShape = ({ inputs, outputs, actions, dependencies, mayRequestStop, hasRoot }) => {
  if (!arePorts(inputs) || !arePorts(outputs)) return false;
  if (!Array.isArray(actions) || !actions.every(name => typeof name === 'string')) return false;
  if (typeof mayRequestStop !== 'boolean' || typeof hasRoot !== 'boolean') return false;
  if (!Array.isArray(dependencies) || dependencies.length !== channelsOf(outputs)) return false;
  const known = channelsOf(inputs);
  return dependencies.every(
    found => Array.isArray(found) && found.every(channel => isCount(channel) && channel < known),
  );
};

/**
 * Whether the cranks of a `react` were asked for: one at the item's tag, or as many from there as were granted.
 *
 * @param {ReactorReport} report
 * @param {When} when
 * @param {boolean} isTold  whether the last one is reported on its own
 */
const areAsked = ({ quiet, timeNs, microstep, stage }, when, isTold) => {
  const { length } = quiet;
  const cranks = length + (isTold ? 1 : 0);
  if (cranks === 0) return true;
  const isInOrder =
    length === 0 || compareTo(quiet.lastTimeNs, quiet.lastMicrostep, { timeNs, microstep }) <= 0;
  if (!isInOrder) return false;
  const firstNs = length > 0 ? quiet.firstTimeNs : timeNs;
  const firstMicrostep = length > 0 ? quiet.firstMicrostep : microstep;
  const firstStage = length > 0 ? quiet.firstStage : stage;
  const sinceAsked = compareTo(firstNs, firstMicrostep, when);
  if (cranks === 1 && sinceAsked === 0 && firstStage === when.stage) return true;
  const { grant = null } = when;
  if (grant === null || sinceAsked < 0 || cranks > grant.cranks) return false;
  const untilEnd = isTold
    ? compareTo(timeNs, microstep, grant)
    : compareTo(quiet.lastTimeNs, quiet.lastMicrostep, grant);
  return untilEnd < 0;
};

/**
 * @param {ReactorReport} report
 * @param {When} when  the tag that was asked for, with the grant
 * @param {boolean} isReact  whether its reactors were asked to run
 * @param {boolean} isTold  whether a crank is reported on its own: it has syscalls, or the vat fails in it
 */
const isAtItsTag = (report, when, isReact, isTold) => {
  const { quiet, timeNs, microstep, stage } = report;
  if (!isReact) return quiet.length === 0 && isTag(report);
  // Nearly all reports are of the one crank that was asked for.
  const isSame = timeNs === when.timeNs && microstep === when.microstep && stage === when.stage;
  return (isSame && quiet.length === 0) || (isTag(report) && areAsked(report, when, isTold));
};

/**
 * Whether the vat's next run is after a tag and stage.
 *
 * @param {ReactorReport} report
 * @param {Tag} tag
 * @param {number} stage  -1 for a tag at which its reactors have not run
 */
const isNextBehind = ({ nextTimeNs, nextMicrostep, nextStage }, tag, stage) => {
  const later = compareTo(nextTimeNs, nextMicrostep, tag);
  return later > 0 || (later === 0 && nextStage > stage);
};

/**
 * Whether the vat's next run is after the tag that was asked for and after the cranks that it reports.
 *
 * @param {ReactorReport} report
 * @param {When} when
 * @param {boolean} isReact
 */
const isNextLater = (report, when, isReact) => {
  const { nextTimeNs, nextMicrostep, nextStage } = report;
  if (nextTimeNs === -1) return true;
  if (!isCount(nextTimeNs) || !isCount(nextMicrostep) || !isCount(nextStage)) return false;
  return (
    isNextBehind(report, when, isReact ? when.stage : -1) &&
    isNextBehind(report, report, isReact ? report.stage : -1)
  );
};

/**
 * @param {ReactorReport} report
 * @param {When} when  the tag that was asked for, with the grant
 * @param {boolean} isReact  whether its reactors were asked to run
 * @param {boolean} hasFailed  whether the vat ends: then its next run does not matter
 * @returns {string | null} what is wrong with it, as the vat's fault
 */
const findReportProblem = (report, when, isReact, hasFailed) => {
  const { isLoud, quiet, shape } = report;
  if (!isAtItsTag(report, when, isReact, isLoud || hasFailed))
    return 'its reactors say that they have run at a tag at which they were not asked to';
  const isCounted = isLoud || !isReact;
  const areCounted =
    (!isCounted || areCounts(report.counts)) &&
    (quiet.length === 0 || areCounts(report.quietCounts));
  if (!areCounted) return 'its reactors say what they did by something else than counts';
  if (shape !== null && !isShape(shape)) return 'its reactors have ports that cannot be';
  return hasFailed || isNextLater(report, when, isReact)
    ? null
    : 'its reactors want to run at a tag that is not behind the present one';
};

/**
 * Sets the result of a flight. A report that is wrong is left out and becomes the vat's fault. (Its syscalls are
 * checked in crank/check-syscalls.js.)
 *
 * @param {Flight} flight
 * @param {CrankResult} result
 */
export const setResult = (flight, result) => {
  flight.result = result;
  const { fault, reactors } = result;
  if (!reactors) return;
  const { found, item, when } = flight;
  const isReact = found.step === 'react';
  const problem = findReportProblem(reactors, when ?? item, isReact, fault !== null);
  if (problem !== null) flight.result = { ...result, fault: fault ?? problem, reactors: null };
};

/**
 * @param {Flight} flight
 * @param {Promise<CrankResult>} result
 * @returns {Promise<void>} fulfilled when the flight has its result
 */
export const setResultLater = (flight, result) => result.then(value => setResult(flight, value));
