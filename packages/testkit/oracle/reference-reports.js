// Judges what a vat reports of its reactors, for the reference kernel. A report that breaks one ends its vat.

import { TagLog } from '#model';
import { compareStaged, compareTags, lastStageOf, widthOf } from './reference-reactors.js';

/** @import { Grant, ReactorReport, Syscall } from '#model' */
/** @import { StagedTag } from './reference-reactors.js' */
/** @import { Ran } from './reference-run.js' */
/** @import { World } from './world.js' */

/**
 * @typedef {object} Asked  a delivery
 * @property {string} vatId
 * @property {string} step
 * @property {StagedTag} tag
 * @property {Grant | undefined} grant
 * @property {boolean} isGiven  it has values or stages, or it is the last of the program
 * @property {{ timeNs: number, microstep: number }} before  tag of the crank before
 */

/** @param {unknown} value @returns {value is number} */
const isWhole = value =>
  typeof value === 'number' &&
  Number.isInteger(value) &&
  value >= 0 &&
  value <= Number.MAX_SAFE_INTEGER;

/** @param {unknown} list @param {(each: any) => boolean} is */
const isListOf = (list, is) => Array.isArray(list) && [...list].every(is);

/** @param {unknown} counts */
const areCounts = counts => isListOf(counts, isWhole) && /** @type {any} */ (counts).length === 5;

/** @param {any} shape */
const isShape = shape => {
  if (typeof shape !== 'object') return false;
  const isPort = (/** @type {any} */ port) =>
    isListOf(port, () => true) &&
    port.length === 2 &&
    typeof port[0] === 'string' &&
    isWhole(port[1]);
  const { inputs, outputs, actions, dependencies } = shape;
  if (!isListOf(inputs, isPort) || !isListOf(outputs, isPort)) return false;
  if (!isListOf(actions, action => typeof action === 'string')) return false;
  if (![shape.mayRequestStop, shape.hasRoot].every(flag => typeof flag === 'boolean')) return false;
  const known = widthOf(inputs);
  return (
    known <= 1_048_576 &&
    isListOf(dependencies, channels =>
      isListOf(channels, channel => isWhole(channel) && channel < known),
    ) &&
    dependencies.length === widthOf(outputs)
  );
};

/** The quiet cranks of a report; undefined if that is no log. @param {unknown} quiet @returns {StagedTag[] | undefined} */
export const quietCranks = quiet => {
  if (/** @type {any} */ (quiet).length === 0) return [];
  if (!(quiet instanceof TagLog)) return undefined;
  /** @type {StagedTag[]} */
  const cranks = [];
  quiet.each((timeNs, microstep, stage) => cranks.push({ timeNs, microstep, stage }));
  const last = {
    timeNs: quiet.lastTimeNs,
    microstep: quiet.lastMicrostep,
    stage: quiet.lastStage,
  };
  const end = cranks[cranks.length - 1];
  return compareStaged(end, last) === 0 ? cranks : undefined;
};

/**
 * @param {World} w
 * @param {Asked} asked
 * @param {ReactorReport | null | undefined} report
 * @param {Pick<Ran, 'ended' | 'syscalls' | 'answers' | 'reads'>} crank
 * @returns {string | null} the fault of the vat
 */
export const judgeReport = (w, asked, report, crank) => {
  const { step } = asked;
  const hasFailed = crank.ended !== null;
  if (!report)
    return step === 'react' && !hasFailed ? 'its reactors have run and report nothing' : null;
  const reactors = w.reactors.get(asked.vatId);
  if (step !== 'upgrade' && (step === 'start' ? report.shape === null : reactors === undefined))
    return 'it reports reactors that it does not have';
  const noReport = 'its report of its reactors is not one';
  if (report.quiet === null || report.quiet === undefined)
    return shapeAtWrongTime(step, report) ?? noReport;
  return (
    shapeAtWrongTime(step, report) ??
    judgeCranks(asked, report, hasFailed, lastStageOf(reactors)) ??
    judgeCounts(step, report) ??
    (report.shape === null || isShape(report.shape)
      ? null
      : 'its reactors have ports that cannot be') ??
    (hasFailed
      ? null
      : (judgeNext(asked, report, lastStageOf(reactors)) ?? judgeWork(w, asked, report, crank)))
  );
};

/** @param {string} step @param {ReactorReport} report */
const shapeAtWrongTime = (step, { shape }) =>
  shape !== null && step !== 'start' && step !== 'upgrade'
    ? 'its reactors have ports that cannot be'
    : null;

/** @param {Asked} asked @param {ReactorReport} report @param {boolean} hasFailed @param {number} lastStage */
const judgeCranks = ({ step, tag, grant }, report, hasFailed, lastStage) => {
  const wrong = 'its reactors say that they have run at a tag at which they were not asked to';
  const own = { timeNs: report.timeNs, microstep: report.microstep, stage: report.stage };
  if (!Object.values(own).every(isWhole)) return wrong;
  const quiet = quietCranks(report.quiet);
  if (quiet === undefined) return wrong;
  if (step !== 'react') return quiet.length === 0 ? null : wrong;
  const cranks = report.isLoud || hasFailed ? [...quiet, own] : quiet;
  const areTags = cranks.every(
    each => Object.values(each).every(isWhole) && each.stage <= lastStage,
  );
  const areLater = cranks.every((each, i) => i === 0 || compareStaged(cranks[i - 1], each) < 0);
  const isBehind = quiet.length === 0 || compareTags(quiet[quiet.length - 1], own) <= 0;
  if (!areTags || !areLater || !isBehind) return wrong;
  if (cranks.length === 0) return null;
  const sinceAsked = compareStaged(cranks[0], tag);
  if (cranks.length === 1 && sinceAsked === 0) return null;
  const isGranted =
    grant !== undefined &&
    sinceAsked >= 0 &&
    cranks.length <= grant.cranks &&
    compareTags(cranks[cranks.length - 1], grant) < 0;
  return isGranted ? null : wrong;
};

/** @param {string} step @param {ReactorReport} report */
const judgeCounts = (step, { isLoud, quiet, counts, quietCounts }) => {
  const isRight =
    ((!isLoud && step === 'react') || areCounts(counts)) &&
    (quiet.length === 0 || areCounts(quietCounts));
  return isRight ? null : 'its reactors say what they did by something else than counts';
};

/** @param {Asked} asked @param {ReactorReport} report @param {number} lastStage */
const judgeNext = ({ step, tag }, report, lastStage) => {
  const next = {
    timeNs: report.nextTimeNs,
    microstep: report.nextMicrostep,
    stage: report.nextStage,
  };
  if (next.timeNs === -1) return null;
  const isRight =
    Object.values(next).every(isWhole) &&
    next.microstep < 2 ** 32 &&
    next.stage <= lastStage &&
    [tag, report].every(before =>
      step === 'react'
        ? compareStaged(next, {
            timeNs: before.timeNs,
            microstep: before.microstep,
            stage: before.stage,
          }) > 0
        : compareTags(next, before) >= 0,
    );
  return isRight ? null : 'its reactors want to run at a tag that is not behind the present one';
};

/** @param {World} w @param {Asked} asked @param {ReactorReport} report @param {Pick<Ran, 'syscalls' | 'answers' | 'reads'>} crank */
const judgeWork = (w, asked, report, { syscalls, answers, reads }) => {
  if (asked.step !== 'react') return null;
  if (report.isLoud)
    return isInTime(w, asked.vatId, report.stage, syscalls)
      ? null
      : 'its reactors write an output at a stage at which others may have read it';
  if (asked.isGiven || syscalls.length + answers.length + reads.length > 0)
    return 'its reactors leave out of their report a crank with values, syscalls or answers';
  if (report.quiet.length > 0) return null;
  const { tag, before } = asked;
  const endsTag = tag.timeNs === before.timeNs && tag.microstep <= before.microstep + 1;
  const goesOn = report.nextTimeNs === tag.timeNs && report.nextMicrostep === tag.microstep;
  return endsTag || goesOn || report.nextTimeNs === -1
    ? null
    : 'its reactors asked to run, and then had nothing to do';
};

/** @param {World} w @param {string} vatId @param {number} stage @param {readonly Syscall[]} syscalls */
const isInTime = (w, vatId, stage, syscalls) => {
  for (const syscall of syscalls) {
    if (syscall[0] !== 'setPort') continue;
    for (const { to, channel, afterNs, isPhysical } of w.reactors.get(vatId)?.links[syscall[1]] ??
      []) {
      const reader = w.reactors.get(to);
      if (reader && afterNs < 0 && !isPhysical && reader.stages[channel] <= stage) return false;
    }
  }
  return true;
};
