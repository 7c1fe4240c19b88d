// The work of the drawing process: receives its jobs in one message, answers each, and ends; it also
// ends with its parent.

import { UserError } from '#model';
import { keepCompiledLibraries } from '#vendored';
import { readStatsFile } from '../read.js';
import { loadPngLibrary } from './picture.js';
import { loadVega } from './vega.js';
import { writeChart } from './write.js';

/** @import { RenderJob } from '../render.js' */

/** @param {object} answer */
const send = answer => new Promise(resolve => process.send?.(answer, resolve));

/** @param {RenderJob} job @param {number} index @param {(file: string) => ReturnType<typeof readStatsFile>} read */
const drawJob = async (job, index, read) => {
  try {
    await writeChart(job, read);
    await send({ index });
  } catch (error) {
    const { message: text } = /** @type {Error} */ (error);
    const exitCode = error instanceof UserError ? error.exitCode : undefined;
    await send({ index, error: text, exitCode });
  }
};

/**
 * Draw what the parent process asks for.
 *
 * @param {string | undefined} codeFolder  an existing folder for compiled code of the libraries; undefined: none is kept
 */
export const serveJobs = async codeFolder => {
  process.on('disconnect', () => process.exit());
  // Ctrl-C at a terminal reaches this process too; it would end in the middle of a file.
  process.on('SIGINT', () => {});
  /** The jobs, which may come while the libraries are loaded. @type {Promise<unknown>} */
  const asked = new Promise(resolve => {
    process.once('message', resolve);
  });
  const saveCode = codeFolder === undefined ? () => {} : keepCompiledLibraries(codeFolder);

  /** @type {Map<string, ReturnType<typeof readStatsFile>>} */
  const known = new Map();
  const readOnce = (/** @type {string} */ file) => {
    const data = known.get(file) ?? readStatsFile(file);
    known.set(file, data);
    return data;
  };

  // Started before there is something to draw, it has loaded everything when the jobs come. What cannot be loaded is told by
  // the job that needs it.
  try {
    await Promise.all([loadVega(), loadPngLibrary()]);
  } catch {
    // As above.
  }
  const jobs = /** @type {RenderJob[]} */ (await asked);
  // All at once: while another thread encodes one picture, the next chart is laid out.
  await Promise.all(jobs.map((job, index) => drawJob(job, index, readOnce)));
  // The parent waits no longer.
  saveCode();
  process.disconnect();
};
