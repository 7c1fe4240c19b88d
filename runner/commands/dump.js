// `swingset-runner dump DATABASE`: prints the kernel's tables of a run's state.

import { demosDir } from '../demos-dir.js';
import { tellLoss } from '../tell-failure.js';
import { databasePositional, dumpFlags } from '../flags.js';
import { makeOutput } from '../output.js';

export const command = 'dump <path>';
export const describe = 'list the tables of a database';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs => yargs.positional('path', databasePositional).options(dumpFlags);

/** @param {import('../cli.js').Flags} flags */
export const handler = async flags => {
  const { path, raw, dumpdir, dumptag } = flags;
  const output = makeOutput(flags);
  const { dumpKernel, dumpRaw, openKernel } = await import('#host');
  const { insistDumpTag } = await import('../session/dump-tag.js');
  const { makeDumpWriter } = await import('../session/dump-file.js');
  insistDumpTag(dumptag ?? '');
  const { kernel, close } = await openKernel(path, { demosDir, onLoss: tellLoss });
  try {
    if (dumpdir === undefined && dumptag === undefined) {
      const { describeRawTables, describeTables } = await import('#observe/dump-data.js');
      const describeAll = raw ? describeRawTables : describeTables;
      if (output.isJson) output.give(describeAll(kernel), '');
      else output.print((raw ? dumpRaw : dumpKernel)(kernel));
    } else {
      const write = makeDumpWriter({ dir: dumpdir ?? '.', tag: dumptag ?? '', raw: Boolean(raw) });
      const file = write(kernel);
      output.give({ file }, `${file}\n`);
    }
  } finally {
    await close();
  }
};
