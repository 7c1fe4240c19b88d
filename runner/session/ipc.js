// Prints the results of `bench ipc` and writes them to files.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '#model';
import {
  chooseTableColumns,
  formatIpc,
  formatParallel,
  measureIpc,
  measureParallel,
  publishedRows,
  tableRows,
  unitOf,
} from '#measure/ipc';
import { makeIpcChart, makeParallelChart, renderCharts } from '#stats';
import { provideFolder } from './folder.js';
import { makeScreen } from './screen.js';

/** @import { IpcResult, ParallelResult } from '#measure/ipc' */
/** @import { Flags } from '../cli.js' */

/** @param {string} path @param {string} text */
const write = (path, text) => {
  try {
    writeFileSync(path, text);
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new UserError(`cannot write ${path} (${code ?? message}); choose another --outdir`, {
      exitCode: 1,
      cause: error,
    });
  }
};

/** @param {IpcResult} result */
const chartOf = ({ paths, timer, columns, system, processor, noise }) => {
  const [first = 'timer'] = chooseTableColumns(timer.name, columns);
  /** @param {string | undefined} wanted */
  const own = wanted => paths.find(({ name }) => name === wanted)?.figures[first]?.median ?? NaN;
  const bars = publishedRows.map(row => ({
    platform: `${row.processor}${row.platform.startsWith('x86') ? '' : `, ${row.platform.split(', ')[1]}`}`,
    intra: row.intra[0],
    inter: row.inter[0],
    syscall: row.syscall[0],
  }));
  for (const { name, intra, inter, syscall } of tableRows) {
    bars.push({
      platform: `this machine, ${name}`,
      intra: own(intra),
      inter: own(inter),
      syscall: own(syscall),
    });
  }
  return makeIpcChart(bars, {
    notes: [
      'Published by L4Re: averages; cycles on ARM, counter 2 (time-stamp counter) on x86.',
      `This machine: medians, ${unitOf(first, timer.name)}; ${processor}, ${system}.`,
      ...(bars.some(({ syscall }) => Number.isNaN(syscall))
        ? ['Reactors make no system calls.']
        : []),
      `The machine was ${noise}.`,
    ],
  });
};

/** @param {ParallelResult} result */
const parallelChartOf = ({ rows, timer, processor, noise }) =>
  makeParallelChart(
    rows.map(({ name, cores, figures: { median, p75, average } }) => ({
      name,
      cores,
      median,
      p75,
      average,
    })),
    {
      unit: `${unitOf('timer', timer.name)}, a call`,
      notes: [`${processor}; ${noise}.`, 'Lines: medians; dashed: averages.'],
    },
  );

/** @param {Flags} flags */
export const runIpc = async flags => {
  if (flags.json && flags.format !== undefined && flags.format !== 'json')
    throw new UserError(`--json and --format ${flags.format} exclude each other; give one of them`);
  if (flags.cores !== undefined && !flags.parallel)
    throw new UserError(
      '--cores says on how many --parallel makes calls; give --parallel too, or leave it out',
    );
  const {
    format = flags.json ? 'json' : 'text',
    calls,
    core,
    cores,
    parallel,
    graphs = true,
    dir,
  } = flags;
  const outDir = flags.outdir ?? join('swingset-out', 'bench-ipc');
  const screen = makeScreen({ flags });
  let steps = 0;
  const onProgress = (/** @type {string} */ text) => {
    steps += 1;
    screen.progress(() => ({ share: 1 - 1 / (1 + steps / 10), text }));
  };
  // Fail before measuring if the folder cannot be written.
  provideFolder(outDir);

  const result = await measureIpc({
    onProgress,
    ...(calls !== undefined && { calls }),
    ...(core !== undefined && { core }),
    ...(dir !== undefined && { dir }),
  });
  const parallelResult = parallel
    ? await measureParallel({
        onProgress,
        ...(calls !== undefined && { calls }),
        ...(cores !== undefined && { mostCores: cores }),
      })
    : undefined;
  screen.clear();

  const inForm = (/** @type {'text' | 'markdown'} */ form) =>
    [
      formatIpc(result, form),
      ...(parallelResult ? [formatParallel(parallelResult, form)] : []),
    ].join('\n');
  const json = `${JSON.stringify(
    { ...result, ...(parallelResult && { parallel: parallelResult }), published: publishedRows },
    null,
    2,
  )}\n`;
  const texts = { text: inForm('text'), markdown: inForm('markdown'), json };
  screen.print(texts[/** @type {keyof typeof texts} */ (format)], { isResult: true });

  write(join(outDir, 'ipc.txt'), texts.text);
  write(join(outDir, 'ipc.md'), texts.markdown);
  write(join(outDir, 'ipc.json'), texts.json);
  if (graphs) {
    await renderCharts([
      { spec: chartOf(result), out: join(outDir, 'ipc.png') },
      ...(parallelResult
        ? [{ spec: parallelChartOf(parallelResult), out: join(outDir, 'parallel.png') }]
        : []),
    ]);
  }
  screen.note(`all results are in ${outDir}`);
};
