// `swingset-runner demo-reports [DEMO...]`: runs every demo once, with report and graphs, on one
// page.

import { findNearestName, quote, UserError } from '#model';
import { matrixFlags } from '../flags.js';

export const command = 'demo-reports [demo..]';
export const describe = 'run every demo once, with report and graphs, on one page';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs
    .positional('demo', { type: 'string', array: true, describe: 'demos by name; all if left out' })
    .options(matrixFlags);

/** A block is a crank, so that graphs of demos of a few cranks have enough points. */
const blockSize = 1;

/** @param {import('../cli.js').Flags} flags */
export const handler = async flags => {
  const { demoJobs } = await import('#matrix');
  const { listDemos, runJobs } = await import('../session/matrix.js');
  const known = listDemos();
  const wanted = (flags.demo ?? []).map(String);
  for (const demo of wanted) insistDemo(demo, known);
  await runJobs(flags, {
    kind: 'demos',
    title: 'Every demo, once',
    jobs: demoJobs(known, wanted),
    all: demoJobs(known),
    blockSize,
    outDir: 'swingset-out/demo-reports',
  });
};

/** @param {string} demo @param {string[]} known */
const insistDemo = (demo, known) => {
  if (known.includes(demo)) return;
  const nearest = findNearestName(demo, known);
  const hint =
    nearest === undefined ? `there are ${known.join(', ')}` : `did you mean ${quote(nearest)}?`;
  throw new UserError(`there is no demo ${quote(demo)}; ${hint}`);
};
