// `swingset-runner import FILE [DIRECTORY]`: makes a state from a file of `export`.

import { countOf } from '#model';
import { demosDir } from '../demos-dir.js';
import { importFlags } from '../flags.js';
import { makeOutput } from '../output.js';

export const command = 'import <file> [path]';
export const describe =
  'make a state from a file that export has written; continue it with --resume';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs
    .positional('file', { type: 'string', describe: 'the file that was exported' })
    .positional('path', {
      type: 'string',
      describe: 'the directory of the vats, or of the output; by default one named like the file',
    })
    .options(importFlags);

/** @param {import('../cli.js').Flags} flags */
export const handler = async flags => {
  const { file, path, dbdir, force } = flags;
  const { importState, nameOfStateFile, stateDirOf } = await import('#host');
  const dir = dbdir ?? stateDirOf(path ?? nameOfStateFile(file), demosDir);
  const { cranks, activityHash } = await importState(file, dir, { replace: Boolean(force) });
  makeOutput(flags).give(
    { state: dir, file, cranks, activityHash },
    `${dir}: ${countOf(cranks, 'crank')} (hash ${activityHash})\n`,
  );
};
