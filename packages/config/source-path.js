// Files as messages and stacks name them.

import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A path as the person typed it or would: relative to where they are, unless it lies elsewhere.
 *
 * @param {string} path  absolute
 * @param {string} [base]
 */
export const showPath = (path, base = process.cwd()) => {
  const near = relative(base, path);
  return near === '' || near.startsWith('..') || isAbsolute(near) ? path : near;
};

/** @param {string} url  of a file, or of a module of a bundle whose files are elsewhere */
export const showUrl = url => (url.startsWith('file:') ? showPath(fileURLToPath(url)) : url);

/**
 * The line of an offset in a text, counted from 1.
 *
 * @param {string} text
 * @param {number} offset
 */
export const lineOf = (text, offset) => {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
  }
  return line;
};
