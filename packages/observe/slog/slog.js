// The slog: what the kernel does, crank by crank, as lines of JSON. README.md says what stands in them. The kernel
// tells it what happens; the clock and the buffer are here. Lines are written many at a time, so that a run seldom
// waits for the file.

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

/** As many bytes are written at once, and the rest of the last crank. */
const pieceSize = 64 * 1024;

/** A block that is committed so long after the last piece is written at once. */
const patienceMs = 100;

/**
 * @typedef {object} Slog  to be given to `makeSimulation`
 * @property {CrankObserver} crankObserver  the kernel's
 * @property {(kernel: Kernel) => void} begin  called once, before the first crank
 * @property {() => void} flush  write what was not written yet: for the end, however the run ends
 */

/**
 * @param {object} powers
 * @param {(lines: Uint8Array) => void} powers.write  whole lines in UTF-8, many at a time, to be written before it
 *   returns: the bytes are used again; what it throws ends the run
 * @param {Clock} [powers.clock]
 * @returns {Slog}
 */
export const makeSlog = ({ write, clock = javaScriptClock }) => {
  const { nowNs } = clock;
  const out = new JsonBytes(2 * pieceSize);
  /** @type {Kernel | undefined} */
  let kernel;
  /** Vats whose names have been told. @type {Set<string>} */
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
    // Behind lines that could not be written comes none: a slog has no gap.
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
      // Also if the system's clock was put back.
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
