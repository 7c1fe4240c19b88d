// `swingset-runner import FILE [DIRECTORY]`: what `export` has written, as a state to go on with.

import { demosDir } from '../demos-dir.js';
import { importFlags } from '../flags.js';
import { makeOutput } from '../output.js';

export const command = 'import <file> [path]';
export const describe = 'make a state of a file that export has written; go on with --resume';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs
    .positional('file', { type: 'string', describe: 'the file that was exported' })
    .positional('path', {
      type: 'string',
      describe:
        'the directory of what is run, or of its output; by default one named like the file',
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
    `${dir}: ${cranks} cranks (hash ${activityHash})\n`,
  );
};
