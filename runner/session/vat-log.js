// Writes the output of vats to a file after each block's commit, so a run that crashes and is
// resumed writes no line twice.

import fs from 'node:fs';
import { dirname } from 'node:path';
import { showLines, UserError } from '#model';
import { makeFolder } from '#host/state/cache-dir.js';

/**
 * @param {string} path  `-` is standard output
 * @param {boolean} isContinued  append to the existing file
 */
export const openVatLog = (path, isContinued) => {
  let text = '';
  const say = (/** @type {unknown} */ error) =>
    new UserError(
      `vat log ${path}: cannot write it (${/** @type {Error} */ (error).message}); name another file with --vatlog`,
      { exitCode: 1, cause: error },
    );
  const open = () => {
    try {
      if (path === '-') return undefined;
      makeFolder(dirname(path));
      return fs.openSync(path, isContinued ? 'a' : 'w');
    } catch (error) {
      throw say(error);
    }
  };
  const fd = open();
  const flush = () => {
    if (text === '') return;
    const piece = text;
    text = '';
    try {
      if (fd === undefined) process.stdout.write(piece);
      // Writes all of it or throws, where a disk that is nearly full takes a part.
      else fs.writeFileSync(fd, piece);
    } catch (error) {
      throw say(error);
    }
  };
  return Object.freeze({
    /** @param {string} line one or more lines */
    add(line) {
      text += `${showLines(line)}\n`;
    },
    /** Write the collected lines; called when a block is committed. */
    flush,
    close() {
      try {
        flush();
      } finally {
        if (fd !== undefined) fs.closeSync(fd);
      }
    },
  });
};
