// Ctrl-C and SIGTERM: the first signal ends the run when its block is committed, the second ends
// the process at once. If a vat never ends its crank, the process ends within a second, and a line
// names the vat. In each case the state is that of the last committed block. If signals cannot be
// watched during a crank (packages/native/watch-signals.js), there is no handler, and the system
// ends the process. It always does so when the terminal is closed (SIGHUP) during a run.

import { writeSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { showInLine } from '#model';
import { signalExitCodes } from './signal-codes.js';
import { longestName, makeStuckEnd } from './stuck-end.js';

/** @import { EndSignal } from './signal-codes.js' */
/** @import { AtWork } from './stuck-end.js' */

/** @param {AtWork} atWork @param {number} elapsedMs */
const describeCrank = (atWork, elapsedMs) => {
  const vat = showInLine(atWork?.vatName ?? '?', longestName);
  const doing = showInLine(atWork?.doing ?? '?', longestName);
  return `crank ${atWork?.crank} of vat ${vat}, ${doing}, has been running for ${(elapsedMs / 1000).toFixed(1)} s`;
};

/** Interval at which a crank on a thread is looked at after a signal; one that does not end ends the process at the fourth look. */
const lookMs = 250;

/** An alarm that does not report long cranks. */
const noAlarm = Object.freeze({ take: () => undefined, close() {} });

/**
 * @param {() => void} onFirst
 * @param {object} powers
 * @param {(signal: boolean) => import('./crank-alarm.js').CrankAlarm}
 *   [powers.startAlarm]  starts the watch for long cranks; `signal`: whether a handler can run
 *   during a crank
 * @param {() => AtWork} powers.findWork
 * @param {Uint8Array} powers.workBytes  the same data in shared memory, for another thread
 * @param {() => void} powers.beforeEnd  called before the process is ended during a crank
 * @param {Awaited<ReturnType<typeof import('#host').loadSignalWatch>>} powers.watchSignals
 */
export const watchInterrupts = (
  onFirst,
  { findWork, workBytes, beforeEnd, watchSignals, startAlarm = () => noAlarm },
) => {
  let isStopping = false;
  let exitCode = 0;
  let onNext = onFirst;
  /** @type {(signal: EndSignal) => void} */
  let tellEnd = () => {};
  let answer = () => {};
  /** The time of the last turn of the event loop between slices of the run. */
  let restMs = performance.now();

  /** The number of the alarm's own signals that were handled during a crank and will be delivered again. */
  let ownSignals = 0;

  const onSignal = (/** @type {EndSignal} */ signal) => {
    answer();
    if (signal === 'SIGTERM' && (ownSignals > 0 || alarm.take() !== undefined)) {
      ownSignals = Math.max(0, ownSignals - 1);
      return;
    }
    exitCode = signalExitCodes[signal];
    // The state stays that of the last committed block.
    if (isStopping) {
      tellEnd(signal);
      exit(signal);
    }
    isStopping = true;
    lookAtThread(signal);
    onNext();
  };

  let isExiting = false;

  /**
   * End the process, also if a thread is within a function of the engine that cannot be interrupted: `process.exit()`
   * waits for threads. The signal stays unanswered, so the addon ends the process after a second.
   *
   * @param {EndSignal} signal
   */
  const exit = signal => {
    isExiting = true;
    if (findWork() !== undefined) process.kill(process.pid, signal);
    process.exit(signalExitCodes[signal]);
  };

  const endStuck = makeStuckEnd({ findWork, beforeEnd, exit });

  /** @type {NodeJS.Timeout | undefined} */
  let looks;

  const endLooks = () => clearInterval(looks);

  /**
   * While a crank runs on another thread, the event loop turns, and signals are answered. End the process if that crank
   * does not end.
   *
   * @param {EndSignal} signal
   */
  const lookAtThread = signal => {
    let crank = -1;
    endLooks();
    looks = setInterval(() => {
      const work = findWork();
      if (work !== undefined && work.crank === crank)
        endStuck(signal === 'SIGINT' ? 2 : 15, 1, performance.now() - restMs);
      crank = work?.crank ?? -1;
    }, lookMs).unref();
  };

  /**
   * Called during any code: it may only inspect, and end the process.
   *
   * @param {number} number
   * @param {number} unanswered
   */
  const onStuck = (number, unanswered) => {
    if (isExiting) return;
    const work = findWork();
    const raised = alarm.take();
    if (raised !== undefined) {
      ownSignals += 1;
      answer();
      beforeEnd();
      const line = describeCrank(work, performance.now() - restMs);
      if (raised === 'tell') {
        writeSync(2, `swingset-runner: ${line}\n`);
        return;
      }
      writeSync(
        2,
        `swingset-runner: --max-crank-time: ${line}, which ends the run; the state is that of the last committed block\n`,
      );
      process.exit(1);
    }
    endStuck(number, unanswered, performance.now() - restMs);
  };

  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  const unlisten = () => {
    for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.off(signal, onSignal);
  };
  const watch = watchSignals(onStuck, workBytes);
  if (watch.reason === undefined) answer = watch.answer;
  else unlisten();
  const alarm = startAlarm(watch.reason === undefined);

  return Object.freeze({
    shouldStop: () => {
      restMs = performance.now();
      return isStopping;
    },
    get exitCode() {
      return exitCode;
    },
    /**
     * Nothing is left to commit: the next signal ends the process at once.
     *
     * @param {(signal: EndSignal) => void} tell  called before
     */
    endAtNext(tell) {
      endLooks();
      tellEnd = tell;
      isStopping = true;
    },
    /** Treat the next signal as the first one. */
    reset() {
      endLooks();
      process.off('SIGHUP', onSignal);
      isStopping = false;
      onNext = onFirst;
    },
    /** Nothing runs: the next signal calls this. @param {() => void} end */
    rest(end) {
      endLooks();
      process.off('SIGHUP', onSignal);
      process.on('SIGHUP', onSignal);
      isStopping = false;
      onNext = end;
    },
    close() {
      endLooks();
      alarm.close();
      if (watch.reason === undefined) watch.close();
      unlisten();
    },
  });
};
