// `swingset-runner graph KIND FILE... -o OUT`: draws stats files.

import { existsSync } from 'node:fs';
import { didYouMean, quote, UserError } from '#model';
import { provideCodeFolder } from '#packed';
import { graphFlags } from '../flags.js';
import { makeOutput } from '../output.js';

export const command = 'graph <kind> <file..>';
export const describe = 'draw time, cycles, memory, disk or stats of stats files, side by side';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs
    .positional('kind', { type: 'string', describe: 'time, cycles, memory, disk or stats' })
    .positional('file', { type: 'string', array: true, describe: 'stats files' })
    .options(graphFlags);

/**
 * Arguments are checked in their order: an unknown kind or a missing file is reported before a
 * missing `-o`.
 *
 * @param {string} kind
 * @param {string[]} files
 */
const insistKind = async (kind, files) => {
  const { chartKinds } = await import('#stats/charts/index.js');
  if (!chartKinds.includes(/** @type {any} */ (kind))) {
    const known = chartKinds.join(', ');
    throw new UserError(
      `no graph of ${quote(kind)}; there are ${known}${didYouMean(kind, chartKinds)}`,
    );
  }
  const missing = files.find(file => !existsSync(file));
  if (missing !== undefined)
    throw new UserError(
      `there is no stats file ${quote(missing)}; a run writes one as swingset-out/NAME/stats-NAME.tsv`,
    );
};

/** @param {import('../cli.js').Flags} flags */
export const handler = async flags => {
  const { kind, file: files, out, label: labels = [], title, x, per } = flags;
  await insistKind(kind, files);
  if (per !== undefined && kind !== 'time' && kind !== 'cycles')
    throw new UserError(`--per divides times and cycles, not ${kind}; leave it out`);
  if (out === undefined) {
    throw new UserError(
      `graph needs a file to write: -o ${kind}.png (or .pdf, .svg, .html, .vl.json)`,
    );
  }
  const { drawGraph } = await import('#stats');
  await drawGraph(
    {
      ...{ kind, files, labels, out },
      ...(title !== undefined && { title }),
      ...(x !== undefined && { x }),
      ...(per !== undefined && { per }),
    },
    { codeFolder: provideCodeFolder() },
  );
  makeOutput(flags).give({ kind, files, out }, `${out}\n`);
};
