// Shows a person that something runs: a progress bar that is always the last line of a terminal, or an occasional line
// where there is no terminal. Results go to standard output, all else to standard error.

import { showInLine, showLines, showText } from '#model';

/** On a terminal the bar moves this often; elsewhere a line comes this often. */
const barEveryMs = 50;
const lineEveryMs = 2_000;

const barWidth = 30;
const clearLine = '\r\u001b[K';

/** @param {number} share  0 to 1 */
const drawBar = share => {
  const full = Math.round(Math.min(1, Math.max(0, share)) * barWidth);
  return '█'.repeat(full) + '░'.repeat(barWidth - full);
};

export const makeScreen = ({ stdout = process.stdout, stderr = process.stderr } = {}) => {
  const isTerminal = Boolean(stderr.isTTY);
  const everyMs = isTerminal ? barEveryMs : lineEveryMs;
  let dueMs = performance.now() + (isTerminal ? 0 : lineEveryMs);
  let hasBar = false;

  // A reader that closes the pipe (`| head`) has seen enough.
  stdout.on('error', error => {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EPIPE') process.exit();
    throw error;
  });

  const clear = () => {
    if (hasBar) stderr.write(clearLine);
    hasBar = false;
  };

  return Object.freeze({
    /** @param {string} text  a result */
    print(text) {
      clear();
      stdout.write(showText(text));
    },

    /** @param {string} line  anything else */
    tell(line) {
      clear();
      stderr.write(`${showLines(line)}\n`);
    },

    /**
     * To be called as often as one likes.
     *
     * @param {() => { share: number, text: string }} describe
     */
    progress(describe) {
      const nowMs = performance.now();
      if (nowMs < dueMs) return;
      dueMs = nowMs + everyMs;
      const { share, text: given } = describe();
      const text = showInLine(given);
      if (!isTerminal) {
        stderr.write(`${text}\n`);
        return;
      }
      const line = `${drawBar(share)} ${text}`;
      stderr.write(clearLine + line.slice(0, (stderr.columns ?? 80) - 1));
      hasBar = true;
    },

    clear,
  });
};

/** @typedef {ReturnType<typeof makeScreen>} Screen */
