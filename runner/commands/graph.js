// `swingset-runner graph KIND FILE... -o OUT`: stats files as a picture.

import { UserError } from '#model';
import { graphFlags } from '../flags.js';
import { print } from '../print.js';

export const command = 'graph <kind> <file..>';
export const describe = 'draw time, cycles, memory, disk or stats of stats files, side by side';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs
    .positional('kind', { type: 'string', describe: 'time, cycles, memory, disk or stats' })
    .positional('file', { type: 'string', array: true, describe: 'stats files' })
    .options(graphFlags);

/** @param {import('../cli.js').Flags} flags */
export const handler = async ({ kind, file: files, out, label: labels = [], title, x, per }) => {
  if (out === undefined) {
    throw new UserError(
      `graph needs a file to write: -o ${kind}.png (or .pdf, .svg, .html, .vl.json)`,
    );
  }
  const { drawGraph } = await import('#stats');
  await drawGraph({
    kind,
    files,
    labels,
    out,
    ...(title !== undefined && { title }),
    ...(x !== undefined && { x }),
    ...(per !== undefined && { per }),
  });
  print(`${out}\n`);
};
