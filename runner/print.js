// Writes to standard output and standard error. Nothing that is written can move the cursor or forge a line, whoever chose
// the names and texts in it (packages/model/terminal.js).

import { showLines, showText } from '#model';
import { makePaint } from './color.js';

/** @param {string} text  a result, whole; JSON stays the same JSON */
export const print = text => {
  process.stdout.write(showText(text));
};

/** @param {string} text  anything else: lines that are too long are cut */
export const tell = text => {
  process.stderr.write(`${showLines(text)}\n`);
};

/** @param {string} text  why a command failed */
export const tellError = text => {
  const head = makePaint(process.stderr)(['red', 'bold'], 'swingset-runner:');
  process.stderr.write(`${head} ${showLines(text)}\n`);
};
