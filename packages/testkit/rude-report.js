// Lies of a vat about its reactors: each changes a report that was right.

/** @import { ReactorReport, ReactorShape, When } from '#model' */
/** @import { Random } from './random.js' */
/** @import { StagedTag } from './rude-reactor.js' */

/** @type {readonly any[]} */
export const wrongNumbers = Object.freeze([
  ...[-1, -0, 0.5, NaN, Infinity, 2 ** 32, 2 ** 53 - 1, 2 ** 53, '0', null, 1n],
]);

const tagFields = /** @type {const} */ (['timeNs', 'microstep', 'stage']);
const nextFields = /** @type {const} */ (['nextTimeNs', 'nextMicrostep', 'nextStage']);

/** @param {ReactorReport} report @param {StagedTag | undefined} next  undefined for never */
export const setNext = (report, next) => {
  const { timeNs, microstep, stage } = next ?? { timeNs: -1, microstep: 0, stage: 0 };
  Object.assign(report, {
    ...{ nextTimeNs: timeNs, nextMicrostep: microstep, nextStage: stage },
  });
};

/**
 * Tell one lie.
 *
 * @param {ReactorReport} right  to be changed
 * @param {object} about
 * @param {Random} about.random
 * @param {When} about.when
 * @param {boolean} about.liesInRuns  the lie may depend on how far the vat may run by itself
 * @param {ReactorShape | undefined} about.shape
 * @param {boolean} about.hasCalled  whether the vat has made a syscall in this crank
 */
export const lie = (right, { random, when, liesInRuns, shape, hasCalled }) => {
  const report = /** @type {any} */ (right);
  const { grant = null } = when;
  /** @type {(() => void)[]} */
  const lies = [
    () => (report[random.pick(nextFields)] = random.pick(wrongNumbers)),
    () => (report[random.pick(nextFields)] += random.pick([-1, 1, -1000])),
    () => setNext(report, when),
    () => (report.nextTimeNs = when.timeNs - 1),
    () => (report.nextStage = 1 + random.below(3)),
    () => (report.counts[random.below(6)] = random.pick(wrongNumbers)),
    () => (report.counts[random.below(5)] = 2 ** 53 - 2),
    () => (report.counts = random.pick([null, [], [1, 2, 3, 4], '00000', undefined])),
    () => (report.quietCounts = random.pick([null, [], [-1, 0, 0, 0, 0]])),
    () => (report.shape = wrongShape(random, shape)),
    () => (report.shape = wrongShape(random, shape)),
    // A crank that changed something in the vat must not be lost: a replay would not repeat it.
    () => (report.isLoud &&= !hasCalled),
    () => (report.isLoud &&= !hasCalled),
    () => (report.isLoud &&= !hasCalled),
    () => (report.isLoud &&= !hasCalled),
    () => (report.quiet = random.pick([null, undefined, 5, [1], [], { length: 1 }])),
  ];
  if (liesInRuns)
    lies.push(
      () => (report[random.pick(tagFields)] = random.pick(wrongNumbers)),
      () => (report[random.pick(tagFields)] += random.pick([-1, 1, 1000, -1000, 1e6])),
      () => Object.assign(report, grant && { timeNs: grant.timeNs, microstep: grant.microstep }),
      () => (report.stage = 1 + random.below(3)),
      () => lieOfRun(report, random, when),
      () => lieOfRun(report, random, when),
      () => lieOfRun(report, random, when),
    );
  random.pick(lies)();
};

/** @param {ReactorReport} report @param {Random} random @param {When} when */
const lieOfRun = (report, random, { timeNs, microstep, stage, grant = null }) => {
  const { quiet } = report;
  const end = { ...(grant ?? { timeNs: timeNs + 1000, microstep: 0 }) };
  const least = Number.isFinite(end.timeNs) ? end : { timeNs: timeNs + 5000, microstep: 0 };
  const runs = [
    // Doubled.
    () => quiet.add(quiet.lastTimeNs, quiet.lastMicrostep, quiet.lastStage),
    () => quiet.length > 0 && quiet.addRun(2 + random.below(3), 0, 0, 0),
    // Missing.
    () => quiet.clear(),
    // Backwards, which may be repaired by the next.
    () => {
      quiet.add(timeNs + 300, 0, 0);
      quiet.add(timeNs + 100 + random.below(2) * 250, 0, 0);
      if (random.chance(0.5)) quiet.add(timeNs + 400, 0, 0);
    },
    () => quiet.add(timeNs - 1, 0, 0),
    // Too many, or up to the end of the grant and beyond it.
    () => quiet.add(least.timeNs, least.microstep, 0),
    () => quiet.add(least.timeNs - 1, random.below(3), random.below(2)),
    () => quiet.length > 0 && quiet.addRun(20, 1, 0, 0),
    () => quiet.length > 0 && quiet.addRun(3, 0, 1, 0),
    () => quiet.add(timeNs, microstep, stage + 1),
    () => quiet.add(timeNs + 0.5, 0, 0),
  ];
  random.pick(runs)();
  if (!Number.isInteger(quiet.lastTimeNs)) quiet.add(timeNs + 1, 0, 0);
  if (random.chance(0.6)) {
    report.timeNs = quiet.lastTimeNs;
    report.microstep = quiet.lastMicrostep + (report.isLoud ? 1 : 0);
  }
  if (random.chance(0.8)) setNext(report, { timeNs: timeNs + 5000, microstep: 0, stage: 0 });
};

/** @param {Random} random @param {ReactorShape | undefined} shape @returns {any} */
const wrongShape = (random, shape) => {
  const right = {
    ...{ inputs: [['in', 1]], outputs: [['out', 1]], actions: ['a'], dependencies: [[0]] },
    ...{ mayRequestStop: true, hasRoot: true },
    ...shape,
  };
  return random.pick([
    right,
    undefined,
    5,
    null,
    { ...right, unknown: 1 },
    { ...right, inputs: null },
    { ...right, inputs: [['in']] },
    { ...right, inputs: [['in', -1]] },
    { ...right, inputs: [['in', 2 ** 20 + 1]] },
    { ...right, inputs: [['in', 2 ** 53 - 1]] },
    { ...right, inputs: [[7, 1]] },
    { ...right, outputs: [['out', 3]] },
    { ...right, outputs: [['out', random.pick(wrongNumbers)]] },
    { ...right, dependencies: [[2 ** 31]] },
    { ...right, dependencies: [[-1]] },
    { ...right, dependencies: [1] },
    { ...right, dependencies: {} },
    { ...right, actions: [1] },
    { ...right, mayRequestStop: 1 },
    { ...right, hasRoot: undefined },
  ]);
};
