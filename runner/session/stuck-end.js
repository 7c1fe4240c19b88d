// Ends a process that got a signal, and is busy with a crank that never ends.

import { writeSync } from 'node:fs';
import { showInLine } from '#model';
import { signalExitCodes } from './signal-codes.js';

/** @import { EndSignal } from './signal-codes.js' */

/** @type {Record<number, EndSignal>} */
const signals = { 2: 'SIGINT', 15: 'SIGTERM' };

/** The number of checks, some seconds in all, before the process is ended although cranks go on or the runner itself works. */
const mostTurns = 20;

/** Limits names of methods, which may be long. */
export const longestName = 200;

/** @typedef {{ vatName: string, doing: string, crank: number } | undefined} AtWork */

/**
 * @param {EndSignal} signal
 * @param {AtWork} atWork
 * @param {number} elapsedMs  an upper bound of the crank's time so far
 */
const describeEnd = (signal, atWork, elapsedMs) => {
  if (atWork === undefined) return `swingset-runner: ended by ${signal}`;
  const vat = showInLine(atWork.vatName, longestName);
  const doing = showInLine(atWork.doing, longestName);
  const seconds = (elapsedMs / 1000).toFixed(1);
  return `swingset-runner: ended by ${signal} in a crank of vat ${vat}, ${doing}, which has been running for ${seconds} s; the state is that of the last committed block`;
};

/**
 * @param {object} powers
 * @param {() => AtWork} powers.findWork
 * @param {() => void} [powers.beforeEnd]  called before the process is ended during a crank
 * @param {(signal: EndSignal) => void} [powers.exit]  ends the process
 * @returns {(number: number, unanswered: number, elapsedMs: number) => void} to be called during any code, several times a
 *   second while signals are unanswered: it only inspects, and ends the process if a crank does not end
 */
export const makeStuckEnd = ({
  findWork,
  beforeEnd = () => {},
  exit = signal => process.exit(signalExitCodes[signal]),
}) => {
  let turns = 0;
  let crank = -1;
  return (number, unanswered, elapsedMs) => {
    const work = findWork();
    const signal = signals[number] ?? 'SIGTERM';
    turns += 1;
    const goesOn = work === undefined || work.crank !== crank;
    crank = work?.crank ?? -1;
    if (goesOn && unanswered < 2 && turns < mostTurns) return;
    // Without a current crank, the runner's own code was interrupted, so exit handlers that write
    // files must not run.
    if (work === undefined) process.removeAllListeners('exit');
    else beforeEnd();
    writeSync(2, `${describeEnd(signal, work, elapsedMs)}\n`);
    exit(signal);
  };
};
