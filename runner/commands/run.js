import { provideCodeFolder } from '#packed';
// `swingset-runner [run] [BASEDIR]`: setup, benchmark rounds, report, graphs.

import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { benchmarkFlag, graphsFlag, initonlyFlag, runningFlags, watchFlag } from '../flags.js';

export const command = ['run [basedir]', '$0'];
export const describe = 'run a demo or a swingset, with report and graphs';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs
    .positional('basedir', { type: 'string', describe: 'the directory of the vats' })
    .option('benchmark', { group: 'Running:', ...benchmarkFlag })
    .option('initonly', { group: 'Running:', ...initonlyFlag })
    .option('watch', { group: 'Running:', ...watchFlag })
    .options(runningFlags)
    .option('graphs', { group: 'Output:', ...graphsFlag });

const drawingFile = fileURLToPath(new URL('../draw.js', import.meta.url));

/**
 * Starts the process that draws while this one locks the realm down, if there is a core for it: it is ready before the
 * first round.
 *
 * @param {import('../cli.js').Flags} flags
 */
const startDrawing = async flags => {
  if (!flags.graphs || flags.initonly || availableParallelism() < 2) return undefined;
  const { startRenderer } = await import('#stats/render.js');
  return startRenderer({ codeFolder: provideCodeFolder(), childFile: drawingFile });
};

/** @param {import('../cli.js').Flags} flags */
export const handler = async flags => {
  if (flags.watch) {
    const { runAgainAndAgain } = await import('../session/rerun.js');
    await runAgainAndAgain(flags, process.argv.slice(2));
    return;
  }
  const renderer = await startDrawing(flags);
  const { openSession } = await import('../session/index.js');
  const kind = /** @type {const} */ ({ usually: 'fresh', logsAll: true, prints: true });
  try {
    const session = await openSession(flags, { ...kind, ...(renderer && { renderer }) });
    try {
      if (flags.initonly) await session.commitStart();
      else {
        const outcome = await session.runRounds();
        if (outcome !== 'stopped') await session.conclude({ outcome });
      }
    } finally {
      await session.close();
    }
  } finally {
    renderer?.end();
  }
};
