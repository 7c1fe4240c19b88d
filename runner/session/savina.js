// Prints the results of `bench savina` and writes them to files.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { didYouMean, mostWorkers, quote, UserError } from '#model';
import { formatSavina, measureSavina, peers, programs, publishedRows } from '#savina';
import { makeSavinaChart, renderCharts } from '#stats';
import { flagNames } from '../flags.js';
import { provideFolder } from './folder.js';
import { makeOutput } from '../output.js';
import { makeScreen } from './screen.js';

/** @import { SavinaResult } from '#savina' */
/** @import { Flags } from '../cli.js' */

/**
 * @param {string[]} only
 * @param {number[]} threads
 * @param {string} mode
 */
const insistPossible = (only, threads, mode) => {
  const ids = programs.map(({ id }) => id);
  for (const id of only) {
    if (ids.includes(id)) continue;
    throw new UserError(
      `--only ${quote(id)}: there is no program of that name${didYouMean(id, ids)}; there are ${ids.join(', ')}`,
    );
  }
  const many = Math.max(...threads);
  if (many < 2) return;
  if (mode !== 'vats') {
    throw new UserError(
      `--threads ${many}: a ${mode === 'vat' ? 'vat' : 'library program'} has one thread; add --mode vats`,
    );
  }
  if (!flagNames.includes('workers')) {
    throw new UserError(`--threads ${many}: vats run on one thread here; leave it out`);
  }
  // The kernel's own thread runs vats, too.
  const most = mostWorkers + 1;
  if (many > most) throw new UserError(`--threads ${many}: a run has at most ${most} threads`);
};

/** The interval around a mean; none around a single value. @param {number} mean @param {number} half */
const intervalOf = (mean, half) =>
  Number.isNaN(half) ? [mean, mean] : [Math.max(0, mean - half), mean + half];

/** @param {SavinaResult} result */
const chartOf = ({ rows, scale, machine, node, noise }) => {
  const points = rows.flatMap(({ id, title, mode, threads, mean, half }) => {
    const [low, high] = intervalOf(mean, half);
    const own = { program: title, series: `this one, ${mode}`, threads, mean, low, high };
    const others = Object.entries(publishedRows[id] ?? {}).flatMap(([peer, figures]) => {
      const published = figures[/** @type {1 | 2} */ (threads)];
      const name = peers[/** @type {keyof typeof peers} */ (peer)];
      if (published === undefined) return [];
      const ms = published * scale;
      return [{ program: title, series: name, threads, mean: ms, low: ms, high: ms }];
    });
    return [own, ...others];
  });
  return makeSavinaChart(points, {
    notes: [
      `Mean of an iteration and its interval of 99 %; ${machine}, node ${node}; ${noise}.`,
      `Others: medians, measured on another machine and multiplied by ${scale.toFixed(2)}, the ratio of hand-written programs here and there.`,
    ],
  });
};

/** @param {Flags} flags */
export const runSavina = async flags => {
  const { iterations, mode = 'library', graphs = true } = flags;
  const threads = [...new Set(flags.threads ?? [1])];
  const only = flags.only ?? programs.map(({ id }) => id);
  insistPossible(only, threads, mode);
  const outDir = flags.outdir ?? join('swingset-out', 'bench-savina');
  const screen = makeScreen({ flags });
  provideFolder(outDir);

  const result = await measureSavina({
    only,
    threads,
    mode,
    ...(iterations !== undefined && { iterations }),
    onProgress: (share, text) => screen.progress(() => ({ share, text })),
  });
  screen.clear();
  const text = formatSavina(result, 'text');
  makeOutput(flags).give(result, text);
  const file = (/** @type {string} */ ending) => join(outDir, `savina.${ending}`);
  try {
    writeFileSync(file('txt'), text);
    writeFileSync(file('md'), formatSavina(result, 'markdown'));
    writeFileSync(file('json'), `${JSON.stringify(result, null, 1)}\n`);
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new UserError(`cannot write to ${outDir} (${code ?? message}); choose another --outdir`, {
      exitCode: 1,
      cause: error,
    });
  }
  if (graphs && result.rows.length > 0) {
    const spec = chartOf(result);
    await renderCharts(['png', 'svg', 'html'].map(ending => ({ spec, out: file(ending) })));
  }
  screen.note(`all results are in ${outDir}`);
  if (result.failed.length > 0) process.exitCode = 1;
};
