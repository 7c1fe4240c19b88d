// `swingset-runner bench WHAT`: `snapshot`, what the snapshot of 2020-09-30 ran, beside its figures; `ipc`, what messages
// and system calls take, beside those of L4Re.

import { quote, UserError } from '#model';
import { ipcFlags, matrixFlags, snapshotFlags } from '../flags.js';

/** @typedef {import('../cli.js').Flags} Flags */

export const command = 'bench <what>';
export const describe =
  'run published benchmarks, with tables and graphs: bench snapshot, bench ipc';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs
    .positional('what', {
      type: 'string',
      describe:
        'snapshot: the sixteen runs of SwingSet’s snapshot of 2020-09-30; ipc: what messages and system calls take',
    })
    .options(snapshotFlags)
    .options(matrixFlags)
    .options(ipcFlags);

/** @param {Flags} flags */
const runSnapshot = async flags => {
  const { snapshotBlockSize, snapshotJobs } = await import('#matrix');
  const jobs = snapshotJobs({
    ...(flags.demo !== undefined && { demos: flags.demo }),
    ...(flags.rounds !== undefined && { rounds: flags.rounds }),
    ...(flags.gc !== undefined && flags.gc !== 'both' && { forceGc: flags.gc === 'with' }),
  });
  const { runJobs } = await import('../session/matrix.js');
  await runJobs(flags, {
    kind: 'snapshot',
    title: 'The snapshot of 2020-09-30, run again',
    jobs,
    all: snapshotJobs(),
    blockSize: snapshotBlockSize,
    outDir: 'swingset-out/bench-snapshot',
  });
};

/** @param {Flags} flags */
const runIpc = async flags => {
  const ipc = await import('../session/ipc.js');
  await ipc.runIpc(flags);
};

/** Both write to `--outdir`; the other flags are those of one of them. */
const { outdir: _, ...runningFlags } = matrixFlags;
/** @type {Record<'snapshot' | 'ipc', import('../flags.js').FlagTable>} */
const foreignFlags = {
  snapshot: ipcFlags,
  ipc: { ...snapshotFlags, ...runningFlags },
};

/** @param {Flags} flags */
export const handler = async flags => {
  /** @type {string} */
  const what = flags.what;
  if (what !== 'snapshot' && what !== 'ipc') {
    throw new UserError(`there is no benchmark ${quote(what)}; there are snapshot and ipc`);
  }
  for (const [name, { default: usual }] of Object.entries(foreignFlags[what])) {
    if (flags[name] === usual) continue;
    const other = what === 'ipc' ? 'snapshot' : 'ipc';
    throw new UserError(
      `--${name} is a flag of bench ${other}; bench ${what} has none of that name`,
    );
  }
  await (what === 'ipc' ? runIpc(flags) : runSnapshot(flags));
};
