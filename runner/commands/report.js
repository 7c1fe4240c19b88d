// `swingset-runner report FILE`: the report of a run, once more; with `--growth`, what grows, and who keeps it.

import { growthFlags } from '../flags.js';
import { print } from '../print.js';

export const command = 'report <file>';
export const describe = 'print the report of a run again; --growth: what grows';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs
    .positional('file', {
      type: 'string',
      describe:
        'a report as JSON, a directory that a run has written, or that of what was run; of --growth: a stats file, too',
    })
    .options(growthFlags);

/** @param {import('../cli.js').Flags} flags */
export const handler = async ({ file, growth, json }) => {
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
    print(formatReport(report));
    return;
  }
  const { formatReportJson } = await import('#stats');
  print(formatReportJson(report));
};

/** JSON has no infinity: what grew from nothing has no share. @param {string} _key @param {unknown} value */
const showInfinity = (_key, value) => (Math.abs(Number(value)) === Infinity ? null : value);
