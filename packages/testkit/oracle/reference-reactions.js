// Runs the reactors of a vat, for the reference kernel: cranks that a vat ran by itself come first, one by one, then the
// one that it reports on its own, as if that one had been asked for.

import { reactorCounts } from '#model';
import { react } from './reference-deliveries.js';
import { addReactors, givenTo, grantOf, reactorsOf } from './reference-reactors.js';
import { judgeReport, quietCranks } from './reference-reports.js';
import { runVat } from './reference-run.js';
import { inc, must } from './world.js';

/** @import { Delivery, ReactorReport } from '#model' */
/** @import { Reached } from './reference-deliveries.js' */
/** @import { ReferenceDevice } from './reference-devices.js' */
/** @import { StagedTag } from './reference-reactors.js' */
/** @import { Code, Ran } from './reference-run.js' */
/** @import { Item, World } from './world.js' */

/**
 * @typedef {object} ReactionPowers
 * @property {(vatId: string) => Code} codeOf
 * @property {() => ReferenceDevice | undefined} device
 * @property {(item: Item, vatId: string, delivery: Delivery) => void} record  of a kept crank without syscalls
 * @property {(before: World, item: Item, to: Reached, code: Code, crank: Ran) => void} finish  keeps or drops a crank
 */

/** @param {string} vatId @param {StagedTag} tag @returns {Item} */
const reactionAt = (vatId, tag) => ({
  ...{ seq: 0, kind: 'react', vatId, target: '', message: null, class: 2 },
  ...tag,
});

/**
 * Run the reactors of a vat: zero, one or many cranks.
 *
 * @param {World} w
 * @param {Item} item  not in the queue
 * @param {{ room: number, untilNs: number }} bounds  cranks, and the last time
 * @param {ReactionPowers} powers
 * @returns {number} cranks
 */
export const runReactors = (w, item, { room, untilNs }, powers) => {
  let before = structuredClone(w);
  const { vatId, timeNs, microstep, stage = 0 } = item;
  w.timeNs = timeNs;
  w.microstep = microstep;
  const given = givenTo(w, item);
  const isGiven = given.values.length > 0 || given.isLast || given.stages.length > 0;
  const grant = isGiven ? undefined : grantOf(w, item, room, untilNs);
  const to = react(w, vatId, given);
  const tag = { timeNs, microstep, stage };
  const asked = { vatId, step: 'react', tag, grant, isGiven, before };
  let told = item;
  let cranks = 1;
  const arrive = (/** @type {Ran} */ ran) => {
    const problem = ran.refused === undefined ? judgeReport(w, asked, ran.report, ran) : null;
    if (problem !== null) ran.fault ??= ran.ended ?? problem;
    if (problem !== null) ran.report = undefined;
    if (!ran.report) return;
    const { report } = ran;
    const quiet = must(quietCranks(report.quiet));
    const isTold = report.isLoud || ran.ended !== null;
    const { timeNs: toldNs, microstep: toldMicrostep, stage: toldStage } = report;
    if (isTold)
      told = reactionAt(vatId, { timeNs: toldNs, microstep: toldMicrostep, stage: toldStage });
    if (isTold && quiet.length === 0) {
      // A vat that may go on by itself may skip the tag that it was asked for.
      w.timeNs = toldNs;
      w.microstep = toldMicrostep;
      return;
    }
    // As if only these had been asked for.
    Object.assign(w, structuredClone(before));
    runQuiet(w, vatId, quiet, report, powers);
    cranks = quiet.length + (isTold ? 1 : 0);
    ran.isQuiet = !isTold;
    before = structuredClone(w);
    if (!isTold) return;
    w.timeNs = told.timeNs;
    w.microstep = told.microstep;
    react(w, vatId, given);
  };
  const code = powers.codeOf(vatId);
  const when = grant === undefined ? tag : { ...tag, grant };
  const crank = runVat(w, code, powers.device(), to, arrive, when);
  if (!crank.isQuiet) powers.finish(before, told, to, code, crank);
  return cranks;
};

/**
 * @param {World} w
 * @param {string} vatId
 * @param {StagedTag[]} quiet
 * @param {ReactorReport} report
 * @param {ReactionPowers} powers
 */
const runQuiet = (w, vatId, quiet, report, powers) => {
  const reactors = reactorsOf(w, vatId);
  for (const tag of quiet) {
    const { timeNs, microstep, stage } = tag;
    w.timeNs = timeNs;
    w.microstep = microstep;
    inc(w, 'dispatches');
    inc(w, 'dispatchReact');
    powers.record(reactionAt(vatId, tag), vatId, ['react', [], false, []]);
    const { firstTimeNs, firstMicrostep, cranks } = reactors.quiet ?? {
      ...{ firstTimeNs: timeNs, firstMicrostep: microstep, cranks: 0 },
    };
    reactors.quiet = {
      ...{ firstTimeNs, firstMicrostep, cranks: cranks + 1 },
      ...{ endTimeNs: timeNs, endMicrostep: microstep, endStage: stage },
    };
  }
  noteReport(w, vatId, report, quiet.length > 0 ? report.quietCounts : []);
};

/** @param {World} w @param {string} vatId @param {ReactorReport} report @param {readonly number[]} counts */
export const noteReport = (w, vatId, report, counts) => {
  if (report.shape !== null) addReactors(w, vatId, report.shape);
  const { nextTimeNs, nextMicrostep, nextStage } = report;
  // A zero that is stored has no sign.
  const next = { timeNs: nextTimeNs + 0, microstep: nextMicrostep + 0, stage: nextStage + 0 };
  reactorsOf(w, vatId).own = nextTimeNs === -1 ? undefined : next;
  counts.forEach((count, i) => {
    const counter = (w.counters[reactorCounts[i]] ??= { value: 0, up: 0, down: 0, max: 0 });
    counter.value = Math.min(counter.value + count, Number.MAX_SAFE_INTEGER);
  });
};
