// The thread that detects long cranks. It cannot ask the main thread, which is busy: it raises a
// flag and sends the process a signal, whose handler inspects the main thread during the crank. If
// such a handler is not available, or is not called because the engine is within one long built-in
// function or collection, this thread prints what the board shows.

import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

/** @typedef {import('./crank-alarm.js').AlarmData} AlarmData */

/** @type {AlarmData} */
const { board, tellAfterMs, endAfterMs, slotBytes, places, signal } = await new Promise(watch =>
  parentPort?.once('message', watch),
);

const view = new DataView(board);
/** @type {Int32Array} */
const raised = new Int32Array(workerData.flags);
const littleEndian = true;

/** The least limit of `--max-crank-time`, too. */
const everyMs = 100;

let crank = 0;
let sinceMs = 0;
let isTold = false;
let isEnded = false;

/** @param {number} vat */
const nameOf = vat => {
  let name = '';
  for (let at = vat * slotBytes; view.getUint8(at) !== 0; at += 1)
    name += String.fromCharCode(view.getUint8(at));
  return name;
};

/** Well below the time after which an unanswered signal ends the process, which is a second. */
const handlerMs = 500;

/**
 * Have the main thread's handler print what runs.
 *
 * @param {number} flag
 * @returns {boolean}  whether it did so
 */
const askHandler = flag => {
  if (!signal) return false;
  Atomics.store(raised, 0, flag);
  process.kill(process.pid, 'SIGTERM');
  return Atomics.wait(raised, 0, flag, handlerMs) !== 'timed-out';
};

/** @param {number} vat @param {number} elapsedMs */
const tell = async (vat, elapsedMs) => {
  isTold = true;
  // Loaded before the signal is sent, which must be answered in time.
  const { loadSignalAnswer } = await import('#host/engine/signal-watch.js');
  const answerSignal = await loadSignalAnswer();
  if (askHandler(1)) return;
  // The flag stays: by it the main thread knows the signal as ours when it gets it at last.
  if (signal) answerSignal();
  writeSync(
    2,
    `swingset-runner: a crank of vat ${nameOf(vat)} has been running for ${(elapsedMs / 1_000).toFixed(1)} s\n`,
  );
};

/** @param {number} vat @param {number} elapsedMs */
const end = (vat, elapsedMs) => {
  isEnded = true;
  if (askHandler(2)) return;
  writeSync(
    2,
    `swingset-runner: --max-crank-time: ended in a crank of vat ${nameOf(vat)}, which has been running for ${(elapsedMs / 1_000).toFixed(1)} s; the state is that of the last committed block\n`,
  );
  process.kill(process.pid, 'SIGKILL');
};

setInterval(() => {
  const vat = view.getUint32(places.vat, littleEndian);
  const now = view.getInt32(places.crank, littleEndian);
  const nowMs = performance.now();
  if (vat === 0 || now !== crank || sinceMs === 0) {
    crank = now;
    sinceMs = nowMs;
    isTold = false;
    isEnded = false;
    return;
  }
  const elapsedMs = nowMs - sinceMs;
  if (!isEnded && elapsedMs >= endAfterMs) end(vat, elapsedMs);
  else if (!isTold && elapsedMs >= tellAfterMs) void tell(vat, elapsedMs);
}, everyMs);
