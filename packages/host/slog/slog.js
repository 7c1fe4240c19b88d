// The slog: what the kernel does, crank by crank, as lines of JSON. README.md says what stands in them. The kernel
// tells it what happens; the clock, the text and the buffer are here. What was told of a block is written when the
// block is committed, so that a run does not wait for a file in the middle of one.

import {
  formatBegin,
  formatCommit,
  formatFinish,
  formatHead,
  formatSyscalls,
} from './slog-lines.js';

/** @import { CrankObserver, Kernel } from '#kernel' */

/** A block that is longer than this is written in pieces. */
const maxCharacters = 1024 * 1024;

const nsPerMs = 1_000_000;

/** @param {number} ms */
const toNs = ms => Math.round(ms * nsPerMs);

/**
 * @typedef {object} Slog  to be given to `makeSimulation`
 * @property {CrankObserver} crankObserver  the kernel's
 * @property {(kernel: Kernel) => void} begin  called once, before the first crank
 * @property {() => void} flush  write what was not written yet: for the end, however the run ends
 */

/**
 * @param {object} powers
 * @param {(text: string) => void} powers.write  whole lines, many at a time; what it throws ends the run
 * @returns {Slog}
 */
export const makeSlog = ({ write }) => {
  let text = '';
  /** @type {Kernel | undefined} */
  let kernel;
  let crankNum = 0;
  let startMs = 0;
  let vatMs = -1;
  let commitMs = 0;

  const flush = () => {
    if (text === '') return;
    const piece = text;
    text = '';
    write(piece);
  };

  /** @type {CrankObserver} */
  const crankObserver = Object.freeze({
    begins(flight, number) {
      crankNum = number;
      vatMs = -1;
      const name = kernel?.vatName(flight.vatId);
      text += formatBegin(flight, crankNum, name);
      startMs = performance.now();
    },
    delivered() {
      vatMs = performance.now() - startMs;
    },
    applied(flight) {
      const ns = toNs(performance.now() - startMs);
      if (flight.result !== null) text += formatSyscalls(flight, flight.result, crankNum);
      text += formatFinish(flight, crankNum, vatMs < 0 ? -1 : toNs(vatMs), ns);
      if (text.length > maxCharacters) flush();
    },
    commits() {
      commitMs = performance.now();
    },
    committed() {
      text += formatCommit(crankNum, toNs(performance.now() - commitMs), Date.now());
      flush();
    },
  });

  return Object.freeze({
    crankObserver,
    begin(begun) {
      kernel = begun;
      crankNum = kernel.cranks.all;
      text += formatHead(kernel, Date.now());
    },
    flush,
  });
};
