// A quiet run: consecutive cranks of a vat's reactors that got no values and made no syscalls. It is one entry of the
// transcript, which grows until the vat does something else.

/** @import { QuietEntry, TagLog } from '#model' */

/**
 * A run as the tables have it while it grows.
 *
 * @typedef {{ firstTimeNs: number, firstMicrostep: number, endTimeNs: number, endMicrostep: number, endStage: number, cranks: number }} QuietRun
 */

/**
 * Extends a run by another that follows it.
 *
 * @param {QuietRun | null} run
 * @param {TagLog} quiet  not empty
 * @returns {QuietRun}
 */
export const extendRun = (run, quiet) => ({
  firstTimeNs: run === null ? quiet.firstTimeNs : run.firstTimeNs,
  firstMicrostep: run === null ? quiet.firstMicrostep : run.firstMicrostep,
  endTimeNs: quiet.lastTimeNs,
  endMicrostep: quiet.lastMicrostep,
  endStage: quiet.lastStage,
  cranks: (run === null ? 0 : run.cranks) + quiet.length,
});

/**
 * @param {QuietRun} run
 * @returns {QuietEntry}
 */
export const asQuietEntry = run => ({
  kind: 'quiet',
  firstTag: { timeNs: run.firstTimeNs, microstep: run.firstMicrostep },
  endTag: { timeNs: run.endTimeNs, microstep: run.endMicrostep },
  endStage: run.endStage,
  cranks: run.cranks,
});
