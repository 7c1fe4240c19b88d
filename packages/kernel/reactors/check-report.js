// Checks a vat's report of its reactors against its delivery, before any of it is used: only a vat with reactors reports
// any, its cranks follow each other within its grant, and the tag at which it wants to run next comes after them. A
// report may be anything: what is wrong with it ends its vat, and never the run.

import { reactorCounts, TagLog } from '#model';

/** @import { ReactorReport, ReactorShape, Tag, When } from '#model' */
/** @import { CrankResult, Flight } from '../crank/flight.js' */
/** @import { KernelState } from '../tables/state.js' */
/** @import { PortLink, ReactorEntry } from './reactor-rows.js' */

/** @typedef {Tag & { stage: number }} StagedTag */

/** Channels of a vat's inputs or outputs, at most: the kernel makes a list of them. */
const mostChannels = 2 ** 20;

/** The microstep at which a vat may want to run, at most: the kernel counts on from there. */
const lastMicrostep = 2 ** 32 - 1;

const notThere = 'it reports reactors that it does not have';
const unread = 'its report of its reactors is not one';
const unreported = 'its reactors have run and report nothing';
const wrongTag = 'its reactors say that they have run at a tag at which they were not asked to';
const wrongCounts = 'its reactors say what they did by something else than counts';
const wrongPorts = 'its reactors have ports that cannot be';
const wrongNext = 'its reactors want to run at a tag that is not behind the present one';
const leftOut = 'its reactors leave out of their report a crank with values, syscalls or answers';
const idle = 'its reactors asked to run, and then had nothing to do';
const tooLate = 'its reactors write an output at a stage at which others may have read it';

/** Nearly all counts are below 2^32, which one operation checks. @param {unknown} value @returns {boolean} */
const isCount = value =>
  typeof value === 'number' &&
  (value >>> 0 === value || (Number.isSafeInteger(value) && value >= 0));

/** @param {readonly unknown[]} counts */
const areCounts = counts => {
  if (!Array.isArray(counts)) return false;
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

/**
 * Whether a report is of the tag and stage that were asked for.
 *
 * @param {When} when
 * @param {ReactorReport} report
 */
const isAt = (when, { timeNs, microstep, stage }) =>
  timeNs === when.timeNs && microstep === when.microstep && stage === when.stage;

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
export const isShape = shape => {
  if (typeof shape !== 'object' || shape === null) return false;
  const { inputs, outputs, actions, dependencies, mayRequestStop, hasRoot } = shape;
  if (!arePorts(inputs) || !arePorts(outputs)) return false;
  if (!Array.isArray(actions) || !actions.every(name => typeof name === 'string')) return false;
  if (typeof mayRequestStop !== 'boolean' || typeof hasRoot !== 'boolean') return false;
  if (!Array.isArray(dependencies) || dependencies.length !== channelsOf(outputs)) return false;
  const known = channelsOf(inputs);
  if (known > mostChannels) return false;
  return dependencies.every(
    found => Array.isArray(found) && found.every(channel => isCount(channel) && channel < known),
  );
};

/**
 * Whether the cranks of a log follow each other, each at a later tag or stage.
 *
 * @param {unknown} quiet  not empty, if it is a log
 * @param {number} lastStage  of the vat
 */
const isInOrder = (quiet, lastStage) => {
  if (!(quiet instanceof TagLog)) return false;
  const { firstTimeNs, firstMicrostep, firstStage } = quiet;
  let timeNs = firstTimeNs;
  let microstep = firstMicrostep;
  let stage = firstStage;
  let isRight = isCount(timeNs) && isCount(microstep) && isCount(stage) && stage <= lastStage;
  quiet.eachRun((count, elapsedNs, microsteps, nextStage) => {
    isRight &&= isCount(elapsedNs) && isCount(microsteps) && isCount(nextStage);
    const isLater = elapsedNs > 0 || microsteps > 0 || (count === 1 && nextStage > stage);
    isRight &&= isLater && nextStage <= lastStage;
    timeNs += count * elapsedNs;
    microstep = elapsedNs === 0 ? microstep + count * microsteps : microsteps;
    stage = nextStage;
  });
  const { lastTimeNs, lastMicrostep: endMicrostep } = quiet;
  // A log to which an earlier tag was added does not add up.
  const isSum = timeNs === lastTimeNs && microstep === endMicrostep;
  return isRight && isSum && isCount(timeNs) && isCount(microstep);
};

/**
 * Whether the cranks of a `react` were asked for: one at the item's tag, or as many from there as were granted.
 *
 * @param {ReactorReport} report
 * @param {When} when
 * @param {boolean} isTold  whether the last one is reported on its own
 * @param {number} lastStage  of the vat
 */
const areAsked = ({ quiet, timeNs, microstep, stage }, when, isTold, lastStage) => {
  const { length } = quiet;
  if (length !== 0) {
    if (!isInOrder(quiet, lastStage)) return false;
    const sinceLast = timeNs - quiet.lastTimeNs || microstep - quiet.lastMicrostep;
    if (sinceLast < 0) return false;
    if (isTold && sinceLast === 0 && stage <= quiet.lastStage) return false;
  }
  if (isTold && stage > lastStage) return false;
  const cranks = length + (isTold ? 1 : 0);
  if (cranks === 0) return true;
  const firstNs = length > 0 ? quiet.firstTimeNs : timeNs;
  const firstMicrostep = length > 0 ? quiet.firstMicrostep : microstep;
  const firstStage = length > 0 ? quiet.firstStage : stage;
  const sinceAsked = compareTo(firstNs, firstMicrostep, when) || firstStage - when.stage;
  if (cranks === 1 && sinceAsked === 0) return true;
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
 * @param {number} lastStage  of the vat
 */
const isAtItsTag = (report, when, isReact, isTold, lastStage) => {
  const { quiet } = report;
  if (!isReact) return quiet.length === 0 && isTag(report);
  // Nearly all reports are of the one crank that was asked for.
  return (
    (isAt(when, report) && quiet.length === 0) ||
    (isTag(report) && areAsked(report, when, isTold, lastStage))
  );
};

/**
 * Whether the vat's next run is after a tag and stage.
 *
 * @param {ReactorReport} report
 * @param {number} timeNs
 * @param {number} microstep
 * @param {number} stage  -1 for a tag at which its reactors have not run
 */
const isNextBehind = ({ nextTimeNs, nextMicrostep, nextStage }, timeNs, microstep, stage) =>
  nextTimeNs > timeNs ||
  (nextTimeNs === timeNs &&
    (nextMicrostep > microstep || (nextMicrostep === microstep && nextStage > stage)));

/**
 * Whether the vat's next run is after the tag that was asked for and after the cranks that it reports.
 *
 * @param {ReactorReport} report
 * @param {When} when
 * @param {boolean} isReact
 * @param {number} lastStage  of the vat
 */
const isNextLater = (report, when, isReact, lastStage) => {
  const { nextTimeNs, nextMicrostep, nextStage, timeNs, microstep, stage } = report;
  if (nextTimeNs === -1) return true;
  if (!isCount(nextTimeNs) || !isCount(nextMicrostep) || !isCount(nextStage)) return false;
  if (nextMicrostep > lastMicrostep || nextStage > lastStage) return false;
  if (!isNextBehind(report, timeNs, microstep, isReact ? stage : -1)) return false;
  // Nearly all reports are of the tag that was asked for.
  return (
    isAt(when, report) ||
    isNextBehind(report, when.timeNs, when.microstep, isReact ? when.stage : -1)
  );
};

/**
 * Whether a vat may have found nothing to do at the tag that was asked for. It may if it goes on at a later stage of that
 * tag, or if it had asked for the tag directly after its last one, since the end of a tag shows what comes then. So such
 * answers come to an end, although no crank counts them.
 *
 * @param {ReactorReport} report
 * @param {When} when
 * @param {Tag} before  the tag of the crank before
 */
const mayBeIdle = ({ nextTimeNs, nextMicrostep }, { timeNs, microstep }, before) =>
  nextTimeNs === -1 ||
  (nextTimeNs === timeNs && nextMicrostep === microstep) ||
  (timeNs === before.timeNs && microstep <= before.microstep + 1);

/**
 * Whether each written value arrives at a later stage: at the stage of the crank and before it, others have read their
 * inputs.
 *
 * @param {KernelState} state
 * @param {ReactorEntry} entry
 * @param {CrankResult} result
 * @param {number} stage  of the crank
 */
const areInTime = ({ reactors }, entry, { syscalls }, stage) => {
  // Values without delay arrive at stage 1 or later.
  if (stage === 0) return true;
  const links = reactors.linksOf(entry);
  for (let i = 0; i < syscalls.length; i += 1) {
    const syscall = syscalls[i];
    const reached = syscall[0] === 'setPort' ? links[syscall[1]] : undefined;
    if (reached !== undefined && !reached.every(link => isReachedInTime(link, stage))) return false;
  }
  return true;
};

/**
 * @param {PortLink} link
 * @param {number} stage  of the crank that writes a value to it
 */
const isReachedInTime = ({ entry: to, channel, delayNs, isPhysical }, stage) =>
  delayNs >= 0 || isPhysical || !to.isThere || to.row.stages[channel] > stage;

/**
 * @param {Flight} flight
 * @param {CrankResult} result
 * @param {ReactorReport} report
 * @param {KernelState} state
 * @param {Tag} before  the tag of the crank before
 * @returns {string | null} what is wrong with the report, as the vat's fault
 */
const findReportProblem = (flight, result, report, state, before) => {
  const { found, item, when, parts } = flight;
  const hasFailed = result.fault !== null;
  const isReact = found.step === 'react';
  const asked = when ?? item;
  const { isLoud, quiet, shape } = report;
  const entry = parts === null ? undefined : state.reactors.findOf(parts);
  if (found.step === 'start') {
    if (shape === null) return notThere;
  } else if (found.step !== 'upgrade') {
    // The kernel itself refuses an upgrade to or of reactors.
    if (entry === undefined) return notThere;
    if (shape !== null) return wrongPorts;
  }
  const cranks = quiet.length;
  const lastStage = entry === undefined ? 0 : entry.row.lastStage;
  const isTold = isLoud || hasFailed;
  if (!isAtItsTag(report, asked, isReact, isTold, lastStage)) return wrongTag;
  const isCounted = isLoud || !isReact;
  const areCounted =
    (!isCounted || areCounts(report.counts)) && (cranks === 0 || areCounts(report.quietCounts));
  if (!areCounted) return wrongCounts;
  if (shape !== null && !isShape(shape)) return wrongPorts;
  if (hasFailed) return null;
  if (!isNextLater(report, asked, isReact, lastStage)) return wrongNext;
  if (!isReact || entry === undefined) return null;
  if (isLoud) return areInTime(state, entry, result, report.stage) ? null : tooLate;
  const isGiven = found.values.length > 0 || found.isLast || found.stages.length > 0;
  const hasAsked = result.syscalls.length > 0 || result.answers.length > 0;
  if (isGiven || hasAsked || flight.clockReads.length > 0) return leftOut;
  return cranks > 0 || mayBeIdle(report, asked, before) ? null : idle;
};

/**
 * Sets the result of a flight. A report that is wrong is left out and becomes the vat's fault. (Its syscalls are
 * checked in crank/check-syscalls.js.)
 *
 * @param {Flight} flight
 * @param {CrankResult} result
 * @param {KernelState} state
 * @param {Tag} before  the tag of the crank before
 */
export const setResult = (flight, result, state, before) => {
  flight.result = result;
  const { fault, reactors } = result;
  if (!reactors) {
    if (flight.found.step === 'react' && fault === null)
      flight.result = { ...result, fault: unreported, reactors: null };
    return;
  }
  /** @type {string | null} */
  let problem;
  try {
    problem = findReportProblem(flight, result, reactors, state, before);
  } catch (error) {
    // A field is of another type.
    if (!(error instanceof TypeError)) throw error;
    problem = unread;
  }
  if (problem !== null) flight.result = { ...result, fault: fault ?? problem, reactors: null };
};

/**
 * @param {Flight} flight
 * @param {Promise<CrankResult>} result
 * @param {KernelState} state
 * @param {Tag} before
 * @returns {Promise<void>} fulfilled when the flight has its result
 */
export const setResultLater = (flight, result, state, before) =>
  result.then(value => setResult(flight, value, state, before));
