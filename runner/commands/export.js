// `swingset-runner export FILE [DATABASE]`: writes a state to one file, for another machine.

import { countOf } from '#model';
import { demosDir } from '../demos-dir.js';
import { databasePositional, exportFlags } from '../flags.js';
import { tellLoss } from '../tell-failure.js';
import { makeOutput } from '../output.js';

export const command = 'export <file> [path]';
export const describe = 'write the state of a run to one file, for import on another machine';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs
    .positional('file', { type: 'string', describe: 'the file to write' })
    .positional('path', databasePositional)
    .options(exportFlags);

/** @param {import('../cli.js').Flags} flags */
export const handler = async flags => {
  const { file, path, force, local } = flags;
  const { exportState, nameOfStateFile, openKernel } = await import('#host');
  const { dir, store, kernel, close } = await openKernel(path ?? nameOfStateFile(file), {
    demosDir,
    onLoss: tellLoss,
  });
  try {
    const options = { replace: Boolean(force), hasLocal: Boolean(local) };
    const bytes = exportState(store, file, options);
    const activityHash = kernel.activityHash();
    const cranks = kernel.cranks.all;
    makeOutput(flags).give(
      { state: dir, file, cranks, bytes, activityHash },
      `${dir}: ${countOf(cranks, 'crank')}, ${bytes.toLocaleString('en')} bytes in ${file} (hash ${activityHash})\n`,
    );
  } finally {
    await close();
  }
};
