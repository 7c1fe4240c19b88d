// The flags by which a run differs from the usual one, as far as the report beside its stats file tells: a legend names runs of
// one program by them.

import fs from 'node:fs';
import { join, dirname } from 'node:path';

/**
 * @param {string} file  a stats file
 * @param {Float64Array} steps  its column: cranks of each block
 * @returns {string | undefined} undefined if there is no report of this run; empty if it was run as usual
 */
export const readRunFlags = (file, steps) => {
  const reportFile = join(dirname(file), 'report.json');
  let report;
  try {
    // Nobody named this file: a pipe would be waited for, and a device may never end.
    if (!fs.statSync(reportFile).isFile()) return undefined;
    report = JSON.parse(fs.readFileSync(reportFile, 'utf8'));
  } catch {
    // A folder may have none, or a file of that name that is something else.
    return undefined;
  }
  const { profile, forcedCollections, workers, totalCranks, controlCranks } = report ?? {};
  // The report is about another run in this folder.
  if (steps.reduce((sum, count) => sum + count, 0) !== totalCranks + controlCranks)
    return undefined;
  const flags = [
    ...(profile === 'current' ? [] : [`--profile ${profile}`]),
    ...(forcedCollections === undefined ? [] : ['--forcegc']),
    ...(Array.isArray(workers) ? [`--workers ${workers.length}`] : []),
  ];
  return flags.join(' ');
};
