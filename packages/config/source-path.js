// The names of files in messages and stacks.

import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A path as a person would type it: relative to `base` if it lies below, else absolute.
 *
 * @param {string} path  absolute
 * @param {string} [base]  default: the working directory
 */
export const showPath = (path, base = process.cwd()) => {
  const near = relative(base, path);
  return near === '' || near.startsWith('..') || isAbsolute(near) ? path : near;
};

/** @param {string} url  a file's, shown as a path; any other is shown unchanged */
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
