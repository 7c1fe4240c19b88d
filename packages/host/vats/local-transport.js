// The transport of a vat on this thread: it begins a delivery, runs all jobs, and takes the syscalls. A crank here
// cannot be interrupted: one that never ends blocks the run.

import { performance } from 'node:perf_hooks';
import { types } from 'node:util';
import { tellThrown } from '#model';
import { keepFramesOfHost, keepFramesOfVats, tellEngineError } from '#loader';

/** @import { CrankResult, Transport } from '#kernel' */
/** @import { Delivery } from '#model' */
/** @import { Supervisor } from '#vat' */
/** @import { Drain } from '../engine/drain-jobs.js' */
/** @import { WorkBoard } from '../engine/work-board.js' */
/** @import { LoadMeter } from '../workers/load-meter.js' */

/**
 * The vat whose crank runs, so that an unhandled rejection can be attributed to it.
 *
 * @typedef {object} Running
 * @property {string | undefined} vatName
 * @property {Delivery | undefined} delivery  of this crank, or of the last one
 * @property {number} cranks  number of begun cranks
 * @property {WorkBoard} board  shows the running vat to other threads
 */

/**
 * @param {object} options
 * @param {string} options.vatName
 * @param {Supervisor} options.supervisor
 * @param {Drain} options.drain
 * @param {Running} options.running  shared by all vats of the thread
 * @param {(error: unknown) => void} options.onError  called with the error that ended a delivery before vat code ran
 * @param {() => void} [options.onClose]  called when the vat has ended or moved
 * @param {{ meter: LoadMeter, vatId: string }} [options.timed]  notes the times of cranks while the meter is on
 * @returns {Transport}
 */
export const makeLocalTransport = ({
  vatName,
  supervisor,
  drain: { drain },
  running,
  onError,
  onClose = () => {},
  timed,
}) => {
  /** @type {string | null} */
  let problem = null;
  const { board } = running;
  const number = board.add(vatName);
  const meter = timed?.meter;
  /** When the crank began, if it is timed. */
  let begunMs = -1;
  let timeNs = 0;
  let microstep = 0;
  let stage = 0;

  const noteTime = () => {
    const ns = (performance.now() - begunMs) * 1_000_000;
    begunMs = -1;
    if (timed !== undefined) timed.meter.note(timed.vatId, { timeNs, microstep, stage }, ns);
  };

  /** @param {unknown} error */
  const failed = error => {
    onError(error);
    const told = tellEngineError(error)?.message ?? tellThrown(error, types.isProxy);
    problem = `the delivery failed: ${told}`;
  };

  /** Whether the vat goes on with another crank of its own. */
  const goesOn = () => {
    if (problem !== null || supervisor.goesOn === undefined) return false;
    try {
      return supervisor.goesOn();
    } catch (error) {
      failed(error);
      return false;
    }
  };

  /** @returns {CrankResult} */
  const takeResult = () => {
    running.vatName = undefined;
    board.set(0);
    const result = supervisor.finish();
    if (begunMs >= 0) noteTime();
    if (problem !== null) result.fault = problem;
    return result;
  };

  /** Run further cranks while the vat goes on by itself. */
  const goOn = () => {
    if (problem !== null || supervisor.goOn === undefined) return;
    try {
      supervisor.goOn(/** @type {() => void} */ (drain));
    } catch (error) {
      failed(error);
    }
  };

  /** @param {Promise<void>} drained */
  const finishLater = async drained => {
    try {
      await drained;
      while (goesOn()) await drain();
    } finally {
      keepFramesOfHost();
    }
    return takeResult();
  };

  return Object.freeze({
    overlaps: false,
    begin(delivery, answer, when) {
      problem = null;
      if (meter !== undefined && meter.isOn) {
        ({ timeNs, microstep, stage } = when);
        begunMs = performance.now();
      }
      running.vatName = vatName;
      running.delivery = delivery;
      running.cranks += 1;
      board.set(number);
      keepFramesOfVats();
      try {
        supervisor.begin(delivery, answer, when);
      } catch (error) {
        failed(error);
      } finally {
        keepFramesOfHost();
      }
    },
    finish() {
      keepFramesOfVats();
      let isLater = false;
      try {
        const drained = drain();
        isLater = drained !== undefined;
        if (drained !== undefined) return finishLater(drained);
        goOn();
      } finally {
        if (!isLater) keepFramesOfHost();
      }
      return takeResult();
    },
    close: onClose,
  });
};
