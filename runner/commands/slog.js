// `swingset-runner slog FILE`: prints cranks of a slog as text: all, a selection, or the causes and
// effects of one.

import { UserError } from '#model';
import { slogFlags } from '../flags.js';
import { makeOutput } from '../output.js';

/** @import { Flags } from '../cli.js' */

export const command = 'slog <file>';
export const describe = 'show the cranks of a slog, by vat, method or promise, and their causes';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs
    .positional('file', { type: 'string', describe: 'a file that --slog FILE has written' })
    .options(slogFlags);

const usualDepth = Number(slogFlags.depth.default);

/** The largest number of cranks in one value of JSON. */
const mostInJson = 500_000;

/** The length of a piece of text that is written at once, in characters. */
const pieceLength = 64 * 1024;

/** @param {import('../session/slog-select.js').ShownCrank} shown */
const describeInJson = ({ crank: { record, ...crank }, causes }) => ({ ...crank, causes, record });

/** @param {Flags} flags */
export const handler = async flags => {
  const { file, follow, depth, brief: isBrief = false } = flags;
  const { explainNone, followCrank, makeCrankFilter, selectCranks } =
    await import('../session/slog-select.js');
  const { formatCrank, formatFollowed } = await import('../session/slog-text.js');
  const output = makeOutput(flags);
  if (follow === undefined && depth !== usualDepth)
    throw new UserError('--depth says how far --follow goes; give --follow too, or leave it out');
  const isWanted = makeCrankFilter(flags);
  if (follow !== undefined) {
    const found = followCrank(file, follow, Number(depth));
    const inJson = (/** @type {typeof found.causes} */ list) =>
      list.map(({ how, depth: steps, ...shown }) => ({ how, steps, ...describeInJson(shown) }));
    output.give(
      { file, crank: follow, causes: inJson(found.causes), effects: inJson(found.effects) },
      paint => formatFollowed(found, follow, paint),
    );
    return;
  }
  if (output.isJson) {
    const cranks = [];
    for (const shown of selectCranks(file, isWanted)) {
      if (cranks.length === mostInJson)
        throw new UserError(
          `more than ${mostInJson} cranks are asked for, too many for one value of JSON; ask for fewer by --cranks, --vat, --method or --promise`,
        );
      cranks.push(describeInJson(shown));
    }
    output.give({ file, cranks }, '');
    return;
  }
  let piece = '';
  let count = 0;
  for (const shown of selectCranks(file, isWanted)) {
    count += 1;
    piece += formatCrank(shown, { paint: output.paint, isBrief });
    if (piece.length < pieceLength) continue;
    await output.write(piece);
    piece = '';
  }
  await output.write(piece);
  if (count === 0) output.note(explainNone(file, flags));
};
