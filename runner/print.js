// What the commands write to standard output and standard error: nothing in it moves the cursor or forges a line, whoever
// chose its names and texts (packages/model/terminal.js).

import { showLines, showText } from '#model';

/** @param {string} text  a result, whole; JSON stays the same JSON */
export const print = text => {
  process.stdout.write(showText(text));
};

/** @param {string} text  anything else: lines that are too long are cut */
export const tell = text => {
  process.stderr.write(`${showLines(text)}\n`);
};
