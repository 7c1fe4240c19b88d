// `swingset-runner audit DATABASE`: everything counted again in a state that a run has left.

import { UserError } from '#model';
import { demosDir } from '../demos-dir.js';
import { tellLoss } from '../tell-failure.js';
import { databasePositional } from '../flags.js';
import { print } from '../print.js';

export const command = 'audit <path>';
export const describe = 'recount references, c-lists, promises, queue and counters of a database';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs => yargs.positional('path', databasePositional);

/** @param {import('../cli.js').Flags} flags */
export const handler = async ({ path }) => {
  const { findDifferences, openKernel, readAll } = await import('#host');
  const { kernel, dir, store, close } = await openKernel(path, { demosDir, onLoss: tellLoss });
  try {
    // Read also what the kernel does not load: transcripts, bundles, the vats' stores.
    readAll(store);
    const differences = findDifferences(kernel);
    if (differences !== undefined)
      throw new UserError(`the audit of ${dir} finds:\n${differences}`, { exitCode: 1 });
    print(`${dir}: ${kernel.cranks.all} cranks, everything adds up\n`);
  } finally {
    await close();
  }
};
