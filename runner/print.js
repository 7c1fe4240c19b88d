// Writes to standard output and standard error. Names and texts of vats are escaped, so that they
// cannot move the cursor or forge a line (packages/model/terminal.js).

import { showLines, showText } from '#model';
import { makePaint } from './color.js';

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
