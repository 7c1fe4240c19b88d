// `swingset-runner audit DATABASE`: checks all tables of a run's state.

import { countOf } from '#model';
import { demosDir } from '../demos-dir.js';
import { tellLoss } from '../tell-failure.js';
import { databasePositional } from '../flags.js';
import { makeOutput } from '../output.js';

export const command = 'audit <path>';
export const describe = 'check references, c-lists, promises, queue and counters of a database';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs => yargs.positional('path', databasePositional);

/** @param {import('../cli.js').Flags} flags */
export const handler = async flags => {
  const { path } = flags;
  const output = makeOutput(flags);
  const { findDifferences, openKernel, readAll } = await import('#host');
  const { kernel, dir, store, close } = await openKernel(path, { demosDir, onLoss: tellLoss });
  try {
    // Also read the data that the kernel does not load: transcripts, bundles, the vats' stores.
    readAll(store);
    const differences = findDifferences(kernel);
    const cranks = kernel.cranks.all;
    const result = { state: dir, cranks, differences: differences?.split('\n') ?? [] };
    if (differences === undefined)
      output.give(result, `${dir}: ${countOf(cranks, 'crank')}, everything adds up\n`);
    else output.fail(result, `the audit of ${dir} finds:\n${differences}`);
  } finally {
    await close();
  }
};
