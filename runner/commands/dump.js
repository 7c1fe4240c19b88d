// `swingset-runner dump DATABASE`: the kernel's tables of a state that a run has left.

import { rawFlag } from '../flags.js';

export const command = 'dump <path>';
export const describe = 'list the tables of a database';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs
    .positional('path', {
      type: 'string',
      describe: 'a database, the output directory of a run, or the directory of what was run',
    })
    .option('raw', rawFlag);

/** @param {import('../cli.js').Flags} flags */
export const handler = async ({ path, raw }) => {
  const { dumpKernel, dumpRaw, openKernel } = await import('#host');
  const { kernel, close } = await openKernel(path);
  try {
    process.stdout.write((raw ? dumpRaw : dumpKernel)(kernel));
  } finally {
    await close();
  }
};
