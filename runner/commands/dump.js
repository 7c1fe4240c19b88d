// `swingset-runner dump DATABASE`: the kernel's tables of a state that a run has left.

import { demosDir } from '../demos-dir.js';
import { tellLoss } from '../tell-failure.js';
import { databasePositional, dumpFlags } from '../flags.js';
import { print } from '../print.js';

export const command = 'dump <path>';
export const describe = 'list the tables of a database';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs => yargs.positional('path', databasePositional).options(dumpFlags);

/** @param {import('../cli.js').Flags} flags */
export const handler = async ({ path, raw, dumpdir, dumptag }) => {
  const { dumpKernel, dumpRaw, openKernel } = await import('#host');
  const { insistDumpTag } = await import('../session/dump-tag.js');
  const { makeDumpWriter } = await import('../session/dump-file.js');
  insistDumpTag(dumptag ?? '');
  const { kernel, close } = await openKernel(path, { demosDir, onLoss: tellLoss });
  try {
    if (dumpdir === undefined && dumptag === undefined) {
      print((raw ? dumpRaw : dumpKernel)(kernel));
    } else {
      const write = makeDumpWriter({ dir: dumpdir ?? '.', tag: dumptag ?? '', raw: Boolean(raw) });
      print(`${write(kernel)}\n`);
    }
  } finally {
    await close();
  }
};
