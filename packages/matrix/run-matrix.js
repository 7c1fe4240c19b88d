// The loop over the runs. Complete runs are kept, a failed run is reported and the others still run, and table and page
// are written after each run, so that they can be read meanwhile.

import { runJob, RunFailure } from './run-job.js';
import { writeSummary } from './summary.js';

/** @import { Folder } from './folder.js' */
/** @import { Job } from './jobs.js' */
/** @import { Result } from './result.js' */
/** @import { RunSettings } from './run-job.js' */
/** @import { Matter } from './summary.js' */

/**
 * @typedef {object} MatrixEvents
 * @property {(share: number, text: string) => void} onProgress  0 to 1
 * @property {(result: Result, kept: boolean) => void} onResult  `kept`: whether it was complete already
 * @property {(job: Job, message: string) => void} onFailure
 */

/**
 * @param {readonly Job[]} jobs
 * @param {object} options
 * @param {Matter} options.matter
 * @param {RunSettings} options.settings
 * @param {Folder} options.folder
 * @param {AbortSignal} options.signal
 * @param {MatrixEvents} options.events
 * @returns {Promise<{ failed: number, isStopped: boolean }>}
 */
export const runMatrix = async (jobs, { matter, settings, folder, signal, events }) => {
  let failed = 0;
  for (const [index, job] of jobs.entries()) {
    const known = folder.find(job.name);
    if (known !== undefined) {
      events.onResult(known, true);
      continue;
    }
    const onLine = (/** @type {string} */ line) =>
      events.onProgress(
        index / jobs.length,
        `${job.name}, ${index + 1} of ${jobs.length}: ${line}`,
      );
    onLine('starting');
    try {
      const result = await runJob(job, { settings, folder, signal, onLine });
      folder.add(result);
      events.onResult(result, false);
    } catch (error) {
      if (signal.aborted) return { failed, isStopped: true };
      if (!(error instanceof RunFailure)) throw error;
      failed += 1;
      events.onFailure(job, error.message);
      continue;
    }
    writeSummary(folder, matter);
  }
  writeSummary(folder, matter);
  return { failed, isStopped: false };
};
