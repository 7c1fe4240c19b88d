// The drawing process: receives its jobs in one message, answers each, and ends; it also ends with
// its parent.

import { UserError } from '#model';
import { keepCompiledLibraries } from '#vendored';
import { readStatsFile } from '../read.js';

/** @import { RenderJob } from '../render.js' */

process.on('disconnect', () => process.exit());
/** The jobs, which may come while the libraries are loaded. @type {Promise<unknown>} */
const asked = new Promise(resolve => {
  process.once('message', resolve);
});

/** The folder of compiled code, if the parent has one. @type {string | undefined} */
const codeFolder = process.argv[2];
const saveCode = codeFolder === undefined ? () => {} : keepCompiledLibraries(codeFolder);

// These load the libraries.
const { loadPngLibrary } = await import('./picture.js');
const { writeChart } = await import('./write.js');

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
const jobs = /** @type {RenderJob[]} */ (await asked);
// All at once: while another thread encodes one picture, the next chart is laid out.
await Promise.all(jobs.map(drawJob));
// The parent waits no longer.
saveCode();
process.disconnect();
