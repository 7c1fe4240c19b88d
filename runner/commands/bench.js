// `swingset-runner bench snapshot`: what the snapshot of 2020-09-30 ran, beside its figures.

import { quote, UserError } from '#model';
import { matrixFlags, snapshotFlags } from '../flags.js';

export const command = 'bench <what>';
export const describe =
  'run the published benchmarks, with tables, graphs and a page: bench snapshot';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs
    .positional('what', {
      type: 'string',
      describe: 'snapshot: the sixteen runs of SwingSet’s snapshot of 2020-09-30',
    })
    .options(snapshotFlags)
    .options(matrixFlags);

/** @param {import('../cli.js').Flags} flags */
export const handler = async flags => {
  if (flags.what !== 'snapshot')
    throw new UserError(`there is no benchmark ${quote(flags.what)}; there is snapshot`);
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
