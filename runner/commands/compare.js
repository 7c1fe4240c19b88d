// `swingset-runner compare LEFT RIGHT`: compares two stats files or benchmarks figure by figure,
// and two slogs or recorded runs up to the first difference.

import { existsSync } from 'node:fs';
import { countOf, quote, UserError } from '#model';
import { compareFlags, databasePositional } from '../flags.js';
import { makeOutput } from '../output.js';

/** @import { Flags } from '../cli.js' */
/** @import { Output } from '../output.js' */

export const command = 'compare <left> <right>';
export const describe =
  'compare two stats files or benchmarks; name the first difference of two slogs or recorded runs';

/** The two things to compare. @type {import('yargs').PositionalOptions} */
const comparedPositional = {
  type: 'string',
  describe: `a stats file, a file of benchmarks, a slog; ${databasePositional.describe}`,
};

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs
    .positional('left', comparedPositional)
    .positional('right', comparedPositional)
    .options(compareFlags);

/** @param {Flags} flags @returns {number | undefined} a share */
const readThreshold = ({ threshold }) => {
  if (threshold === undefined) return undefined;
  const percent = Number(String(threshold).replace(/\s*%$/, ''));
  if (!(percent >= 0) || String(threshold).trim() === '' || percent === Infinity)
    throw new UserError(`--threshold must be a percentage from 0, as 5, got ${quote(threshold)}`);
  return percent / 100;
};

/** @param {'stats' | 'bench'} kind @param {Flags} flags @param {Output} output */
const giveFigures = async (kind, flags, output) => {
  const threshold = readThreshold(flags);
  const { compareFigures } = await import('../session/compare.js');
  const { formatComparison } = await import('../session/compare-text.js');
  const { findRegressions } = await import('#stats/compare.js');
  const { left, right } = flags;
  const comparison = await compareFigures(kind, left, right);
  const worse = threshold === undefined ? [] : findRegressions(comparison, threshold);
  const told = { threshold: threshold ?? null, failed: worse.map(({ name }) => name) };
  output.give({ left, right, ...comparison, ...told }, paint =>
    formatComparison(comparison, [left, right], paint),
  );
  if (worse.length === 0) return;
  output.tell(
    `${worse.length} of ${comparison.figures.length} figures got worse by more than ${Number((100 * (threshold ?? 0)).toPrecision(6))} %: ${worse.map(({ name }) => name).join(', ')}`,
  );
  process.exitCode = 1;
};

/** @param {Flags} flags */
export const handler = async flags => {
  const { left, right } = flags;
  const { chooseKind, compareSlogFiles, compareStates } = await import('../session/compare.js');
  const output = makeOutput(flags);
  const kind = chooseKind(left, right);
  if (kind === 'stats' || kind === 'bench') {
    await giveFigures(kind, flags, output);
    return;
  }
  if (flags.threshold !== undefined) {
    const missing = [left, right].find(path => !existsSync(path));
    const hint = missing === undefined ? 'leave it out' : `there is no file ${quote(missing)}`;
    throw new UserError(
      `--threshold is for figures: two stats files or two files of benchmarks; ${hint}`,
    );
  }
  const { formatSlogDifference, formatStates } = await import('../session/compare-text.js');
  if (kind === 'slog') {
    const { cranks, difference } = await compareSlogFiles(left, right);
    const result = { left, right, kind, equalCranks: cranks, difference: difference ?? null };
    if (difference === undefined) output.give(result, `the same: ${countOf(cranks, 'crank')}\n`);
    else output.fail(result, formatSlogDifference(difference, [left, right]));
    return;
  }
  const { runs, difference } = await compareStates(left, right);
  const result = { left: runs[0], right: runs[1], kind, difference: difference ?? null };
  const text = formatStates(difference, runs);
  if (difference?.isKnown) output.fail(result, text);
  else output.give(result, `${text}\n`);
};
