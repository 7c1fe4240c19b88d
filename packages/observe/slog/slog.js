// The slog: an observer that writes each crank as a line of JSON (fields: README.md). The clock and the buffer are
// here. Many lines are written at once, so that a run seldom waits for the file.

import { javaScriptClock } from '../clock.js';
import { JsonBytes } from './json-bytes.js';
import {
  writeBegin,
  writeCommit,
  writeEffects,
  writeFinish,
  writeHead,
  writeQuiet,
  writeUnfinished,
} from './slog-lines.js';

/** @import { CrankObserver, Kernel } from '#kernel' */
/** @import { Clock } from '../clock.js' */

/** The buffer is written when it has this many bytes at the end of a crank. */
const pieceSize = 64 * 1024;

/** A commit writes the buffer if the last such write was this long ago. */
const patienceMs = 100;

/**
 * @typedef {object} Slog  its parts are options of `makeSimulation`
 * @property {CrankObserver} crankObserver
 * @property {(kernel: Kernel) => void} begin  called once, before the first crank
 * @property {() => void} flush  write the buffer; to be called at the end of the run, also after an error
 */

/**
 * @param {object} powers
 * @param {(lines: Uint8Array) => void} powers.write  gets whole lines in UTF-8; it must write them before it returns,
 *   since the buffer is reused; an error of it ends the run
 * @param {Clock} [powers.clock]
 * @returns {Slog}
 */
export const makeSlog = ({ write, clock = javaScriptClock }) => {
  const { nowNs } = clock;
  const out = new JsonBytes(2 * pieceSize);
  /** @type {Kernel | undefined} */
  let kernel;
  /** Vats whose names were written. @type {Set<string>} */
  const named = new Set();
  let crankNum = 0;
  let isInCrank = false;
  let hasFailed = false;
  let startNs = 0;
  let vatNs = -1;
  let commitNs = 0;
  let writtenMs = 0;

  const flush = () => {
    if (isInCrank) writeUnfinished(out);
    isInCrank = false;
    if (out.length === 0) return;
    const lines = out.view();
    out.clear();
    // After a failed write nothing more is written, so that a slog has no gap.
    if (hasFailed) return;
    hasFailed = true;
    write(lines);
    hasFailed = false;
  };

  /** @param {string} vatId @returns {string | undefined} */
  const findNewName = vatId => {
    if (vatId === '' || named.has(vatId)) return undefined;
    named.add(vatId);
    return kernel?.vatName(vatId);
  };

  const crankObserver = Object.freeze({
    /** @type {NonNullable<CrankObserver['begins']>} */
    begins(flight, number) {
      crankNum = number;
      isInCrank = true;
      vatNs = -1;
      writeBegin(out, flight, number, findNewName(flight.vatId));
      startNs = nowNs();
    },
    /** @type {NonNullable<CrankObserver['ran']>} */
    ran({ vatId }, quiet) {
      crankNum += quiet.length;
      writeQuiet(out, vatId, quiet, { crankNum, newName: findNewName(vatId) });
      if (out.length >= pieceSize) flush();
    },
    delivered() {
      vatNs = Math.round(nowNs() - startNs);
    },
    /** @type {NonNullable<CrankObserver['applied']>} */
    applied(flight) {
      const ns = Math.round(nowNs() - startNs);
      writeEffects(out, flight);
      writeFinish(out, flight, vatNs, ns);
      isInCrank = false;
      if (out.length >= pieceSize) flush();
    },
    commits() {
      commitNs = nowNs();
    },
    committed() {
      const timeMs = Date.now();
      writeCommit(out, crankNum, Math.round(nowNs() - commitNs), timeMs);
      // The absolute value covers a system clock that was set back.
      if (Math.abs(timeMs - writtenMs) < patienceMs) return;
      writtenMs = timeMs;
      flush();
    },
  });

  return Object.freeze({
    crankObserver,
    begin(/** @type {Kernel} */ begun) {
      kernel = begun;
      crankNum = kernel.cranks.all;
      for (const { vatId } of kernel.vats()) named.add(vatId);
      writeHead(out, kernel, { clock: clock.name, timeMs: Date.now() });
    },
    flush,
  });
};
