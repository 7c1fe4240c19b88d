// The drawing process: receives its jobs in one message, answers each, and ends; it also ends with
// its parent.

import { UserError } from '#model';
import { readStatsFile } from '../read.js';
import { loadPngLibrary } from './picture.js';
import { writeChart } from './write.js';

/** @import { RenderJob } from '../render.js' */

/** @type {Map<string, ReturnType<typeof readStatsFile>>} */
const known = new Map();

/** @param {string} file */
const readOnce = file => {
  const data = known.get(file) ?? readStatsFile(file);
  known.set(file, data);
  return data;
};

/** @param {object} answer */
const send = answer => new Promise(resolve => process.send?.(answer, resolve));

/** @param {RenderJob} job @param {number} index */
const drawJob = async (job, index) => {
  try {
    await writeChart(job, readOnce);
    await send({ index });
  } catch (error) {
    const { message: text } = /** @type {Error} */ (error);
    const exitCode = error instanceof UserError ? error.exitCode : undefined;
    await send({ index, error: text, exitCode });
  }
};

// Started before there is something to draw, it has loaded everything when the jobs come. What cannot be loaded is told by
// the job that needs it.
void loadPngLibrary().catch(() => {});
process.on('disconnect', () => process.exit());
process.once('message', async message => {
  const jobs = /** @type {RenderJob[]} */ (message);
  // All at once: while another thread encodes one picture, the next chart is laid out.
  await Promise.all(jobs.map(drawJob));
  // The parent waits for the end of the channel, so all answers have arrived by then.
  process.disconnect();
});
