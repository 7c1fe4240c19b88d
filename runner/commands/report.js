// `swingset-runner report FILE`: prints the report of a run again; with `--growth`, growing figures
// and the vats that hold objects; with `--parallelism`, the possible gain of threads.

import { showText, UserError } from '#model';
import { paintReport } from '../color.js';
import { reportFlags } from '../flags.js';
import { makeOutput } from '../output.js';

export const command = 'report <file>';
export const describe =
  'print the report of a run again, its growth (--growth), or the possible gain of threads (--parallelism)';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs
    .positional('file', {
      type: 'string',
      describe:
        'a report as JSON, the output directory of a run, or the directory of the vats; with --growth also a stats file; with --parallelism a slog',
    })
    .options(reportFlags);

/** @param {import('../cli.js').Flags} flags */
export const handler = async flags => {
  const { file, growth, parallelism, zeros } = flags;
  const output = makeOutput(flags);
  if (growth && parallelism)
    throw new UserError('report takes one of --growth and --parallelism, not both');
  if (zeros && (growth || parallelism))
    throw new UserError(
      `--zeros shows counters of the report, and --${growth ? 'growth' : 'parallelism'} prints none; leave it out`,
    );
  if (parallelism) {
    const { findParallelism } = await import('../session/parallelism.js');
    const found = await findParallelism(file);
    const { formatParallelism } = await import('../session/parallelism-text.js');
    output.give(found, formatParallelism(found));
    return;
  }
  if (growth) {
    const { findGrowth } = await import('../session/growth.js');
    const found = await findGrowth(file);
    const { formatGrowthReport } = await import('../session/growth-text.js');
    output.give(found, formatGrowthReport(found));
    return;
  }
  const { findReport, formatReport } = await import('../session/report-text.js');
  const { reportJson } = await import('#stats/report.js');
  const report = await findReport(file);
  output.give(reportJson(report), paint =>
    paintReport(showText(formatReport(report, { hidesZeros: !zeros })), paint),
  );
};
