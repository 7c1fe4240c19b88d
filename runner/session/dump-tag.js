// Checks --dumptag, the part of a dump's name that the user chooses.

import { quote, UserError } from '#model';

/** @param {string} tag */
export const insistDumpTag = tag => {
  if (!/[/\\]/.test(tag)) return;
  throw new UserError(
    `--dumptag is a part of a file's name, got ${quote(tag)}; choose the directory with --dumpdir`,
  );
};
