// Ctrl-C: the first lets the block end and be committed, the second ends the process where it stands. A vat that never ends
// its crank does not hold it up: then the process ends within a second, and a line says which vat it was. In each case the
// state is that of the last committed block. Where that cannot be had (packages/native/watch-signals.js), nobody listens,
// and the system ends the process.

import { writeSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { showInLine } from '#model';

/** By custom, 128 and the signal's number. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 };

/** @typedef {keyof typeof exitCodes} Signal */

/** @type {Record<number, Signal>} */
const signals = { 2: 'SIGINT', 15: 'SIGTERM' };

/** So often it is waited when cranks go on, or when the runner itself is at work: some seconds. */
const mostTurns = 20;

/** A method's name may be anything. */
const longestName = 200;

/** @typedef {{ vatName: string, doing: string, crank: number } | undefined} AtWork */

/**
 * @param {Signal} signal
 * @param {AtWork} atWork
 * @param {number} elapsedMs  since the crank began, at most
 */
const describeEnd = (signal, atWork, elapsedMs) => {
  if (atWork === undefined) return `swingset-runner: ended by ${signal}`;
  const vat = showInLine(atWork.vatName, longestName);
  const doing = showInLine(atWork.doing, longestName);
  const seconds = (elapsedMs / 1000).toFixed(1);
  return `swingset-runner: ended by ${signal} in a crank of vat ${vat}, ${doing}, which has been running for ${seconds} s; the state is that of the last committed block`;
};

/** @param {AtWork} atWork @param {number} elapsedMs */
const describeCrank = (atWork, elapsedMs) => {
  const vat = showInLine(atWork?.vatName ?? '?', longestName);
  const doing = showInLine(atWork?.doing ?? '?', longestName);
  return `crank ${atWork?.crank} of vat ${vat}, ${doing}, has been running for ${(elapsedMs / 1000).toFixed(1)} s`;
};

/** Nothing is told of long cranks. */
const noAlarm = Object.freeze({ take: () => undefined, close() {} });

/**
 * @param {() => void} onFirst
 * @param {object} powers
 * @param {(signal: boolean) => ReturnType<typeof import('./crank-alarm.js').startCrankAlarm>} [powers.startAlarm]  begins to
 *   watch for long cranks; `signal`: the process can look at itself in the midst of one
 * @param {() => AtWork} powers.findWork
 * @param {Uint8Array} powers.workBytes  the same for another thread
 * @param {() => void} powers.beforeEnd  called before the process is ended in the midst of a crank
 * @param {Awaited<ReturnType<typeof import('#host').loadSignalWatch>>} powers.watchSignals
 */
export const watchInterrupts = (
  onFirst,
  { findWork, workBytes, beforeEnd, watchSignals, startAlarm = () => noAlarm },
) => {
  let isStopping = false;
  let exitCode = 0;
  let answer = () => {};
  /** When JavaScript last came to rest between slices of the run. */
  let restMs = performance.now();

  /** The alarm's own signal has been dealt with in the midst of a crank, and comes again. */
  let ownSignals = 0;

  const onSignal = (/** @type {Signal} */ signal) => {
    answer();
    if (signal === 'SIGTERM' && (ownSignals > 0 || alarm.take() !== undefined)) {
      ownSignals = Math.max(0, ownSignals - 1);
      return;
    }
    exitCode = exitCodes[signal];
    // The state stays that of the last committed block.
    if (isStopping) process.exit(exitCode);
    isStopping = true;
    onFirst();
  };

  let turns = 0;
  let crank = -1;

  /**
   * Called in the midst of whatever runs: it may only look, and end the process.
   *
   * @param {number} number
   * @param {number} unanswered
   */
  const onStuck = (number, unanswered) => {
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
    const signal = signals[number] ?? 'SIGTERM';
    turns += 1;
    const goesOn = work === undefined || work.crank !== crank;
    crank = work?.crank ?? -1;
    if (goesOn && unanswered < 2 && turns < mostTurns) return;
    // Without a crank at work the runner itself may be half done with something: handlers that write files are not called
    // then.
    if (work === undefined) process.removeAllListeners('exit');
    else beforeEnd();
    writeSync(2, `${describeEnd(signal, work, performance.now() - restMs)}\n`);
    process.exit(exitCodes[signal]);
  };

  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  const unlisten = () => {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
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
    /** Makes the next interrupt the first again. */
    reset() {
      isStopping = false;
    },
    close() {
      alarm.close();
      if (watch.reason === undefined) watch.close();
      unlisten();
    },
  });
};
