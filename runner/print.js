// Writes to standard output and standard error. Names and texts of vats are escaped, so that they
// cannot move the cursor or forge a line (packages/model/terminal.js).

import { showLines, showText } from '#model';
import { makePaint } from './color.js';

/**
 * Handle a standard output that cannot be written, for the rest of the process: it ends, without an
 * error if a pipe was closed (`| head`). What cannot be written to standard error is dropped, since
 * a run's result does not depend on its notes. Without handlers Node prints a stack.
 */
export const handleClosedStreams = () => {
  process.stdout.on('error', error => {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'EPIPE') process.exit();
    tellError(`standard output cannot be written (${code ?? message})`);
    process.exit(1);
  });
  process.stderr.on('error', () => {});
};

/** @param {string} text  a whole result; the value of JSON is unchanged */
export const print = text => {
  process.stdout.write(showText(text));
};

/** @param {string} text  any other output; long lines are cut */
export const tell = text => {
  process.stderr.write(`${showLines(text)}\n`);
};

/** @param {string} text  the reason of a failure */
export const tellError = text => {
  const head = makePaint(process.stderr)(['red', 'bold'], 'swingset-runner:');
  process.stderr.write(`${head} ${showLines(text)}\n`);
};
