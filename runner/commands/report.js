// `swingset-runner report FILE`: the report of a run, once more; with `--growth`, what grows, and who keeps it; with
// `--parallelism`, what threads could gain.

import { UserError } from '#model';
import { reportFlags } from '../flags.js';
import { print } from '../print.js';

export const command = 'report <file>';
export const describe =
  'print the report of a run again; --growth: what grows; --parallelism: what threads could gain';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs
    .positional('file', {
      type: 'string',
      describe:
        'a report as JSON, a directory that a run has written, or that of what was run; of --growth: a stats file, too; of --parallelism: a slog',
    })
    .options(reportFlags);

/** @param {import('../cli.js').Flags} flags */
export const handler = async ({ file, growth, parallelism, json, zeros }) => {
  if (growth && parallelism)
    throw new UserError('report takes one of --growth and --parallelism, not both');
  if (parallelism) {
    const { findParallelism } = await import('../session/parallelism.js');
    const found = await findParallelism(file);
    if (json) {
      print(`${JSON.stringify(found, showInfinity, 2)}\n`);
    } else {
      const { formatParallelism } = await import('../session/parallelism-text.js');
      print(formatParallelism(found));
    }
    return;
  }
  if (growth) {
    const { findGrowth } = await import('../session/growth.js');
    const found = await findGrowth(file);
    if (json) {
      print(`${JSON.stringify(found, showInfinity, 2)}\n`);
    } else {
      const { formatGrowthReport } = await import('../session/growth-text.js');
      print(formatGrowthReport(found));
    }
    return;
  }
  const { findReport, formatReport } = await import('../session/report-text.js');
  const report = await findReport(file);
  if (!json) {
    print(formatReport(report, { hidesZeros: !zeros }));
    return;
  }
  const { formatReportJson } = await import('#stats');
  print(formatReportJson(report));
};

/** JSON has no infinity: what grew from nothing has no share, and threads without number have no number. @param {string} _key @param {unknown} value */
const showInfinity = (_key, value) => (Math.abs(Number(value)) === Infinity ? null : value);
