// Shows the progress of a command: a bar in the last line of a terminal, or an occasional line
// where there is no terminal. Results go to standard output, all else to standard error.

import { showInLine, showLines, showText } from '#model';
import { isScreen, makePaint } from '../color.js';

/** @import { Flags } from '../cli.js' */
/** @import { Paint } from '../color.js' */

/** Intervals of the bar on a terminal, and of lines elsewhere. */
const barEveryMs = 50;
const lineEveryMs = 2_000;

const widestBar = 30;
const narrowestBar = 8;
/** Characters of nearly all texts: "round 123456 of 1000000, 12.3 µs a round, 12.34 s left". */
const widestText = 56;
const clearLine = '\r\u001b[K';

/**
 * The width of the bar, which leaves room for the text beside it.
 *
 * @param {number} columns  of the terminal
 * @returns {number}  0 for none
 */
const findBarWidth = columns => {
  const width = Math.min(widestBar, columns - widestText - 2);
  return width < narrowestBar ? 0 : width;
};

/** @param {number} share  0 to 1 @param {number} barWidth */
const drawBar = (share, barWidth) => {
  const full = Math.round(Math.min(1, Math.max(0, share)) * barWidth);
  return '█'.repeat(full) + '░'.repeat(barWidth - full);
};

/**
 * @param {object} [options]
 * @param {Flags} [options.flags]  `json`: no text on standard output; `quiet`: neither progress nor
 *   notes
 * @param {NodeJS.WriteStream} [options.stdout]
 * @param {NodeJS.WriteStream} [options.stderr]
 * @param {NodeJS.ProcessEnv} [options.env]
 */
export const makeScreen = ({
  flags: { json: isJson = false, quiet: isQuiet = false } = {},
  stdout = process.stdout,
  stderr = process.stderr,
  env = process.env,
} = {}) => {
  const paint = makePaint(stdout, env);
  const paintAside = makePaint(stderr, env);
  const isTerminal = isScreen(stderr, env);
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
      // A terminal without a size says that it has 0 columns.
      const columns = stderr.columns || 80;
      const barWidth = findBarWidth(columns);
      const bar = barWidth === 0 ? '' : `${paintAside('cyan', drawBar(share, barWidth))} `;
      const room = columns - 1 - (barWidth === 0 ? 0 : barWidth + 1);
      stderr.write(`${clearLine}${bar}${text.slice(0, Math.max(0, room))}`);
      hasBar = true;
    },

    clear,
  });
};

/** @typedef {ReturnType<typeof makeScreen>} Screen */
