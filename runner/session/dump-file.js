// Writes dumps of the tables to files `dump.TAG0000123`, named for the number of the last crank.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dumpKernel, dumpRaw } from '#observe/dump.js';
import { UserError } from '#model';
import { insistDumpTag } from './dump-tag.js';
import { provideFolder } from './folder.js';

/** @import { Kernel } from '#host' */

/**
 * @param {object} options
 * @param {string} options.dir
 * @param {string} options.tag
 * @param {boolean} options.raw
 * @returns {(kernel: Kernel) => string} writes a dump and returns its path
 */
export const makeDumpWriter = ({ dir, tag, raw }) => {
  insistDumpTag(tag);
  provideFolder(dir, '--dumpdir');
  return kernel => {
    const file = join(dir, `dump.${tag}${String(kernel.cranks.all).padStart(7, '0')}`);
    try {
      writeFileSync(file, (raw ? dumpRaw : dumpKernel)(kernel));
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      throw new UserError(`--dump cannot be written: ${message}`, { exitCode: 1 });
    }
    return file;
  };
};
