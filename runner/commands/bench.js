// `swingset-runner bench WHAT`: `snapshot` repeats the runs of the snapshot of 2020-09-30, beside
// their figures; `ipc` times messages and system calls, beside those of L4Re; `savina` runs the
// Savina suite, beside other systems.

import { quote, UserError } from '#model';
import { ipcFlags, matrixFlags, savinaFlags, snapshotFlags } from '../flags.js';

/** @typedef {import('../cli.js').Flags} Flags */

export const command = 'bench <what>';
export const describe =
  'run published benchmarks, with tables and graphs: bench snapshot, bench ipc, bench savina';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs
    .positional('what', {
      type: 'string',
      describe:
        'snapshot: the sixteen runs of SwingSet’s snapshot of 2020-09-30; ipc: the cost of messages and system calls; savina: the Savina suite',
    })
    .options(snapshotFlags)
    .options(matrixFlags)
    .options(ipcFlags)
    .options(savinaFlags);

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

/** @param {Flags} flags */
const runSavina = async flags => {
  const savina = await import('../session/savina.js');
  await savina.runSavina(flags);
};

/** @typedef {import('../flag-forms.js').FlagTable} FlagTable */

/** The flags of a matrix, except `--outdir`, which every benchmark takes. */
const { outdir: _, ...runningFlags } = matrixFlags;
/** The benchmarks, and the flags that only some of them take. @type {Record<string, { run: (flags: Flags) => Promise<void>, flags: FlagTable }>} */
const benchmarks = {
  snapshot: { run: runSnapshot, flags: { ...snapshotFlags, ...runningFlags } },
  ipc: { run: runIpc, flags: ipcFlags },
  savina: { run: runSavina, flags: { ...savinaFlags, graphs: ipcFlags.graphs } },
};

/** @param {Flags} flags */
export const handler = async flags => {
  /** @type {string} */
  const what = flags.what;
  if (!Object.hasOwn(benchmarks, what)) {
    throw new UserError(`there is no benchmark ${quote(what)}; there are snapshot, ipc and savina`);
  }
  const own = benchmarks[what];
  for (const [other, { flags: theirs }] of Object.entries(benchmarks)) {
    for (const [name, { default: usual }] of Object.entries(theirs)) {
      if (name in own.flags || flags[name] === usual) continue;
      throw new UserError(
        `--${name} is a flag of bench ${other}; bench ${what} has none of that name`,
      );
    }
  }
  await own.run(flags);
};
