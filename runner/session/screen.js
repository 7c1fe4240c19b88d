// Shows the progress of a command: a bar in the last line of a terminal, or an occasional line
// where there is no terminal. Results go to standard output, all else to standard error.

import { showInLine, showLines, showText } from '#model';
import { makePaint } from '../color.js';

/** @import { Flags } from '../cli.js' */
/** @import { Paint } from '../color.js' */

/** Intervals of the bar on a terminal, and of lines elsewhere. */
const barEveryMs = 50;
const lineEveryMs = 2_000;

const barWidth = 30;
const clearLine = '\r\u001b[K';

/** @param {number} share  0 to 1 */
const drawBar = share => {
  const full = Math.round(Math.min(1, Math.max(0, share)) * barWidth);
  return '█'.repeat(full) + '░'.repeat(barWidth - full);
};

/**
 * @param {object} [options]
 * @param {Flags} [options.flags]  `json`: no text on standard output; `quiet`: neither progress nor
 *   notes
 * @param {NodeJS.WriteStream} [options.stdout]
 * @param {NodeJS.WriteStream} [options.stderr]
 */
export const makeScreen = ({
  flags: { json: isJson = false, quiet: isQuiet = false } = {},
  stdout = process.stdout,
  stderr = process.stderr,
} = {}) => {
  const paint = makePaint(stdout);
  const paintAside = makePaint(stderr);
  const isTerminal = Boolean(stderr.isTTY);
  const everyMs = isTerminal ? barEveryMs : lineEveryMs;
  let dueMs = performance.now() + (isTerminal ? 0 : lineEveryMs);
  let hasBar = false;

  const clear = () => {
    if (hasBar) stderr.write(clearLine);
    hasBar = false;
  };

  return Object.freeze({
    isJson,
    isQuiet,

    /**
     * @param {string} text  a result, for people
     * @param {object} [how]
     * @param {boolean} [how.isResult]  print with --json too: the text is JSON
     * @param {(text: string, paint: Paint) => string} [how.color]  adds colours to text that is
     *   safe for a terminal
     */
    print(text, { isResult = false, color = safe => safe } = {}) {
      if (isJson && !isResult) return;
      clear();
      stdout.write(color(showText(text), paint));
    },

    /** @param {string} text  lines that a flag asks for; with --json they go to standard error */
    say(text) {
      clear();
      (isJson ? stderr : stdout).write(showText(text));
    },

    /** @param {string} line  a problem */
    tell(line) {
      clear();
      stderr.write(`${showLines(line)}\n`);
    },

    /** @param {string} line  a note, not a problem */
    note(line) {
      if (isQuiet) return;
      clear();
      stderr.write(`${showLines(line)}\n`);
    },

    /**
     * Update the progress; calls more frequent than the interval cost little.
     *
     * @param {() => { share: number, text: string }} describe
     */
    progress(describe) {
      if (isQuiet) return;
      const nowMs = performance.now();
      if (nowMs < dueMs) return;
      dueMs = nowMs + everyMs;
      const { share, text: given } = describe();
      const text = showInLine(given);
      if (!isTerminal) {
        stderr.write(`${text}\n`);
        return;
      }
      const shown = text.slice(0, Math.max(0, (stderr.columns ?? 80) - barWidth - 2));
      stderr.write(`${clearLine}${paintAside('cyan', drawBar(share))} ${shown}`);
      hasBar = true;
    },

    clear,
  });
};

/** @typedef {ReturnType<typeof makeScreen>} Screen */
